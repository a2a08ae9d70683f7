"""What several processes on one ledger do for each other: beat, bury, take over, stop."""

from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import pairwise
from signal import Signals

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa

from ledger.clock import Clock
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.location import Location
from ledger.segments import Standing
from ledger.stores import claims, tasks, workers
from ledger.stores.claims import ClaimState
from ledger.stores.tasks import TaskRow
from ledger.stores.workers import WorkerState
from ledger.takeover import Taken
from ledger.writer import Transaction
from tests.ledger.acts import Busy, nothing
from tests.ledger.opening import DATABASES
from tests.ledger.processes import QUICK, child, killed
from tests.ledger.segments import (
    KIND,
    at_work,
    connected,
    eventually,
    launched,
    ledger_at,
    worker_of,
)
from tests.ledger.victim import EVERY_S, RECURRING, STEPS
from tests.postgres import serving

pytestmark = pytest.mark.proof

RUNS = 30


@dataclass(slots=True)
class Lease:
    """A clock that goes from beat to beat, until a worker that keeps silent is taken for dead."""

    now: float = 0.0

    @property
    def clock(self) -> Clock:
        return Clock(monotonic=lambda: self.now)

    def beats(self) -> Iterator[None]:
        """Once for every beat of that time."""
        for turn in range(int(QUICK.lease_s / QUICK.beat_s) + 3):
            self.now = turn * QUICK.beat_s
            yield


def keep_silent(tx: Transaction, ledger: Ledger) -> None:
    """Another worker appears, of which nothing is heard again."""
    workers.register(tx, "silent", role="all", host="away", at=ledger.now())


async def taken_over(ledger: Ledger, wanted: int = 1) -> Taken:
    """Watch at the pace of a beat until workers are buried."""
    with anyio.fail_after(20 * QUICK.lease_s):
        while True:
            assert await ledger.engine.beat()
            taken = await ledger.engine.take_over()
            if len(taken.workers) >= wanted:
                return taken
            await anyio.sleep(QUICK.beat_s)


@pytest.mark.anyio
async def test_what_a_killed_process_had_goes_on_in_another_one_within_the_lease(
    location: Location,
) -> None:
    await killed(location, "hang")
    async with at_work(location, {"victim": nothing}, pace=QUICK) as stage:
        ledger = stage.ledger
        first = await ledger.engine.take_over()
        assert first == Taken()
        begun = anyio.current_time()
        taken = await taken_over(ledger)
        assert anyio.current_time() - begun < 5 * QUICK.lease_s
        assert sorted(taken.workflows) == [f"{KIND}:over:1", f"{KIND}:victim:1"]
        assert await stage.entered("victim", 1) == [2]
        await stage.comes_to("victim", Standing.ENDED)
        assert (await worker_of(ledger, taken.workers[0])).state is WorkerState.DEAD
        assert [each.id for each in await ledger.read(workers.alive)] == [ledger.worker]


@pytest.mark.anyio
async def test_a_process_that_was_stopped_and_comes_back_changes_nothing_and_stops_itself(
    location: Location,
) -> None:
    async with child(location, "zombie") as zombie, ledger_at(location, pace=QUICK) as ledger:
        held = await zombie.line()
        await zombie.says("in the middle")
        stage = await launched(ledger, {"victim": nothing})
        zombie.send(Signals.SIGSTOP)
        taken = await taken_over(ledger)
        assert taken.claims == (held,)
        assert await stage.entered("victim", 1) == [2]
        await stage.comes_to("victim", Standing.ENDED)
        zombie.send(Signals.SIGCONT)
        await zombie.tell("go on")
        assert await zombie.line() == "settled False, owns False"
        assert await zombie.line() == "lost"
        assert await zombie.ended() == 0
        claim = await ledger.read(lambda conn: claims.by_id(conn, held))
        assert claim is not None
        assert claim.state is ClaimState.UNKNOWN
        assert (await stage.standing("victim")).epoch == 2
        assert (await worker_of(ledger, taken.workers[0])).state is WorkerState.DEAD


@pytest.mark.anyio
async def test_of_two_that_watch_a_silent_worker_one_buries_it(location: Location) -> None:
    lease = Lease()
    async with AsyncExitStack() as stack:
        watching = [
            await stack.enter_async_context(ledger_at(location, lease.clock, QUICK))
            for _ in range(2)
        ]
        for ledger in watching:
            await ledger.engine.connect("worker")
        await watching[0].write(lambda tx: keep_silent(tx, watching[0]))
        taken: list[Taken] = []

        async def watch(ledger: Ledger) -> None:
            taken.append(await ledger.engine.take_over())

        for _ in lease.beats():
            for ledger in watching:
                assert await ledger.engine.beat()
            async with anyio.create_task_group() as group:
                for ledger in watching:
                    group.start_soon(watch, ledger)
        assert [each.workers for each in taken if each.workers] == [("silent",)]


@pytest.mark.anyio
async def test_who_only_listens_hears_a_silent_worker_again_and_buries_nobody(
    location: Location,
) -> None:
    lease = Lease()
    async with ledger_at(location, lease.clock, QUICK) as ledger:
        await ledger.engine.connect("api")
        await ledger.write(lambda tx: keep_silent(tx, ledger))
        await ledger.engine.listen()
        assert ledger.engine.silent == frozenset()
        for _ in lease.beats():
            await ledger.engine.listen()
        assert ledger.engine.silent == {"silent"}
        assert (await worker_of(ledger, "silent")).state is WorkerState.ALIVE
        assert await ledger.write(lambda tx: workers.beat(tx, "silent"))
        await ledger.engine.listen()
        assert ledger.engine.silent == frozenset()


@pytest.mark.anyio
async def test_a_worker_that_is_dead_itself_buries_nobody(location: Location) -> None:
    lease = Lease()
    async with ledger_at(location, lease.clock, QUICK) as ledger:
        await ledger.engine.connect("worker")

        def two(tx: Transaction) -> None:
            keep_silent(tx, ledger)
            workers.bury(tx, ledger.worker, 0, ledger.now())

        await ledger.write(two)
        for _ in lease.beats():
            assert (await ledger.engine.take_over()).workers == ()


@pytest.mark.anyio
@pytest.mark.parametrize("location", DATABASES[1:], indirect=True)
async def test_of_three_processes_one_is_killed_and_every_run_finishes_exactly_once(
    location: Location,
) -> None:
    async with ledger_at(location) as ledger, AsyncExitStack() as stack:
        await connected(ledger)
        for n in range(RUNS):
            await ledger.write(lambda tx, n=n: begin(tx, ledger, n))
        three = [await stack.enter_async_context(child(location, "work")) for _ in range(3)]
        first = await three[0].line()
        await until(ledger, lambda rows: any(first in workers_of(row) for row in rows))
        three[0].send(Signals.SIGKILL)
        assert await three[0].ended() == -Signals.SIGKILL
        await until(ledger, lambda rows: all(len(row.steps) >= STEPS for row in rows))
        rows = await ledger.read(everything)
        assert [[step["n"] for step in row.steps] for row in rows] == [[1, 2, 3]] * RUNS
        assert len({worker for row in rows for worker in workers_of(row)}) == 3
        buried: list[str] = []
        for each in three[1:]:
            each.send(Signals.SIGKILL)
            await each.ended()
            buried += [line for line in await each.rest() if line.startswith("buried ")]
        assert buried.count(f"buried {first}") == 1


@pytest.mark.anyio
async def test_of_two_processes_that_schedule_the_same_each_turn_happens_in_one(
    location: Location,
) -> None:
    def steps(conn: sa.Connection) -> list[dict[str, float]]:
        return [step for row in tasks.of_subject(conn, RECURRING) for step in row.steps]

    async with ledger_at(location) as ledger, AsyncExitStack() as stack:
        for _ in range(2):
            process = await stack.enter_async_context(child(location, "rounds"))
            await process.says("in the middle")

        async def enough() -> bool:
            return len(await ledger.read(steps)) >= 6

        await eventually(enough, within_s=30)
        fired = await ledger.read(steps)
        assert [step["epoch"] for step in fired] == list(range(1, len(fired) + 1))
        gaps = [later["at"] - earlier["at"] for earlier, later in pairwise(fired)]
        assert min(gaps) >= EVERY_S


@pytest.mark.anyio
async def test_a_database_that_is_killed_and_started_again_is_gone_on_with() -> None:
    async with AsyncExitStack() as stack:
        server = stack.enter_context(serving(durable=True))
        ledger = await stack.enter_async_context(ledger_at(server.create(), pace=QUICK))
        stage = await launched(ledger)
        busy = Busy()
        await stage.begun("busy", busy)
        await stage.asleep("asleep")
        server.stop(Signals.SIGKILL)
        busy.go_on()
        for work in (ledger.engine.beat, ledger.engine.take_over):
            with pytest.raises(LedgerUnavailableError):
                await work()
        await anyio.to_thread.run_sync(server.start)
        assert await ledger.engine.beat()
        assert await ledger.engine.take_over() == Taken()
        await stage.wake("asleep")
        assert await stage.entered("asleep", 2) == [1, 2]
        await stage.comes_to("busy", Standing.ENDED)
        assert stage.epochs["busy"] == [1]


def begin(tx: Transaction, ledger: Ledger, n: int) -> None:
    """Start one run of `STEPS` steps."""
    task = tasks.add(tx, "step", f"dl_{n}", ledger.now())
    assert task is not None
    ledger.engine.start(tx, KIND, task)


def everything(conn: sa.Connection) -> list[TaskRow]:
    return [row for n in range(RUNS) for row in tasks.of_subject(conn, f"dl_{n}")]


def workers_of(row: TaskRow) -> set[str]:
    return {step["worker"] for step in row.steps}


async def until(ledger: Ledger, holds: Callable[[list[TaskRow]], bool]) -> None:
    """Wait until the rows of all runs are so."""

    async def there() -> bool:
        return holds(await ledger.read(everything))

    await eventually(there, within_s=60)
