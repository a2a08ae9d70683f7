from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from ledger.ledger import Ledger, opened
from ledger.stores import events, runs, tasks
from ledger.stores.runs import OVER, Phase, RunState
from ledger.stores.tasks import TaskState
from ledger.writer import Transaction
from server.background.giving_up import run_given_up
from server.background.tasks import TaskRunner
from tests.ledger.rows import add_run

RUN = "run_1"
WHY = "A run was cut short 4 times in a row and is stopped. The log says why."


@pytest.fixture
async def ledger(tmp_path: Path) -> AsyncGenerator[Ledger]:
    async with opened(tmp_path) as made:
        yield made


def begin(tx: Transaction, ledger: Ledger, state: RunState) -> None:
    """A run that stands so."""
    add_run(tx, RUN, ledger.now())
    runs.change(tx, RUN, state=state)


@pytest.mark.anyio
async def test_a_run_that_is_given_up_has_failed_says_why_and_tells_who_follows_it(
    ledger: Ledger,
) -> None:
    await ledger.write(lambda tx: begin(tx, ledger, RunState.RUNNING))
    await ledger.write(lambda tx: run_given_up(ledger)(tx, RUN, WHY))
    row = await ledger.read(lambda conn: runs.by_id(conn, RUN))
    assert row is not None
    assert (row.state, row.phase, row.reason) == (RunState.FAILED, Phase.DONE, WHY)
    assert row.ended_at is not None
    (told,) = await ledger.read(lambda conn: events.of_run(conn, RUN))
    assert (told.type, told.body) == ("run_status", {"state": "failed", "reason": WHY})


@pytest.mark.anyio
@pytest.mark.parametrize("state", OVER)
async def test_a_run_that_was_over_stays_as_it_ended(ledger: Ledger, state: RunState) -> None:
    await ledger.write(lambda tx: begin(tx, ledger, state))
    await ledger.write(lambda tx: run_given_up(ledger)(tx, RUN, WHY))
    row = await ledger.read(lambda conn: runs.by_id(conn, RUN))
    assert row is not None
    assert (row.state, row.reason) == (state, None)


@pytest.mark.anyio
async def test_a_run_that_is_gone_is_no_trouble(ledger: Ledger) -> None:
    await ledger.write(lambda tx: run_given_up(ledger)(tx, "run_of_nobody", WHY))


@pytest.mark.anyio
async def test_a_task_that_is_given_up_is_dead_and_says_why(ledger: Ledger) -> None:
    runner = TaskRunner(ledger, {})
    task = await ledger.write(lambda tx: tasks.add(tx, "import", "dl_1", ledger.now()))
    assert task is not None
    await ledger.write(lambda tx: runner.given_up(tx, task, WHY))
    dead = await ledger.read(lambda conn: tasks.by_id(conn, task))
    assert dead is not None
    assert (dead.state, dead.last_error) == (TaskState.DEAD, WHY)
    assert dead.ended_at is not None
    assert [step["error"] for step in dead.steps] == [WHY]
    await ledger.write(lambda tx: runner.given_up(tx, task, "again"))
    assert await ledger.read(lambda conn: tasks.by_id(conn, task)) == dead
    await ledger.write(lambda tx: runner.given_up(tx, "task_of_nobody", WHY))
