"""One death after another, two at a time, and what came of them all."""

import shutil
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TypeVar

import anyio

from tests.crash.driver import (
    After,
    Outcome,
    Theatre,
    Zygote,
    ended,
    play_through,
    recovered,
    spoken,
    zygote,
)
from tests.crash.place import Place
from tests.crash.tracing import KILL, Point, Reached, attached, reached
from world.client_double import Arrival

T = TypeVar("T")

AT_A_TIME = 2
QUIET = frozenset(
    {"access", "brk", "futex", "getpid", "getrandom", "madvise", "mmap", "mprotect", "munmap"}
)
"""Calls that neither change nor exchange anything: a death there is one at their neighbour's."""


@dataclass(frozen=True, slots=True)
class Harm:
    """What is done to a process, and where.

    Attributes:
        what: as strace injects it: death, or an error instead of a call.
        lasting: from there on, rather than once.
        first: at which named moment the process before died, so that this one recovers.
        build: which promise is broken, in a control.
    """

    play: str
    point: Point
    arrival: Arrival = Arrival.AT_ONCE
    build: str = "sound"
    what: str = KILL
    lasting: bool = False
    first: str = ""

    @property
    def injection(self) -> str:
        """As strace takes it."""
        return self.point.injecting(self.what, lasting=self.lasting)

    def __str__(self) -> str:
        """For a report."""
        first = f" after {self.first}" if self.first else ""
        return f"{self.play}{first}, {self.injection}, {self.arrival}, {self.build}"


@dataclass(slots=True)
class Tally:
    """What came of many deaths.

    Attributes:
        points: where a process was to come to harm.
        kills: how often it died of it.
        loud: how often it was answered as anything but done.
        counted: how many of these fell between the claim and the settlement.
        after_effect: how many of those fell after the effect.
        left: how the claims ended, once recovery was done.
        untried: how many were still to come when time was up.
        broken: promises that did not hold, by kind.
        reports: the same in words.
    """

    points: int = 0
    kills: int = 0
    loud: int = 0
    counted: int = 0
    after_effect: int = 0
    by_play: Counter[str] = field(default_factory=Counter[str])
    left: Counter[str] = field(default_factory=Counter[str])
    untried: int = 0
    broken: Counter[str] = field(default_factory=Counter[str])
    reports: list[str] = field(default_factory=list[str])

    def __str__(self) -> str:
        """For whoever waits."""
        counted = f"{self.counted} counted, {self.after_effect} after the effect"
        over = f", {self.untried} not tried: time was up" if self.untried else ""
        broken = f"{len(self.reports)} broken{over}"
        return f"{self.points} points, {self.kills} killed, {counted}, {broken}"

    def take(self, harm: Harm, after: After, outcome: Outcome) -> None:
        """Add one."""
        play = harm.play
        self.points += 1
        self.kills += after.killed
        self.loud += not after.killed and after.answer != "succeeded"
        counted = after.killed and outcome.counted
        self.counted += counted
        self.by_play[play] += counted
        self.after_effect += counted and outcome.after_effect
        self.left[f"{play}: {outcome.left}"] += 1
        self.fail(f"{harm} (ended with {after.status})", outcome.broken, after.place.folder)

    def fail(self, where: str, broken: Iterable[str], folder: Path) -> None:
        """Add what did not hold, each as ``kind: sentence``."""
        for each in broken:
            self.broken[each.partition(":")[0]] += 1
            self.reports.append(f"{where}: {each} ({folder})")


async def run_of(theatre: Theatre, forks: Zygote, play: str, first: str = "") -> list[Reached]:
    """Every point of a play that nobody disturbs, or of the recovery from its ``first`` death."""
    place = theatre.place()
    order = await _up_to(theatre, forks, play, place, first)
    told = await forks.order(**order)
    trace = place.folder / "trace"
    async with attached(told["pid"], trace):
        await forks.release()
        await ended(theatre, forks, play, place)
    return reached(trace)


async def suffers(theatre: Theatre, forks: Zygote, harm: Harm) -> tuple[After, Outcome]:
    """Do it harm there, start again, and judge."""
    place = theatre.place(arrival=harm.arrival)
    order = await _up_to(theatre, forks, harm.play, place, harm.first)
    told = await forks.order(**order, build=harm.build)
    quiet = f"trace={harm.point.call}"
    async with attached(told["pid"], place.folder / "trace", quiet, harm.injection):
        await forks.release()
        after = await ended(theatre, forks, harm.play, place)
    outcome = await recovered(theatre, forks, after, build=harm.build)
    if not outcome.broken:
        shutil.rmtree(place.folder)
    return after, outcome


async def _up_to(
    theatre: Theatre, forks: Zygote, play: str, place: Place, first: str
) -> dict[str, object]:
    """The order of the process that is looked at: the one that acts, or the one after its death."""
    if not first:
        return spoken(play, place, "act", furnish=True, hold=True, marked=True)
    await play_through(theatre, forks, play, place, fault=f"{first}:kill")
    return spoken(play, place, "recover", hold=True, marked=True)


async def sweep(theatre: Theatre, harms: Iterable[Harm], within_s: float) -> Tally:
    """Do all this harm, as far as time allows."""
    tally = Tally()

    async def do(forks: Zygote, harm: Harm) -> None:
        tally.take(harm, *await suffers(theatre, forks, harm))

    tally.untried = await two_at_a_time(harms, do, within_s)
    return tally


async def two_at_a_time(
    items: Iterable[T], do: Callable[[Zygote, T], Awaitable[None]], within_s: float
) -> int:
    """Work through the items, each worker with a zygote of its own, until time is up.

    Returns how many were left then.
    """
    waiting, over = deque(items), monotonic() + within_s

    async def work() -> None:
        async with zygote() as forks:
            while waiting and monotonic() < over:
                await do(forks, waiting.popleft())

    async with anyio.create_task_group() as workers:
        for _ in range(AT_A_TIME):
            workers.start_soon(work)
    return len(waiting)
