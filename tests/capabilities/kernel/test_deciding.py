"""The owner's word on a plan: whose it is, what it counts for, and who is told."""

from functools import partial
from pathlib import Path

import anyio
import pytest

from capabilities.kernel.actors import Actor, agent, client, system
from capabilities.kernel.codes import Code
from capabilities.kernel.deciding import Resolved, decide, withdraw
from capabilities.kernel.outcomes import AnyOutcome, Succeeded
from ledger.stores import audit, decisions, events
from ledger.stores.approvals import WAITS_FOR, ApprovalState
from ledger.stores.decisions import DecisionState
from ledger.writer import Transaction
from tests.capabilities.kernel.question import ANNA, MORNING, a_plan, house, refused, with_plan
from tests.ledger.rows import add_run


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
    add_run(tx, run, MORNING, by="key:local", options=asked)


@pytest.mark.anyio
async def test_an_approval_that_does_not_exist_is_not_found(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        outcome = await decide(
            home.ledger, "apr_0", approved=True, by=ANNA, payload_hash="a", revision=1
        )
        assert refused(outcome).code is Code.NOT_FOUND
        outcome = await withdraw(home.ledger, "apr_0", by=ANNA, reason="no")
        assert refused(outcome).code is Code.NOT_FOUND
