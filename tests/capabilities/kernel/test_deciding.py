from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import anyio
import pytest

from capabilities.kernel.actors import Actor, agent, client, owner, system
from capabilities.kernel.asking import decision_key
from capabilities.kernel.codes import Code
from capabilities.kernel.deciding import Resolved, decide, lapse_overdue, withdraw
from capabilities.kernel.outcomes import AnyOutcome, Outcome, Refused, Succeeded
from ledger.clock import Clock
from ledger.ledger import Ledger, opened
from ledger.stores import approvals, audit, decisions, events, plans, runs
from ledger.stores.approvals import WAITS_FOR, Approval, ApprovalState, NewApproval
from ledger.stores.decisions import Decision, DecisionKind, DecisionState, NewDecision
from ledger.stores.plans import Plan, PlanState
from ledger.tables.media import plan as plan_table
from ledger.writer import Transaction

MORNING = datetime(2026, 5, 1, 8, tzinfo=UTC)
ANNA = owner("anna")


@dataclass
class Watch:
    at: datetime = MORNING

    def now(self) -> datetime:
        return self.at


@dataclass(frozen=True)
class House:
    ledger: Ledger
    watch: Watch

    async def approval(self, id_: str) -> Approval:
        found = await self.ledger.read(lambda conn: approvals.by_id(conn, id_))
        assert found is not None
        return found

    async def open_decision(self) -> Decision | None:
        return await self.ledger.read(
            lambda conn: decisions.open_for(conn, decision_key("plan_1", 1))
        )

    async def decide(self, id_: str, **changed: object) -> Outcome[Resolved]:
        asked = await self.approval(id_)
        given = {
            "approved": True,
            "by": ANNA,
            "payload_hash": asked.payload_hash,
            "revision": asked.revision,
            **changed,
        }
        return await decide(self.ledger, id_, **given)  # pyright: ignore[reportArgumentType]  # varied


@asynccontextmanager
async def house(home: Path) -> AsyncGenerator[House]:
    watch = Watch()
    async with opened(home, Clock(now=watch.now)) as ledger:
        yield House(ledger, watch)


def a_plan() -> Plan:
    return Plan(
        id="plan_1",
        type="acquisition",
        state=PlanState.DRAFT,
        revision=1,
        payload_hash=plans.payload_hash({"film": "Sintel"}),
        payload={"film": "Sintel"},
        card={"title": "Sintel"},
        parent=None,
        run=None,
        created_by="key:local",
        created_at=MORNING,
    )


def asked(plan: Plan, *, run: str | None = None) -> Callable[[Transaction], str]:
    def write(tx: Transaction) -> str:
        new = NewApproval(
            "download.submit",
            plan.pin,
            "key:local",
            run,
            "call_1",
            plan.card,
            MORNING + timedelta(days=1),
        )
        approval = approvals.request(tx, new, MORNING)
        decisions.raise_(
            tx,
            NewDecision(
                DecisionKind.APPROVAL_REQUIRED,
                decision_key(plan.id, plan.revision),
                "Sintel",
                approval=approval,
                run=run,
            ),
            MORNING,
        )
        return approval

    return write


async def with_plan(house: House, *, run: str | None = None) -> str:
    plan = a_plan()
    await house.ledger.write(lambda tx: plans.add(tx, plan))
    return await house.ledger.write(asked(plan, run=run))


def refused(outcome: AnyOutcome) -> Refused:
    assert isinstance(outcome, Refused)
    return outcome


@pytest.mark.anyio
async def test_a_yes_approves_closes_the_decision_and_leaves_its_traces(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        id_ = await with_plan(home, run="run_1")
        outcome = await home.decide(id_)
        assert isinstance(outcome, Succeeded)
        assert outcome.data == Resolved(
            approval=id_, state=ApprovalState.APPROVED, plan="plan_1", run="run_1"
        )
        stored = await home.approval(id_)
        assert (stored.state, stored.decided_by) == (ApprovalState.APPROVED, "owner:anna")
        assert stored.covers(a_plan().pin, MORNING)
        assert await home.open_decision() is None
        rows, _ = await home.ledger.read(
            lambda conn: decisions.listing(conn, states=(DecisionState.RESOLVED,))
        )
        assert (rows[0].resolved_by, rows[0].resolution) == ("owner:anna", "approved")
        [line] = await home.ledger.read(audit.newest)
        assert (line.action, line.actor, line.authority) == ("approved", "owner:anna", id_)
        [event] = await home.ledger.read(lambda conn: events.of_run(conn, "run_1"))
        assert event.type == "approval_resolved"
        assert event.body == {
            "approval": id_,
            "plan": "plan_1",
            "state": "approved",
            "by": "owner:anna",
        }


@pytest.mark.anyio
async def test_the_run_that_waits_is_woken_by_the_decision(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        engine, suspended, resumed = home.ledger.engine, anyio.Event(), anyio.Event()

        async def segment(run: str, epoch: int) -> None:
            del epoch
            if suspended.is_set():
                resumed.set()
                return
            await home.ledger.write(lambda tx: engine.suspend(tx, "run", run, timeout_s=3600))
            suspended.set()

        engine.handle("run", "agent", segment)
        await engine.launch()
        await home.ledger.write(lambda tx: engine.start(tx, "run", "run_1"))
        id_ = await with_plan(home, run="run_1")
        with anyio.fail_after(20):
            await suspended.wait()
            await home.decide(id_)
            await resumed.wait()


@pytest.mark.anyio
async def test_a_no_needs_a_reason_and_keeps_it(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        id_ = await with_plan(home)
        for empty in (None, "  "):
            outcome = await home.decide(id_, approved=False, reason=empty)
            assert refused(outcome).code is Code.INVALID_INPUT
        assert (await home.approval(id_)).state == ApprovalState.REQUESTED
        outcome = await home.decide(id_, approved=False, reason=" too large ")
        assert isinstance(outcome, Succeeded)
        stored = await home.approval(id_)
        assert (stored.state, stored.reason) == (ApprovalState.DECLINED, "too large")
        assert not stored.covers(a_plan().pin, MORNING)
        assert await home.open_decision() is None


@pytest.mark.anyio
@pytest.mark.parametrize(
    "actor",
    [
        client("local", frozenset({"run.ask", "download.submit"})),
        agent("run_1", "owner:anna", frozenset({"download.submit"})),
        system("import"),
    ],
    ids=str,
)
async def test_nobody_but_the_owner_decides(tmp_path: Path, actor: Actor) -> None:
    async with house(tmp_path) as home:
        id_ = await with_plan(home)
        assert refused(await home.decide(id_, by=actor)).code is Code.DENIED
        assert (await home.approval(id_)).state == ApprovalState.REQUESTED


@pytest.mark.anyio
@pytest.mark.parametrize("sent", [{"payload_hash": "0" * 64}, {"revision": 2}])
async def test_another_hash_or_revision_decides_nothing(
    tmp_path: Path, sent: dict[str, object]
) -> None:
    async with house(tmp_path) as home:
        id_ = await with_plan(home)
        answer = refused(await home.decide(id_, **sent))
        assert answer.code is Code.CONFLICT
        assert answer.needs == {"payload_hash": a_plan().payload_hash, "revision": 1}
        assert (await home.approval(id_)).state == ApprovalState.REQUESTED
        assert await home.open_decision() is not None


@pytest.mark.anyio
async def test_the_first_decision_counts_and_the_second_is_told(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        id_ = await with_plan(home)
        outcomes: list[AnyOutcome] = []

        async def press(approved: bool) -> None:
            outcomes.append(await home.decide(id_, approved=approved, reason="so"))

        async with anyio.create_task_group() as group:
            for each in (True, False, True, False):
                group.start_soon(press, each)
        assert [type(outcome) for outcome in outcomes].count(Succeeded) == 1
        late = [refused(outcome) for outcome in outcomes if not isinstance(outcome, Succeeded)]
        stored = await home.approval(id_)
        assert {answer.code for answer in late} == {Code.CONFLICT}
        assert {answer.needs["state"] for answer in late} == {stored.state}
        assert len(await home.ledger.read(audit.newest)) == 1


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
async def test_every_run_that_waits_for_one_approval_is_told_and_woken(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        engine, suspended, resumed = home.ledger.engine, set[str](), set[str]()
        turned = anyio.Event()

        async def segment(run: str, epoch: int) -> None:
            del epoch
            if run in suspended:
                resumed.add(run)
            else:
                await home.ledger.write(lambda tx: engine.suspend(tx, "run", run, timeout_s=3600))
                suspended.add(run)
            turned.set()

        async def until(which: set[str], count: int) -> None:
            nonlocal turned
            while len(which) < count:
                await turned.wait()
                turned = anyio.Event()

        engine.handle("run", "agent", segment)
        await engine.launch()
        id_ = await with_plan(home, run="run_1")
        for run in ("run_1", "run_2", "run_3"):
            await home.ledger.write(partial(waits, run=run, approval=id_))
            await home.ledger.write(lambda tx, run=run: engine.start(tx, "run", run))
        with anyio.fail_after(20):
            await until(suspended, 3)
            await home.decide(id_)
            await until(resumed, 3)
        for run in resumed:
            [event] = await home.ledger.read(lambda conn, run=run: events.of_run(conn, run))
            assert (event.type, event.body["state"]) == ("approval_resolved", "approved")


def waits(tx: Transaction, run: str, approval: str) -> None:
    asked: dict[str, object] = {WAITS_FOR: {"call": "c", "approval": approval}}
    runs.add(
        tx,
        id_=run,
        goal="g",
        actor="key:local",
        principal="key:local",
        trigger="user",
        options=asked,
        at=MORNING,
    )


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
async def test_an_approval_that_does_not_exist_is_not_found(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        outcome = await decide(
            home.ledger, "apr_0", approved=True, by=ANNA, payload_hash="a", revision=1
        )
        assert refused(outcome).code is Code.NOT_FOUND
        outcome = await withdraw(home.ledger, "apr_0", by=ANNA, reason="no")
        assert refused(outcome).code is Code.NOT_FOUND


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
