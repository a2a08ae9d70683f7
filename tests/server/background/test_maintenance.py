from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from signal import Signals
from time import time

import anyio
import pytest
from dbos import DBOSClient

from ledger import segments
from ledger.clock import Clock
from ledger.database import Snapshot
from ledger.ledger import Ledger, opened
from ledger.location import SqliteFile, database_file
from ledger.segments import Segment, Standing
from ledger.stores import approvals
from ledger.stores.approvals import ApprovalState, NewApproval, PlanPin
from ledger.transact import SLOTS
from server.background.maintenance import DAY_S, HOME, Job, jobs_of, schedule
from server.house import open_house
from server.settings import Settings
from tests.ledger.opening import ledger_at
from tests.ledger.processes import child
from tests.ledger.segments import eventually
from tests.postgres import Server

START = datetime(2026, 5, 1, 8, tzinfo=UTC)
HOUR = timedelta(hours=1)
HOUR_S = HOUR.total_seconds()
KINDS = ("lapsing", "libraries", "retention")
TURNS = 3
LONG_AGO_MS = 1

Jobs = Callable[[Ledger], Iterable[Job]]


@dataclass(slots=True)
class Rounds:
    """A job that counts its turns and ends none before it may."""

    turns: int = 0
    may_end: anyio.Event = field(default_factory=anyio.Event)
    begun: anyio.Event = field(default_factory=anyio.Event)

    async def turn(self) -> None:
        self.turns += 1
        self.begun.set()
        await self.may_end.wait()

    def let_go(self) -> "Rounds":
        self.may_end.set()
        return self


def everything(ledger: Ledger) -> Iterable[Job]:
    return jobs_of(ledger, 1)


@asynccontextmanager
async def at_work(home: Path, jobs: Jobs, clock: Clock | None = None) -> AsyncGenerator[Ledger]:
    """A ledger whose process works at these jobs and at nothing else."""
    async with opened(home, clock) as ledger:
        await ledger.engine.connect()
        await schedule(ledger, jobs(ledger))
        await ledger.engine.launch()
        yield ledger


async def asked(ledger: Ledger, until: datetime) -> str:
    pin = PlanPin("acquisition", f"plan_{until:%H%M}", "a" * 64, 1)
    new = NewApproval("download.submit", pin, "key:local", None, None, {}, until)
    return await ledger.write(lambda tx: approvals.request(tx, new, START))


async def state_of(ledger: Ledger, id_: str) -> ApprovalState:
    found = await ledger.read(lambda conn: approvals.by_id(conn, id_))
    assert found is not None
    return found.state


async def until_lapsed(ledger: Ledger, id_: str) -> None:
    with anyio.fail_after(5):
        async with ledger.feed.listening() as bell:
            while await state_of(ledger, id_) is not ApprovalState.LAPSED:
                await bell.receive()


async def after_turns(ledger: Ledger, kind: str, turns: int) -> Segment:
    """Where a job stands, once it waits behind so many turns."""

    def look(conn: Snapshot) -> Segment | None:
        return segments.of(conn, kind, HOME)

    async def waits() -> bool:
        row = await ledger.read(look)
        return row is not None and (row.epoch, row.state) == (turns, Standing.WAITING)

    await eventually(waits)
    found = await ledger.read(look)
    assert found is not None
    return found


def client(home: Path) -> DBOSClient:
    """The library's own way to a timer, which it keeps by the wall clock."""
    return DBOSClient(system_database_url=SqliteFile(database_file(home)).url)


@pytest.mark.anyio
async def test_a_home_that_was_made_before_is_maintained_from_its_next_start_on(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as ledger:
        late = await asked(ledger, ledger.now() - HOUR)
        in_time = await asked(ledger, ledger.now() + HOUR)
    async with open_house(tmp_path, Settings()) as house:
        await until_lapsed(house.ledger, late)
        assert await state_of(house.ledger, in_time) is ApprovalState.REQUESTED
        await after_turns(house.ledger, "retention", 1)


@pytest.mark.anyio
async def test_approvals_lapse_when_their_time_is_over_turn_after_turn(tmp_path: Path) -> None:
    wall = [START]

    def quick(ledger: Ledger) -> Iterable[Job]:
        return [replace(job, every_s=0.1) for job in everything(ledger)]

    async with at_work(tmp_path, quick, Clock(now=lambda: wall[0])) as ledger:
        soon, later = [await asked(ledger, START + n * HOUR) for n in (1, 2)]
        wall[0] += HOUR
        await until_lapsed(ledger, soon)
        assert await state_of(ledger, later) is ApprovalState.REQUESTED
        wall[0] += HOUR
        await until_lapsed(ledger, later)


@pytest.mark.anyio
async def test_long_tasks_and_another_job_that_takes_long_do_not_keep_it_waiting(
    tmp_path: Path,
) -> None:
    long, full, enough = Rounds(), anyio.Event(), anyio.Event()
    tasks = set[str]()

    async def take_long(task: str, _epoch: int) -> None:
        tasks.add(task)
        if len(tasks) == SLOTS["background"]:
            full.set()
        await enough.wait()

    def jobs(ledger: Ledger) -> Iterable[Job]:
        lapsing, _, retention = everything(ledger)
        return [replace(retention, turn=long.turn), replace(lapsing, every_s=0.1)]

    async with at_work(tmp_path, jobs) as ledger:
        ledger.engine.handle("task", "background", take_long)
        for n in range(SLOTS["background"] + 1):
            await ledger.write(lambda tx, n=n: ledger.engine.start(tx, "task", f"task {n}"))
        with anyio.fail_after(5):
            await full.wait()
            await long.begun.wait()
        await until_lapsed(ledger, await asked(ledger, ledger.now()))
        assert (long.turns, len(tasks)) == (1, SLOTS["background"])
        enough.set()
        long.let_go()


@pytest.mark.anyio
async def test_what_was_due_while_nothing_worked_is_done_soon_and_then_at_its_new_pace(
    tmp_path: Path,
) -> None:
    rounds = Rounds().let_go()
    hourly = Job("round", HOUR_S, rounds.turn)
    async with at_work(tmp_path, lambda _: [hourly]) as ledger:
        first = await after_turns(ledger, "round", 1)
    timer = client(tmp_path)
    timer.set_workflow_delay(f"round:{HOME}:{first.n}", delay_until_epoch_ms=LONG_AGO_MS)
    daily = replace(hourly, every_s=DAY_S)
    async with at_work(tmp_path, lambda _: [daily]) as ledger:
        second = await after_turns(ledger, "round", 2)
        (waiting,) = timer.list_workflows(workflow_ids=[f"round:{HOME}:{second.n}"])
    timer.destroy()
    assert waiting.delay_until_epoch_ms is not None
    assert DAY_S - HOUR_S < waiting.delay_until_epoch_ms / 1000 - time() <= DAY_S
    assert rounds.turns == 2


@pytest.mark.proof
@pytest.mark.anyio
async def test_each_turn_happens_in_one_process_however_many_work(postgres: Server) -> None:
    place = postgres.create()
    async with ledger_at(place) as door, AsyncExitStack() as stack:
        crew = [
            await stack.enter_async_context(
                child(place, "work", "tests.server.background.maintainer")
            )
            for _ in range(2)
        ]
        await door.engine.connect()
        await schedule(door, jobs_of(door, 1))
        for process in crew:
            await process.says("at work")
        for turns in range(1, TURNS + 1):
            for kind in KINDS:
                await after_turns(door, kind, turns)
                if turns < TURNS:
                    assert await door.write(lambda tx, kind=kind: door.engine.wake(tx, kind, HOME))
        said = Counter[str]()
        for process in crew:
            process.send(Signals.SIGKILL)
            await process.ended()
            said.update(line for line in await process.rest() if line in KINDS)
    assert said == dict.fromkeys(KINDS, TURNS)
    postgres.drop(place)
