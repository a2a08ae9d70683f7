"""A request and its approval end by themselves, with their plan, or where they are withdrawn."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from capabilities.kernel.actors import Actor, client, system
from capabilities.kernel.asking import decision_key
from capabilities.kernel.codes import Code
from capabilities.kernel.deciding import lapse_overdue, withdraw
from capabilities.kernel.outcomes import Succeeded
from ledger.stores import approvals, audit, decisions, events, plans
from ledger.stores.approvals import ApprovalState, NewApproval
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.stores.plans import PlanState
from ledger.tables.media import plan as plan_table
from ledger.writer import Transaction
from tests.capabilities.kernel.question import (
    ANNA,
    MORNING,
    a_plan,
    asked,
    house,
    refused,
    with_plan,
)


@pytest.mark.anyio
async def test_what_ran_out_lapses_at_its_last_second(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        id_ = await with_plan(home, run="run_1")
        home.watch.at = MORNING + timedelta(days=1)
        answer = refused(await home.decide(id_))
        assert (answer.code, answer.needs) == (Code.PRECONDITION, {"repeat": "call"})
        stored = await home.approval(id_)
        assert (stored.state, stored.decided_by) == (ApprovalState.LAPSED, None)
        assert await home.open_decision() is None
        [event] = await home.ledger.read(lambda conn: events.of_run(conn, "run_1"))
        assert event.body["state"] == "lapsed"
        assert refused(await home.decide(id_)).code is Code.CONFLICT


@pytest.mark.anyio
async def test_a_second_before_its_end_it_is_still_good(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        id_ = await with_plan(home)
        home.watch.at = MORNING + timedelta(days=1, seconds=-1)
        assert isinstance(await home.decide(id_), Succeeded)


@pytest.mark.anyio
async def test_a_superseded_plan_takes_its_request_with_it(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        id_ = await with_plan(home)
        await home.ledger.write(lambda tx: plans.move(tx, "plan_1", PlanState.SUPERSEDED))
        answer = refused(await home.decide(id_))
        assert answer.sentence == "The plan changed after this was asked. Nothing was decided."
        assert (await home.approval(id_)).state == ApprovalState.LAPSED


@pytest.mark.anyio
async def test_a_request_for_another_payload_of_the_same_plan_lapses(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        plan = a_plan()
        await home.ledger.write(lambda tx: plans.add(tx, plan))
        id_ = await home.ledger.write(asked(replace(plan, payload_hash="f" * 64)))
        assert refused(await home.decide(id_)).code is Code.PRECONDITION
        assert (await home.approval(id_)).state == ApprovalState.LAPSED


@pytest.mark.anyio
async def test_a_request_whose_plan_is_gone_lapses(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        id_ = await with_plan(home)
        await home.ledger.write(lambda tx: tx.conn.execute(plan_table.delete()).close())
        answer = refused(await home.decide(id_))
        assert (answer.code, answer.needs) == (Code.PRECONDITION, {"repeat": "call"})
        assert answer.sentence == (
            "The plan that this was asked about is gone. Nothing was decided."
        )
        assert (await home.approval(id_)).state == ApprovalState.LAPSED
        assert await home.open_decision() is None


@pytest.mark.anyio
@pytest.mark.parametrize("approved", [True, False])
async def test_what_nobody_decided_or_used_in_time_lapses_by_itself(
    tmp_path: Path, *, approved: bool
) -> None:
    async with house(tmp_path) as home:
        id_ = await with_plan(home)
        if approved:
            await home.decide(id_)
        home.watch.at = MORNING + timedelta(days=1, microseconds=-1)
        assert await lapse_overdue(home.ledger) == 0
        home.watch.at = MORNING + timedelta(days=1)
        assert await lapse_overdue(home.ledger) == 1
        stored = await home.approval(id_)
        assert stored.state == ApprovalState.LAPSED
        assert stored.decided_by == ("owner:anna" if approved else None)
        assert await home.open_decision() is None
        assert await lapse_overdue(home.ledger) == 0
        [line, *_] = await home.ledger.read(audit.newest)
        assert (line.action, line.actor, line.authority) == ("lapsed", "system:clock", id_)


@pytest.mark.anyio
async def test_a_late_lapse_leaves_the_decision_of_a_new_request_open(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        first = await with_plan(home)
        await home.decide(first)
        home.watch.at = MORNING + timedelta(days=1)
        at, plan = home.watch.at, a_plan()

        def ask_anew(tx: Transaction) -> str:
            until = at + timedelta(days=1)
            new = NewApproval("download.submit", plan.pin, "key:local", None, "c", {}, until)
            second = approvals.request(tx, new, at)
            key = decision_key(plan.id, plan.revision)
            asked = NewDecision(DecisionKind.APPROVAL_REQUIRED, key, "Sintel", approval=second)
            decisions.raise_(tx, asked, at)
            return second

        second = await home.ledger.write(ask_anew)
        assert await lapse_overdue(home.ledger) == 1
        open_now = await home.open_decision()
        assert open_now is not None
        assert open_now.approval == second
        assert (await home.approval(first)).state == ApprovalState.LAPSED


@pytest.mark.anyio
@pytest.mark.parametrize("actor", [ANNA, system("abort"), client("local", frozenset())], ids=str)
async def test_owner_job_and_requester_may_withdraw(tmp_path: Path, actor: Actor) -> None:
    async with house(tmp_path) as home:
        id_ = await with_plan(home)
        await home.decide(id_)
        outcome = await withdraw(home.ledger, id_, by=actor, reason="the run was stopped")
        assert isinstance(outcome, Succeeded)
        stored = await home.approval(id_)
        assert (stored.state, stored.reason) == (ApprovalState.WITHDRAWN, "the run was stopped")
        assert not stored.covers(a_plan().pin, MORNING)
        again = refused(await withdraw(home.ledger, id_, by=actor, reason="again"))
        assert (again.code, again.needs["state"]) == (Code.CONFLICT, "withdrawn")


@pytest.mark.anyio
async def test_a_stranger_may_not_withdraw(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        id_ = await with_plan(home)
        stranger = client("other", frozenset())
        answer = refused(await withdraw(home.ledger, id_, by=stranger, reason="mine"))
        assert answer.code is Code.DENIED
        assert (await home.approval(id_)).state == ApprovalState.REQUESTED
