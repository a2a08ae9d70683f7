"""The wall clock may jump: nobody loses a lease by it, and nothing ends early by more than that."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from ledger.clock import Clock
from ledger.database import Database
from ledger.engine import Engine
from ledger.location import Location
from ledger.pace import Pace
from ledger.stores import approvals, leases
from ledger.stores.approvals import NewApproval, PlanPin
from ledger.stores.workers import Worker
from tests.promises.tally import Tally

pytestmark = pytest.mark.proof

JUMPS = tuple(
    sign * step
    for step in (timedelta(seconds=1), timedelta(hours=1), timedelta(days=1))
    for sign in (1, -1)
)
STARTS = {
    "an ordinary day": datetime(2026, 6, 1, 12, tzinfo=UTC),
    "the night clocks go back": datetime(2026, 10, 25, 0, 59, 58, tzinfo=UTC),
    "the end of 32 bits": datetime(2038, 1, 19, 3, 14, 6, tzinfo=UTC),
}
BEAT_S = 5.0
DAY = timedelta(days=1)


@dataclass(slots=True)
class Time:
    """A wall clock that jumps, beside a monotonic one that does not."""

    wall: datetime
    steady: float = 100.0

    def pass_by(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.steady += seconds

    @property
    def clock(self) -> Clock:
        return Clock(now=lambda: self.wall, monotonic=lambda: self.steady)


@asynccontextmanager
async def engine(location: Location, clock: Clock) -> AsyncGenerator[Engine]:
    database = Database(location)
    made = Engine(database, clock, Pace(beat_s=BEAT_S, lease_s=6 * BEAT_S))
    await made.connect("worker")
    yield made
    await made.close()
    database.close()


async def lost_to_a_jump(location: Location, start: datetime, jump: timedelta) -> int:
    """Two live workers, the clock of one of which jumps; how many lost their place or lease."""
    time = Time(start)
    async with engine(location, time.clock) as one, engine(location, time.clock) as two:
        database = Database(location)
        at = time.clock.now()
        await database.write(lambda tx: leases.acquire(tx, "only one", one.executor, at))
        for turn in range(4):
            living = [each for each in (one, two) if await each.beat()]
            time.pass_by(BEAT_S)
            if turn == 1:
                time.wall += jump
            for each in living:
                await each.take_over()
        holder = await database.read(lambda conn: leases.holder_of(conn, "only one"))
        database.close()
        lost = [one.lost.is_set() or not await one.beat(), not await two.beat()]
    return sum(lost) + (holder != one.executor)


@pytest.mark.promise("T1")
@pytest.mark.anyio
@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS.keys())
async def test_no_live_worker_loses_its_place_or_its_lease_when_the_clock_jumps(
    shared: Location, start: datetime, tally: Tally
) -> None:
    for jump in JUMPS:
        tally.add(1, await lost_to_a_jump(shared, start, jump))
    assert tally.violations == 0


class _ByTheWall:
    """A watch that goes by the wall clock: who was not heard for the lease's time is silent."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._heard: dict[str, tuple[int, float]] = {}

    def silent(self, present: Sequence[Worker], now: float) -> list[Worker]:
        for worker in present:
            if self._heard.get(worker.id, (-1, 0.0))[0] != worker.beat:
                self._heard[worker.id] = (worker.beat, worker.started_at.timestamp())
        return [each for each in present if now - self._heard[each.id][1] >= 2 * self._pace.lease_s]


@pytest.mark.promise("T1", control=True)
@pytest.mark.anyio
async def test_where_the_wall_clock_decides_a_jump_costs_a_live_worker_its_place(
    shared: Location, tally: Tally, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.takeover.Watch", _ByTheWall)
    monkeypatch.setattr(Time, "clock", property(_wall_for_both))
    start = STARTS["an ordinary day"]
    for jump in JUMPS:
        tally.add(1, await lost_to_a_jump(shared, start, jump))
    assert tally.violations > 0


def _wall_for_both(time: Time) -> Clock:
    def seconds() -> float:
        return time.wall.timestamp()

    return Clock(now=lambda: time.wall, monotonic=seconds)


@pytest.mark.promise("T1")
@pytest.mark.anyio
@pytest.mark.parametrize("jump", JUMPS, ids=str)
async def test_a_yes_ends_by_no_more_than_the_jump_too_early(
    database: Database, jump: timedelta, tally: Tally
) -> None:
    start = STARTS["the end of 32 bits"]
    pin = PlanPin("acquisition", "plan_1", "a" * 64, 1)
    new = NewApproval("download.submit", pin, "key:k", None, None, {}, start + DAY)
    id_ = await database.write(partial(approvals.request, new=new, at=start))
    await database.write(
        lambda tx: approvals.decide(tx, id_, approved=True, by="owner:ann", reason=None, at=start)
    )
    for passed in (timedelta(0), DAY / 2, DAY - timedelta(seconds=2), DAY, 2 * DAY):
        at = start + passed + jump
        covers = await database.read(partial(approvals.living, pin=pin, at=at)) is not None
        truly_over = passed >= DAY + abs(jump)
        early = not covers and passed < DAY - abs(jump)
        tally.add(1, int(early or (covers and truly_over)))
    assert tally.violations == 0
