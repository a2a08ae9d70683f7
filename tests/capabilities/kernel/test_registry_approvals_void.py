"""What was never approved, not like this, or no longer, is carried out by nobody."""

from collections.abc import Mapping
from typing import Any

import pytest

from capabilities.kernel.actors import Actor, agent, system
from capabilities.kernel.asking import APPROVAL_TIMEOUT
from capabilities.kernel.codes import Code
from capabilities.kernel.deciding import decide as rule
from capabilities.kernel.outcomes import Refused
from ledger.ledger import Ledger
from ledger.stores import approvals, plans
from ledger.stores.approvals import ApprovalState
from ledger.stores.plans import PlanState
from ledger.tables.media import plan as plan_table
from ledger.writer import Transaction
from tests.capabilities.kernel.approving import PHONE, approved, needs, requested
from tests.capabilities.kernel.held_writer import between_look_and_claim
from tests.capabilities.kernel.lamps import Lamps, call, house, lit_answer
from tests.capabilities.watch import Watch


@pytest.mark.anyio
async def test_an_approval_of_one_plan_is_none_of_another(ledger: Ledger) -> None:
    here = house(ledger)
    hall, kitchen = await here.plan("hall"), await here.plan("kitchen")
    await approved(here, hall)
    needs(await here.light("kitchen", plan=kitchen.id, actor=PHONE))
    assert here.lamps.lit == []


@pytest.mark.anyio
async def test_an_approval_of_one_act_is_none_of_another_under_the_same_plan(
    ledger: Ledger,
) -> None:
    lamps = Lamps()
    smash = lamps.spec(id="lamp.smash", scope="lamp.light")
    here = house(ledger, lamps.spec(), smash, lamps=lamps)
    plan = await here.plan()
    await approved(here, plan)
    other = call("lamp.smash", {"name": "hall", "plan": plan.id}, actor=PHONE)
    needs(await here.registry.invoke(other))
    assert lamps.lit == []
    assert await here.light(plan=plan.id, actor=PHONE) == lit_answer("hall", 1)


CHANGES: dict[str, dict[str, object]] = {
    "payload": {"payload": {"name": "all"}, "payload_hash": "f" * 64},
    "revision": {"revision": 2},
    "type": {"type": "demolition"},
}


@pytest.mark.anyio
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
async def test_an_approval_of_a_plan_that_was_changed_afterwards_never_works(
    ledger: Ledger, change: dict[str, object]
) -> None:
    here = house(ledger)
    plan = await here.plan()
    first = await approved(here, plan)
    await ledger.write(
        lambda tx: tx.conn.execute(
            plan_table.update().where(plan_table.c.id == plan.id).values(**change)
        ).close()
    )
    second = await requested(here, plan)
    assert second != first
    assert (here.lamps.lit, await here.claims()) == ([], [])


@pytest.mark.anyio
@pytest.mark.parametrize("end", [ApprovalState.WITHDRAWN, ApprovalState.LAPSED])
async def test_an_approval_that_was_ended_never_works(ledger: Ledger, end: ApprovalState) -> None:
    here = house(ledger)
    plan = await here.plan()
    approval = await approved(here, plan)
    await ledger.write(lambda tx: approvals.end(tx, approval, end, "", ledger.now()))
    needs(await here.light(plan=plan.id, actor=PHONE))
    assert here.lamps.lit == []


@pytest.mark.anyio
async def test_an_approval_that_expired_never_works(ledger: Ledger, watch: Watch) -> None:
    here = house(ledger)
    plan = await here.plan()
    first = await approved(here, plan)
    watch.at += APPROVAL_TIMEOUT
    second = await requested(here, plan)
    assert second != first
    assert here.lamps.lit == []


@pytest.mark.anyio
async def test_an_approval_that_ends_between_the_look_and_the_claim_does_not_count(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    plan = await here.plan()
    approval = await approved(here, plan)

    def withdraw_late(tx: Transaction) -> None:
        approvals.end(tx, approval, ApprovalState.WITHDRAWN, "", ledger.now())

    async def ask() -> None:
        needs(await here.light(plan=plan.id, actor=PHONE))

    await between_look_and_claim(ledger, withdraw_late, ask)
    assert here.lamps.checked == 2
    assert (here.lamps.lit, await here.claims()) == ([], [])


@pytest.mark.anyio
async def test_a_plan_that_was_superseded_is_carried_out_by_nobody(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    await approved(here, plan)
    await ledger.write(lambda tx: plans.move(tx, plan.id, PlanState.SUPERSEDED))
    for who in (PHONE, system("import"), call("", {}).actor):
        outcome = await here.light(plan=plan.id, actor=who)
        assert isinstance(outcome, Refused)
        assert outcome.code is Code.CONFLICT
    assert (here.lamps.lit, await here.claims()) == ([], [])


@pytest.mark.anyio
@pytest.mark.parametrize("change", ["gone", "changed"])
async def test_a_plan_that_changes_between_the_look_and_the_claim_is_not_carried_out(
    ledger: Ledger, change: str
) -> None:
    here = house(ledger)
    plan = await here.plan()
    await approved(here, plan)

    def overtake(tx: Transaction) -> None:
        this = plan_table.c.id == plan.id
        if change == "gone":
            tx.conn.execute(plan_table.delete().where(this))
        else:
            tx.conn.execute(plan_table.update().where(this).values(revision=2))

    async def ask() -> None:
        outcome = await here.light(plan=plan.id, actor=PHONE)
        assert isinstance(outcome, Refused)
        assert outcome.code is Code.CONFLICT

    await between_look_and_claim(ledger, overtake, ask)
    assert (here.lamps.lit, await here.claims()) == ([], [])


def pressed(asked: Mapping[str, Any], who: Actor, **changed: Any) -> dict[str, Any]:
    word = {
        "approved": True,
        "by": who,
        "payload_hash": asked["payload_hash"],
        "revision": asked["revision"],
    }
    return {**word, **changed}


@pytest.mark.anyio
async def test_a_run_does_not_approve_its_own_plan(ledger: Ledger) -> None:
    here = house(ledger)
    own = agent("run_1", "owner:ann", frozenset({"lamp.light", "plan"}))
    plan = await here.plan(run="run_1", created_by=str(own))
    asked = needs(await here.light(plan=plan.id, actor=own, run="run_1"))
    outcome = await rule(ledger, asked["approval"], **pressed(asked, own))
    assert isinstance(outcome, Refused)
    assert outcome.code is Code.DENIED
    needs(await here.light(plan=plan.id, actor=own, run="run_1"))
    assert here.lamps.lit == []
