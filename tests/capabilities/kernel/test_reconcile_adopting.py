"""An effect that was found is taken up as if its call had been answered, whatever comes between."""

import threading

import anyio
import pytest

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.faults import UnreachableError
from capabilities.kernel.outcomes import (
    AnyOutcome,
    Failed,
    HaltError,
    Pending,
    Refused,
    Succeeded,
    Unknown,
)
from capabilities.kernel.probing import Finding, Verdict
from capabilities.kernel.targets import Target
from ledger.ledger import Ledger
from ledger.stores.claims import ClaimState
from tests.capabilities.kernel.lamps import house, lit_answer
from tests.capabilities.kernel.playing import answers, sees
from tests.capabilities.kernel.unknown import decision_about, left_unknown


@pytest.mark.anyio
async def test_what_was_begun_is_carried_to_its_end_by_whoever_adopts_it(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=False)

    async def finish(target: Target, context: Context) -> AnyOutcome:
        here.lamps.lit.append(target.facts["name"])
        here.lamps.stage(target.facts["name"], context)
        return lit_answer("hall", 1)

    here.lamps.look, here.lamps.take_over = sees(Verdict.PARTLY, glows=True), finish
    assert isinstance(await here.registry.reconcile(claim), Succeeded)
    assert (here.lamps.lit, await here.told()) == (["hall"], ["lit"])


UNFIT: dict[str, Exception] = {
    "the world went away": UnreachableError("the fuse box", "No route."),
    "it may be tried later": HaltError(Failed(Code.UNAVAILABLE, "Later.", retry=True)),
}


@pytest.mark.anyio
@pytest.mark.parametrize("fault", UNFIT.values(), ids=UNFIT)
async def test_what_was_found_and_cannot_be_adopted_now_is_never_free_to_be_done_again(
    ledger: Ledger, fault: Exception
) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)

    async def fail(target: Target, context: Context) -> AnyOutcome:
        here.lamps.stage(target.facts["name"], context)
        raise fault

    here.lamps.take_over = fail
    for request in ("one", "two"):
        assert isinstance(await here.light(request=request), Unknown)
    assert (here.lamps.lit, await here.told()) == (["hall"], [])
    assert await decision_about(here, claim) is not None
    here.lamps.take_over = None
    assert isinstance(await here.light(request="two"), Succeeded)
    assert here.lamps.lit == ["hall"]
    assert await decision_about(here, claim) is None


@pytest.mark.anyio
async def test_what_was_found_and_is_refused_for_good_has_failed_and_keeps_its_key(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)

    async def refuse(_target: Target, _context: Context) -> AnyOutcome:
        raise HaltError(Refused(Code.CONFLICT, "It is the neighbour's."))

    here.lamps.take_over = refuse
    outcome = await here.registry.reconcile(claim)
    assert isinstance(outcome, Failed)
    assert not outcome.retry
    assert not (await here.claim()).free_again
    assert isinstance(await here.light(request="one"), Failed)
    assert here.lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_a_look_that_is_cancelled_while_it_takes_up_leaves_the_claim_unknown(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)
    gate, held, looked = threading.Event(), threading.Event(), anyio.Event()

    async def slow(_target: Target, _context: Context) -> AnyOutcome:
        await anyio.sleep_forever()
        raise AssertionError

    def block(_tx: object) -> None:
        held.set()
        assert gate.wait(5)

    async def seen(_target: Target) -> Finding:
        blockers.start_soon(ledger.write, block)
        await anyio.to_thread.run_sync(held.wait)
        looked.set()
        return Finding(Verdict.APPLIED)

    here.lamps.look, here.lamps.take_over = seen, slow
    with anyio.fail_after(5):
        async with anyio.create_task_group() as blockers, anyio.create_task_group() as looks:
            looks.start_soon(here.registry.reconcile, claim)
            await looked.wait()
            await anyio.wait_all_tasks_blocked()
            looks.cancel_scope.cancel()
            gate.set()
    assert (await here.claim()).state is ClaimState.UNKNOWN
    here.lamps.look = here.lamps.take_over = None
    assert isinstance(await here.registry.reconcile(claim), Succeeded)


@pytest.mark.anyio
async def test_what_was_found_still_under_way_is_pending(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)
    here.lamps.take_over = answers(Pending("lamp:1", "It is warming up.", "look"))
    assert isinstance(await here.registry.reconcile(claim), Pending)
    assert (await here.claim()).state == ClaimState.PENDING


@pytest.mark.anyio
async def test_references_in_the_answer_are_good_for_whoever_had_called(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    scopes: list[str] = []

    async def refer(_target: Target, context: Context) -> AnyOutcome:
        scopes.append(context.scope)
        return lit_answer("hall", 1)

    here.lamps.take_over = refer
    await left_unknown(here, lit=True, plan=plan.id)
    await here.light(plan=plan.id)
    assert scopes == ["owner:ann"]
