"""What becomes of a claim of unknown outcome after somebody has looked."""

import threading
from datetime import timedelta

import anyio
import pytest
import svcs
from structlog.testing import capture_logs

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.faults import LostAnswerError, UnreachableError
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
from capabilities.kernel.reconcile import SETTLING_S
from capabilities.kernel.targets import Target
from ledger.ledger import Ledger
from ledger.stores import audit, decisions
from ledger.stores.claims import Claim, ClaimState
from ledger.stores.decisions import Decision, DecisionState, Severity
from tests.capabilities.kernel.lamps import Given, House, Lamps, actor, house, lit_answer
from tests.capabilities.watch import Watch


async def left_unknown(here: House, *, lit: bool, **changed: object) -> Claim:
    """A call whose answer was lost, after the lamp was lit or not."""

    async def lose(given: Given, _context: Context) -> AnyOutcome:
        if lit:
            here.lamps.lit.append(given.name)
        raise LostAnswerError("the fuse box", "It hung up.")

    here.lamps.act = lose
    await here.light(**{"request": "one", **changed})  # pyright: ignore[reportArgumentType]  # parts of a call
    here.lamps.act = None
    claim = await here.claim()
    assert claim.state == ClaimState.UNKNOWN
    return claim


def found(verdict: Verdict, **evidence: object) -> Finding:
    return Finding(verdict, evidence)


async def decision_about(here: House, claim: Claim) -> Decision | None:
    return await here.ledger.read(lambda conn: decisions.open_for(conn, f"unknown:{claim.id}"))


@pytest.mark.anyio
async def test_an_effect_that_is_found_is_adopted_as_if_it_had_been_answered(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)
    outcome = await here.registry.reconcile(claim)
    assert isinstance(outcome, Succeeded)
    assert outcome.replayed
    settled = await here.claim()
    assert (settled.state, settled.result) == (ClaimState.SUCCEEDED, {"name": "hall", "times": 1})
    assert settled.evidence == {"verified_by": "probe", "seen": True}
    assert (here.lamps.entered, here.lamps.adopted, await here.told()) == (1, 1, ["lit"])
    newest = (await ledger.read(audit.newest))[0]
    assert (newest.actor, newest.action, newest.outcome) == (
        "system:reconcile",
        "settled",
        "succeeded",
    )


@pytest.mark.anyio
async def test_an_effect_that_is_not_found_is_free_to_be_tried_again(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=False)
    outcome = await here.registry.reconcile(claim)
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.retry) == (Code.UNAVAILABLE, True)
    settled = await here.claim()
    assert (settled.state, settled.free_again, settled.settled_at) == (
        ClaimState.FAILED,
        True,
        ledger.now(),
    )
    assert (here.lamps.adopted, await here.told()) == (0, [])
    assert await here.light(request="one") == lit_answer("hall", 1)
    assert (await here.claim()).attempt == 2


@pytest.mark.anyio
async def test_a_repeated_call_looks_first_and_then_acts_or_answers(ledger: Ledger) -> None:
    here = house(ledger)
    await left_unknown(here, lit=False)
    assert await here.light(request="one") == lit_answer("hall", 1)
    assert (here.lamps.probed, here.lamps.entered) == (1, 2)


@pytest.mark.anyio
async def test_a_call_of_another_request_on_the_same_thing_looks_first_too(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    await left_unknown(here, lit=True)
    outcome = await here.light(request="two", level=7)
    assert isinstance(outcome, Succeeded)
    assert outcome.replayed
    assert (here.lamps.lit, here.lamps.probed) == (["hall"], 1)


@pytest.mark.anyio
@pytest.mark.parametrize("many", [2, 16])
async def test_many_that_look_at_once_settle_it_once(ledger: Ledger, many: int) -> None:
    here = house(ledger)
    await left_unknown(here, lit=True)
    outcomes: list[AnyOutcome] = []

    async def ask() -> None:
        outcomes.append(await here.light(request="one"))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as askers:
            for _ in range(many):
                askers.start_soon(ask)
    assert all(isinstance(outcome, Succeeded) for outcome in outcomes)
    assert (here.lamps.probed, here.lamps.adopted, await here.told()) == (1, 1, ["lit"])


@pytest.mark.anyio
async def test_what_was_begun_is_carried_to_its_end_by_whoever_adopts_it(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=False)

    async def half(_target: Target) -> Finding:
        return found(Verdict.PARTLY, glows=True)

    async def finish(target: Target, context: Context) -> AnyOutcome:
        here.lamps.lit.append(target.facts["name"])
        here.lamps.stage(target.facts["name"], context)
        return lit_answer("hall", 1)

    here.lamps.look, here.lamps.take_over = half, finish
    assert isinstance(await here.registry.reconcile(claim), Succeeded)
    assert (here.lamps.lit, await here.told()) == (["hall"], ["lit"])


@pytest.mark.anyio
async def test_what_cannot_be_told_stays_unknown_and_is_one_decision_however_often_looked_at(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)

    async def fog(_target: Target) -> Finding:
        return found(Verdict.CANNOT_TELL, fog="thick")

    here.lamps.look = fog
    for _ in range(3):
        assert isinstance(await here.registry.reconcile(claim), Unknown)
        assert isinstance(await here.light(request="one"), Unknown)
    (waiting,), total = await ledger.read(decisions.listing)
    assert total == 1
    assert (waiting.subject, waiting.severity) == (claim.id, Severity.HIGH)
    assert waiting.evidence == {"verdict": "cannot_tell", "fog": "thick"}
    assert [option["id"] for option in waiting.options] == ["check", "done", "not-done"]
    assert (await here.claim()).state == ClaimState.UNKNOWN
    assert len(await ledger.read(audit.newest)) == 2

    here.lamps.look = None
    assert isinstance(await here.registry.reconcile(claim), Succeeded)
    closed = await ledger.read(lambda conn: decisions.by_id(conn, waiting.id))
    assert closed is not None
    assert (closed.state, closed.resolved_by, closed.resolution) == (
        DecisionState.RESOLVED,
        "system:reconcile",
        "succeeded",
    )


@pytest.mark.anyio
async def test_where_the_world_does_not_answer_nothing_can_be_told(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=False)

    async def away(_target: Target) -> Finding:
        raise UnreachableError("the fuse box", "No route.")

    here.lamps.look = away
    assert isinstance(await here.light(request="one"), Unknown)
    assert (here.lamps.lit, here.lamps.entered) == ([], 1)
    asked = await decision_about(here, claim)
    assert asked is not None
    assert asked.evidence["reason"] == "the fuse box could not be asked"


@pytest.mark.anyio
async def test_where_the_part_to_look_with_is_not_configured_nothing_can_be_told(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=False)

    async def ask_the_box(_target: Target) -> Finding:
        svcs.Container(svcs.Registry()).get(House)
        raise AssertionError

    here.lamps.look = ask_the_box
    assert isinstance(await here.registry.reconcile(claim), Unknown)


@pytest.mark.anyio
async def test_a_look_that_breaks_leaves_it_unknown(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)

    async def broken(_target: Target) -> Finding:
        raise LookupError

    here.lamps.look = broken
    with capture_logs() as logs:
        assert isinstance(await here.registry.reconcile(claim), Unknown)
        assert isinstance(await here.light(request="one"), Unknown)
    assert [line["event"] for line in logs] == ["a look failed"] * 2
    assert here.lamps.lit == ["hall"]


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
        return found(Verdict.APPLIED)

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
@pytest.mark.parametrize("verdict", Verdict)
async def test_a_look_by_who_may_not_call_it_settles_and_carries_nothing_on(
    ledger: Ledger, verdict: Verdict
) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)

    async def seen(_target: Target) -> Finding:
        return found(verdict)

    here.lamps.look = seen
    outcome = await here.registry.check(claim.id, actor(scopes=frozenset({"read"})))
    expected = {Verdict.APPLIED: Succeeded, Verdict.NOT_APPLIED: Failed}.get(verdict, Unknown)
    assert isinstance(outcome, expected)
    assert here.lamps.adopted == int(verdict is Verdict.APPLIED)
    if verdict is Verdict.PARTLY:
        assert "one of the owner does" in ((await here.claim()).evidence or {})["reason"]
        assert isinstance(await here.registry.check(claim.id, actor()), Succeeded)
        assert here.lamps.adopted == 1


@pytest.mark.anyio
async def test_what_was_found_still_under_way_is_pending(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)

    async def warming(_target: Target, _context: Context) -> AnyOutcome:
        return Pending("lamp:1", "It is warming up.", "look")

    here.lamps.take_over = warming
    assert isinstance(await here.registry.reconcile(claim), Pending)
    assert (await here.claim()).state == ClaimState.PENDING


@pytest.mark.anyio
async def test_a_claim_that_was_settled_meanwhile_is_not_looked_at(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)
    await here.registry.reconcile(claim)
    again = await here.registry.reconcile(claim)
    assert isinstance(again, Succeeded)
    assert here.lamps.probed == 1


@pytest.mark.anyio
async def test_a_claim_whose_capability_is_gone_stays_unknown(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)
    without = house(ledger, here.lamps.reading())
    assert isinstance(await without.registry.reconcile(claim), Unknown)


@pytest.mark.anyio
async def test_a_claim_on_nothing_that_can_be_looked_at_stays_unknown_with_a_decision(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)
    blind = house(ledger, here.lamps.spec(probe=None, adopt=None))
    assert isinstance(await blind.registry.reconcile(claim), Unknown)
    mute = house(ledger, here.lamps.spec(adopt=None))
    assert isinstance(await mute.registry.reconcile(claim), Unknown)
    assert await decision_about(here, claim) is not None


@pytest.mark.anyio
async def test_an_act_without_a_natural_key_is_not_looked_for_before_it_had_time_to_arrive(
    ledger: Ledger, watch: Watch
) -> None:
    here = house(ledger, lamps=Lamps(natural=False))
    await left_unknown(here, lit=False)
    watch.advance(seconds=SETTLING_S / 2)
    assert isinstance(await here.light(request="one"), Unknown)
    assert (here.lamps.probed, here.lamps.entered) == (0, 1)
    watch.advance(seconds=SETTLING_S / 2)
    assert await here.light(request="one") == lit_answer("hall", 1)
    assert (here.lamps.probed, here.lamps.entered) == (1, 2)


@pytest.mark.anyio
@pytest.mark.parametrize("days", [1, -1, 4_000])
async def test_a_clock_that_jumps_makes_nothing_be_looked_for_earlier(
    ledger: Ledger, watch: Watch, days: int
) -> None:
    here = house(ledger, lamps=Lamps(natural=False))
    await left_unknown(here, lit=False)
    watch.at += timedelta(days=days)
    assert isinstance(await here.light(request="one"), Unknown)
    assert isinstance(await here.light(request="two"), Unknown)
    assert (here.lamps.probed, here.lamps.entered) == (0, 1)
    watch.advance(seconds=SETTLING_S)
    assert isinstance(await here.light(request="one"), Succeeded)
    assert here.lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_what_a_dead_process_sent_has_its_time_from_when_it_was_found_dead(
    ledger: Ledger, watch: Watch
) -> None:
    lamps = Lamps(natural=False)
    claim = await left_unknown(house(ledger, lamps=lamps), lit=True)
    watch.advance(days=1)
    afterwards = house(ledger, lamps=lamps)
    assert isinstance(await afterwards.registry.reconcile(claim), Unknown)
    assert lamps.probed == 0
    watch.advance(seconds=SETTLING_S)
    assert isinstance(await afterwards.registry.reconcile(claim), Succeeded)
    assert lamps.lit == ["hall"]


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


@pytest.mark.anyio
async def test_a_probe_is_given_the_target_as_it_was_claimed(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    seen: list[Target] = []

    async def look(target: Target) -> Finding:
        seen.append(target)
        return found(Verdict.APPLIED)

    here.lamps.look = look
    claim = await left_unknown(here, lit=True, plan=plan.id)
    await here.registry.reconcile(claim)
    assert seen == [Target("lamp", "lamp:hall", {"name": "hall"}, plan.pin)]
