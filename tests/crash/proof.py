"""The whole proof: deaths, requests in flight, disks that fail, migrations, and the controls."""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import anyio
from pydantic import TypeAdapter

from tests.crash.cast import CAST
from tests.crash.driver import Theatre, theatre, zygote
from tests.crash.migrating import SPOILT, Hurt, hurt_all, migration_points, old_ledger, two_at_once
from tests.crash.sweep import QUIET, Harm, Tally, run_of, sweep
from tests.crash.tracing import KILL, Point, Reached, spread, under_claim, waits
from world.client_double import Arrival

LATE = (Arrival.AFTER_A_LOOK, Arrival.AFTER_THE_NEXT, Arrival.NEVER)
REMOTE = ("submit", "button")
RECOVERIES = (
    ("submit", "claimed:1"),
    ("submit", "answered:1"),
    ("hardlink", "named:1"),
    ("button", "answered:1"),
)
WRITES = ("pwrite64", "fdatasync")
SPOILED = {"submit": WRITES, "hardlink": WRITES, "copy": ("write", "fsync", "linkat")}
"""On which disk calls of which play errors are injected: those of the ledger, and of the shelf."""
DUPLICATE = "duplicate"
KINDS = (DUPLICATE, "lost", "lied", "corrupt", "not recovered", "wrong", "history")
"""What may not hold: an act done twice, called done and not done, answered as done and not settled
so, a damaged file, a claim that nothing settles and nobody is asked about, something in the world
that must never be seen, a ledger whose history cannot be."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is proven.

    Attributes:
        counted: so many deaths must have fallen between a claim and its settlement.
        local: points of each play on the shelf.
        quiet: whether deaths at calls that change nothing are of interest.
        recovery: points of each recovery.
        waits: points of each play and arrival with a request that may be in flight.
        spoilt: points of each play, call and error on a failing disk.
        migrations: kills of a migration.
        controls: points of each control.
        within_s: when to give up.
    """

    counted: int
    local: int
    quiet: bool
    recovery: int
    waits: int
    spoilt: int
    migrations: int
    controls: int
    within_s: float


ORDINARY = Size(
    counted=500,
    local=110,
    quiet=False,
    recovery=15,
    waits=8,
    spoilt=4,
    migrations=40,
    controls=16,
    within_s=700,
)
FULL = Size(
    counted=2000,
    local=650,
    quiet=True,
    recovery=200,
    waits=40,
    spoilt=25,
    migrations=1000,
    controls=60,
    within_s=5400,
)


@dataclass(frozen=True, slots=True)
class Control:
    """A broken build, the play it is tried in, and what the same harness must see there.

    Attributes:
        calls: at which of them; all if there are none.
        arrival: as in a `Harm`; a late one makes it a control of requests in flight.
        what: likewise.
    """

    build: str
    play: str
    must_see: str
    calls: frozenset[str] = frozenset()
    arrival: Arrival = Arrival.AT_ONCE
    what: str = KILL

    @property
    def name(self) -> str:
        """For a report."""
        late = "" if self.arrival is Arrival.AT_ONCE else " in flight"
        return f"{self.build}, {self.play}{late}"

    def harms(self, run: Sequence[Reached]) -> list[Harm]:
        """All that may be tried."""
        points = _worth(run, quiet=False) if self.arrival is Arrival.AT_ONCE else waits(run)[-1:]
        return [
            Harm(self.play, each, self.arrival, self.build, self.what, lasting=self.what != KILL)
            for each in points
            if not self.calls or each.call in self.calls
        ]


CONTROLS = (
    Control("without_looking", "submit", DUPLICATE),
    Control("without_looking", "button", DUPLICATE),
    Control("without_claims", "button", DUPLICATE),
    Control("without_looking", "button", DUPLICATE, arrival=Arrival.NEVER),
    Control("in_place", "copy", "wrong", frozenset({"write", "fsync", "close"})),
    Control("boasting", "submit", "lied", frozenset({"pwrite64"}), what="error=ENOSPC"),
)
PIECEMEAL = "piecemeal, migration"


@dataclass(slots=True)
class Proven:
    """What was seen, part by part.

    Attributes:
        controls: by build and play, how often the harness saw what it had to see.
        failures: every sentence that makes this no proof.
    """

    seed: int
    full: bool
    seconds: float = 0.0
    parts: dict[str, Tally] = field(default_factory=dict[str, Tally])
    controls: dict[str, int] = field(default_factory=dict[str, int])
    failures: list[str] = field(default_factory=list[str])

    def count(self, kind: str) -> int:
        """How often a promise of this kind did not hold."""
        return sum(tally.broken[kind] for tally in self.parts.values())

    def summary(self) -> dict[str, object]:
        """The figures in one line each, then everything."""
        kills = self.parts["kills"]
        return {
            "points": sum(tally.points for tally in self.parts.values()),
            "kills": sum(tally.kills for tally in self.parts.values()),
            "counted": kills.counted,
            "after_effect": kills.after_effect,
            **{kind.replace(" ", "_"): self.count(kind) for kind in KINDS},
            "control_duplicates": sum(
                self.controls.get(each.name, 0) for each in CONTROLS if each.must_see == DUPLICATE
            ),
            **TypeAdapter(Proven).dump_python(self, mode="json"),
        }

    def written(self, path: Path) -> None:
        """Keep the summary as JSON."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self.summary(), indent=1) + "\n", encoding="utf-8")


def _keep_quiet(line: str) -> None:
    del line


async def proven(
    folder: Path, *, full: bool, seed: int, tell: Callable[[str], None] = _keep_quiet
) -> Proven:
    """Prove it all, below an empty ``folder``; the seed says in which order.

    ``tell`` hears a line about each part that is done.
    """
    began, size, told = monotonic(), FULL if full else ORDINARY, Proven(seed, full)
    chance = random.Random(seed)  # noqa: S311  # it is an order, not a secret

    def left_s() -> float:
        return max(0.0, began + size.within_s - monotonic())

    async with theatre(folder) as stage:
        async with zygote() as forks:
            runs = {play: await run_of(stage, forks, play) for play in CAST}
            again = {
                (play, first): await run_of(stage, forks, play, first) for play, first in RECOVERIES
            }
        # First: a proof that time cuts short is none if nobody saw that it can fail.
        for control in CONTROLS:
            some = spread(control.harms(runs[control.play]), size.controls)
            tally = await sweep(stage, some, left_s())
            told.controls[control.name] = tally.broken[control.must_see]
        tried, control = await _migrations(stage, size, left_s())
        told.parts["migration"], told.controls[PIECEMEAL] = tried, control.broken["wrong"]
        tell(f"migration: {tried}")
        for name, harms in [*_harms(runs, size).items(), ("recovery", _in_recovery(again, size))]:
            chance.shuffle(harms)
            told.parts[name] = await sweep(stage, harms, left_s())
            tell(f"{name}: {told.parts[name]}")
    told.seconds = round(monotonic() - began, 1)
    told.failures = _failures(told, size)
    return told


def _harms(runs: dict[str, list[Reached]], size: Size) -> dict[str, list[Harm]]:
    claimed = {play: _worth(run, quiet=size.quiet) for play, run in runs.items()}
    return {
        "kills": [
            Harm(play, point)
            for play, points in claimed.items()
            for point in (points if play in REMOTE else spread(points, size.local))
        ],
        "in_flight": [
            Harm(play, point, arrival=arrival)
            for play in REMOTE
            for arrival in LATE
            for point in _last_of(waits(runs[play]), size.waits)
        ],
        "disk": [
            Harm(play, point, what=error, lasting=lasting)
            for play, calls in SPOILED.items()
            for call in calls
            for error in SPOILT
            for lasting in (False, True)
            for point in spread([each for each in claimed[play] if each.call == call], size.spoilt)
        ],
    }


def _in_recovery(runs: dict[tuple[str, str], list[Reached]], size: Size) -> list[Harm]:
    """A second death, of the process that recovers from the first one."""
    return [
        Harm(play, point, first=first)
        for (play, first), run in runs.items()
        for point in spread(
            [each.point for each in run if each.point.call not in QUIET], size.recovery
        )
    ]


def _worth(run: Sequence[Reached], *, quiet: bool) -> list[Point]:
    points = [each.point for each in under_claim(run)]
    return [point for point in points if quiet or point.call not in QUIET]


def _last_of(points: list[Point], wanted: int) -> list[Point]:
    """Some of them, and surely the last one: there the request is in flight."""
    return [*spread(points[:-1], wanted - 1), points[-1]]


async def _migrations(stage: Theatre, size: Size, within_s: float) -> tuple[Tally, Tally]:
    """What came of migrations that were hurt, and of the same deaths in the control build."""
    old = await anyio.to_thread.run_sync(old_ledger, stage.folder / "old")
    async with zygote() as first, zygote() as second:
        points = await migration_points(stage, first, old)
        together = await two_at_once(stage, first, second, old)
    kills = [Hurt(point) for point in spread(points, size.migrations)]
    spoilt = [
        Hurt(point, error, lasting)
        for call in WRITES
        for error in SPOILT
        for lasting in (False, True)
        for point in spread([each for each in points if each.call == call], size.spoilt)
    ]
    tally = await hurt_all(stage, old, [*kills, *spoilt], within_s)
    tally.fail("two migrations at once", together, stage.folder)
    some = [Hurt(point, build="piecemeal") for point in spread(points, size.controls)]
    return tally, await hurt_all(stage, old, some, within_s)


def _failures(told: Proven, size: Size) -> list[str]:
    kills = told.parts["kills"]
    failures = [report for tally in told.parts.values() for report in tally.reports]
    if kills.counted < size.counted:
        failures.append(f"only {kills.counted} deaths counted, of {size.counted}")
    if not kills.after_effect or kills.after_effect == kills.counted:
        failures.append("all deaths fell on one side of the effect")
    blind = [name for name, seen in told.controls.items() if not seen]
    return failures + [f"the control build {name} was not caught" for name in blind]
