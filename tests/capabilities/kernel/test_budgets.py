"""In no history do the acts of a day come to more than its budget."""

import tempfile
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from capabilities.kernel import granting
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.grant_making import shorten
from capabilities.kernel.grant_terms import Shortening
from capabilities.kernel.outcomes import AnyOutcome, Failed, Refused, Succeeded, Unknown
from capabilities.kernel.probing import Finding, Verdict
from capabilities.kernel.targets import Reach, Target
from ledger.clock import Clock
from ledger.database import Database, Snapshot
from ledger.engine import Engine
from ledger.ledger import Ledger
from ledger.location import Location, SqliteFile, database_file
from ledger.stores import claims, grants
from ledger.stores.claims import ClaimState
from ledger.stores.grants import Used
from tests.capabilities.kernel.approving import PHONE
from tests.capabilities.kernel.granting_by import granted
from tests.capabilities.kernel.lamps import ANN, Given, House, Lamps, house, row
from tests.capabilities.watch import Watch
from tests.ledger.homes import furnish
from tests.postgres import Server
from tests.promises.tally import Tally

CALLS, BYTES = 4, 100
LATE = datetime.fromisoformat("2026-05-01T23:59:58+00:00")
SIZES = (10, 40, 70)
JUMPS = (
    timedelta(seconds=1),
    timedelta(hours=1),
    timedelta(days=1),
    timedelta(seconds=-1),
    timedelta(hours=-1),
    timedelta(days=-1),
)


@dataclass(frozen=True)
class Jump:
    """The wall clock is set."""

    by: timedelta


@dataclass(frozen=True)
class Calls:
    """Calls made at once, each for a lamp of some size that ends in some way."""

    made: tuple[tuple[int, str], ...]
    jump: timedelta = timedelta()


@dataclass(frozen=True)
class Look:
    """The oldest act of unknown outcome is looked at."""


@dataclass(frozen=True)
class Less:
    """The owner makes the budgets smaller."""

    calls: int


Step = Jump | Calls | Look | Less

ENDS = ("done", "done", "failed", "partly", "lost", "never arrived")
one_call = st.tuples(st.sampled_from(SIZES), st.sampled_from(ENDS))
steps = st.one_of(
    st.builds(Jump, st.sampled_from(JUMPS)),
    st.builds(Calls, st.lists(one_call, min_size=1, max_size=4).map(tuple)),
    st.builds(Calls, st.lists(one_call, min_size=3, max_size=6).map(tuple), st.sampled_from(JUMPS)),
    st.just(Look()),
    st.builds(Less, st.integers(1, CALLS)),
)
histories = st.lists(steps, min_size=4, max_size=14)


@dataclass
class World:
    """What really happened, by the day it was claimed on."""

    here: House
    watch: Watch
    grant: str
    ends: dict[str, str] = field(default_factory=dict[str, str])
    calls: Counter[datetime] = field(default_factory=Counter[datetime])
    bytes: Counter[datetime] = field(default_factory=Counter[datetime])
    arrived: set[str] = field(default_factory=set[str])
    made: int = 0
    refused: int = 0

    async def act(self, given: Given, context: Context) -> AnyOutcome:
        """Light a lamp, or not, and say so, or not."""
        assert context.invocation is not None
        id_ = context.invocation
        claim = await self.here.ledger.read(lambda conn: row(conn, id_))
        end = self.ends[context.call_id]
        await anyio.lowlevel.checkpoint()
        if end in {"done", "partly", "lost"}:
            day = grants.day_of(claim.claimed_at)
            self.calls[day] += 1
            self.bytes[day] += self.here.lamps.reach[given.name].bytes or 0
            self.arrived.add(id_)
        if end == "partly":
            return Failed(Code.CONFLICT, "The bulb broke.", partly=True)
        if end == "failed":
            return Failed(Code.UNAVAILABLE, "Nobody answers.")
        if end == "done":
            return await self.here.lamps.really(given, context)
        return Unknown("It hung up.", "look")

    async def call(self, size: int, end: str) -> None:
        """One call, for a lamp of its own."""
        self.made += 1
        name = call_id = f"lamp {self.made}"
        self.here.lamps.reach[name] = Reach(kind="film", bytes=size)
        self.ends[call_id] = end
        outcome = await self.here.light(name, actor=PHONE, call_id=call_id, request=call_id)
        over = isinstance(outcome, Refused) and outcome.code is Code.BUDGET_EXCEEDED
        self.refused += over
        assert over or isinstance(outcome, Succeeded | Failed | Unknown), outcome

    async def take(self, step: Step) -> None:
        """Let one thing happen."""
        match step:
            case Jump(by):
                self.watch.at += by
            case Calls(made, jump):
                async with anyio.create_task_group() as callers:
                    for size, end in made:
                        callers.start_soon(self.call, size, end)
                    await anyio.lowlevel.checkpoint()
                    self.watch.at += jump
            case Look():
                await self.look()
            case Less(calls):
                change = Shortening(calls_per_day=calls)
                await shorten(self.here.ledger, self.grant, change, by=ANN)

    async def look(self) -> None:
        """Find the oldest unknown act, or find it was not done."""
        left = await self.here.ledger.read(
            lambda conn: claims.in_state(conn, ClaimState.UNKNOWN, limit=1)
        )
        for claim in left:
            there = claim.id in self.arrived
            verdict = Verdict.APPLIED if there else Verdict.NOT_APPLIED

            async def seen(_target: Target, verdict: Verdict = verdict) -> Finding:
                return Finding(verdict)

            self.here.lamps.look = seen
            await self.here.registry.reconcile(claim)

    def check(self) -> None:
        """No day's acts come to more than its budget."""
        over = {day: n for day, n in self.calls.items() if n > CALLS}
        over |= {day: n for day, n in self.bytes.items() if n > BYTES}
        assert not over


@asynccontextmanager
async def world() -> AsyncGenerator[World]:
    watch = Watch(LATE)
    with tempfile.TemporaryDirectory() as folder:
        furnish(Path(folder))
        database = Database(SqliteFile(database_file(Path(folder))))
        clock = Clock(now=watch.now, monotonic=watch.monotonic)
        ledger = Ledger(database, Engine(database, clock), clock=clock)
        try:
            lamps = Lamps()
            here = house(ledger, lamps.spec(plan=None, timeout=30), lamps=lamps)
            grant = await granted(here, calls=CALLS, size=BYTES)
            made = World(here, watch, grant.id)
            lamps.act = made.act
            yield made
        finally:
            database.close()


async def lived(history: Sequence[Step]) -> World:
    with anyio.fail_after(30):
        async with world() as now:
            for step in history:
                await now.take(step)
                now.check()
            return now


FULL = Calls(((10, "done"),) * 6)
DEAR = Calls(((70, "done"), (40, "done")))


KNOWN: tuple[list[Step], ...] = (
    [FULL, Jump(timedelta(seconds=2)), FULL, Jump(timedelta(seconds=-2)), FULL],
    [DEAR, Jump(timedelta(days=1)), DEAR, Jump(timedelta(days=-1)), DEAR],
    [Calls(((70, "never arrived"),)), DEAR, Look(), Jump(JUMPS[0]), DEAR],
    [Calls(((40, "lost"),) * 5, timedelta(seconds=2)), Look(), DEAR, Look(), DEAR],
    [Calls(((70, "partly"),)), DEAR, DEAR],
)


def nothing(_conn: Snapshot, _id: str, _at: datetime) -> Used:
    """What a build without the count would find."""
    return Used(0, 0)


@pytest.mark.promise("E5")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories)
def test_no_history_of_calls_jumps_and_failures_overspends_a_day(history: list[Step]) -> None:
    anyio.run(lived, history)


@pytest.mark.promise("E5")
@pytest.mark.parametrize("history", KNOWN)
def test_midnight_a_clock_set_back_and_lost_answers_overspend_nothing(history: list[Step]) -> None:
    anyio.run(lived, history)


@pytest.mark.promise("E5", control=True)
@pytest.mark.parametrize("history", KNOWN)
def test_without_the_count_the_same_histories_overspend(
    monkeypatch: pytest.MonkeyPatch, history: list[Step], tally: Tally
) -> None:
    monkeypatch.setattr(granting.grants, "used", nothing)
    with pytest.raises(AssertionError):
        anyio.run(lived, history)
    tally.add(1, 1)


def test_a_whole_budget_can_be_used_and_the_rest_is_refused() -> None:
    now = anyio.run(lived, [FULL, Jump(timedelta(seconds=2)), FULL])
    assert (sorted(now.calls.values()), now.refused) == ([CALLS, CALLS], 4)


@pytest.mark.promise("E5")
@pytest.mark.anyio
async def test_two_processes_on_one_ledger_share_one_budget(postgres: Server) -> None:
    place = postgres.create()
    try:
        with ExitStack() as stack:
            houses = [_opened(stack, place) for _ in range(2)]
            await granted(houses[0], calls=CALLS, size=BYTES)
            outcomes: list[AnyOutcome] = []

            async def light(here: House, name: str) -> None:
                here.lamps.reach[name] = Reach(bytes=10)
                outcomes.append(await here.light(name, actor=PHONE))

            with anyio.fail_after(20):
                async with anyio.create_task_group() as callers:
                    for n in range(12):
                        callers.start_soon(light, houses[n % 2], f"lamp {n}")
        done = [one for one in outcomes if isinstance(one, Succeeded)]
        over = [one for one in outcomes if isinstance(one, Refused)]
        assert len(done) == len(houses[0].lamps.lit) + len(houses[1].lamps.lit) == CALLS
        assert {one.code for one in over} == {Code.BUDGET_EXCEEDED}
    finally:
        postgres.drop(place)


def _opened(stack: ExitStack, place: Location) -> House:
    database = Database(place)
    stack.callback(database.close)
    ledger = Ledger(database, Engine(database))
    lamps = Lamps()
    return house(ledger, lamps.spec(plan=None), lamps=lamps)
