"""What becomes of a claim of unknown outcome after somebody has looked."""

import anyio
import pytest

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import AnyOutcome, Failed, Succeeded, Unknown
from capabilities.kernel.probing import Finding, Verdict
from capabilities.kernel.targets import Target
from ledger.ledger import Ledger
from ledger.stores import audit
from ledger.stores.claims import ClaimState
from tests.capabilities.kernel.lamps import actor, house, lit_answer
from tests.capabilities.kernel.playing import sees
from tests.capabilities.kernel.unknown import left_unknown


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
@pytest.mark.parametrize("verdict", Verdict)
async def test_a_look_by_who_may_not_call_it_settles_and_carries_nothing_on(
    ledger: Ledger, verdict: Verdict
) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)
    here.lamps.look = sees(verdict)
    outcome = await here.registry.check(claim.id, actor(scopes=frozenset({"read"})))
    expected = {Verdict.APPLIED: Succeeded, Verdict.NOT_APPLIED: Failed}.get(verdict, Unknown)
    assert isinstance(outcome, expected)
    assert here.lamps.adopted == int(verdict is Verdict.APPLIED)
    if verdict is Verdict.PARTLY:
        assert "one of the owner does" in ((await here.claim()).evidence or {})["reason"]
        assert isinstance(await here.registry.check(claim.id, actor()), Succeeded)
        assert here.lamps.adopted == 1


@pytest.mark.anyio
async def test_a_claim_that_was_settled_meanwhile_is_not_looked_at(ledger: Ledger) -> None:
    here = house(ledger)
    claim = await left_unknown(here, lit=True)
    await here.registry.reconcile(claim)
    again = await here.registry.reconcile(claim)
    assert isinstance(again, Succeeded)
    assert here.lamps.probed == 1


@pytest.mark.anyio
async def test_a_probe_is_given_the_target_as_it_was_claimed(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    seen: list[Target] = []

    async def look(target: Target) -> Finding:
        seen.append(target)
        return Finding(Verdict.APPLIED)

    here.lamps.look = look
    claim = await left_unknown(here, lit=True, plan=plan.id)
    await here.registry.reconcile(claim)
    assert seen == [Target("lamp", "lamp:hall", {"name": "hall"}, plan.pin)]
