"""The owner acts by hand, without an approval; nobody else does."""

import pytest

from capabilities.kernel.actors import Actor, agent, system
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Failed, Refused, Succeeded
from ledger.ledger import Ledger
from ledger.stores import approvals, audit, decisions
from ledger.stores.approvals import ApprovalState
from tests.capabilities.kernel.approving import PHONE, decide, requested, state_of
from tests.capabilities.kernel.lamps import house, lit_answer
from tests.capabilities.kernel.playing import answers


@pytest.mark.anyio
async def test_the_owner_acts_by_hand_without_an_approval(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    assert await here.light(plan=plan.id) == lit_answer("hall", 1)
    assert (await here.claim()).authority == "owner:ann"


@pytest.mark.anyio
@pytest.mark.parametrize(
    "who",
    [PHONE, system("patrol"), agent("run_1", "owner:ann", frozenset({"lamp.light"}))],
    ids=str,
)
async def test_nobody_else_acts_without_a_plan_and_the_refusal_is_audited(
    ledger: Ledger, who: Actor
) -> None:
    here = house(ledger)
    outcome = await here.light(actor=who)
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.needs) == (Code.DENIED, {"who": "owner"})
    assert (here.lamps.entered, await here.claims()) == (0, [])
    await here.registry.audit.flush()
    (row,) = await ledger.read(audit.newest)
    assert (row.actor, row.outcome) == (str(who), "denied")


@pytest.mark.anyio
@pytest.mark.parametrize("decided", [True, False])
async def test_what_the_owner_does_by_hand_closes_what_was_asked_about_it(
    ledger: Ledger, *, decided: bool
) -> None:
    here = house(ledger)
    plan = await here.plan()
    approval = await requested(here, plan)
    if decided:
        await decide(here, approval)
    assert await here.light(plan=plan.id) == lit_answer("hall", 1)
    found = await ledger.read(lambda conn: approvals.by_id(conn, approval))
    assert found is not None
    assert (found.state, found.decided_by) == (ApprovalState.CONSUMED, "owner:ann")
    assert found.consumed_by == (await here.claim()).id
    assert (await ledger.read(decisions.listing))[1] == 0
    again = await here.light(plan=plan.id, actor=PHONE)
    assert isinstance(again, Succeeded)
    assert (again.replayed, here.lamps.lit) == (True, ["hall"])


@pytest.mark.anyio
async def test_a_failure_by_hand_leaves_the_question_open(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    approval = await requested(here, plan)
    here.lamps.act = answers(Failed(Code.UNAVAILABLE, "Nobody answers.", retry=True))
    await here.light(plan=plan.id)
    assert await state_of(here, approval) == ApprovalState.REQUESTED
    assert (await ledger.read(decisions.listing))[1] == 1


@pytest.mark.anyio
async def test_what_is_done_about_another_plan_closes_nothing(ledger: Ledger) -> None:
    here = house(ledger)
    hall, attic = await here.plan("hall"), await here.plan("attic")
    approval = await requested(here, hall)
    await here.light("attic", plan=attic.id)
    assert await state_of(here, approval) == ApprovalState.REQUESTED
