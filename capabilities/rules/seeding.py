"""How much is given back before a download may go from its client."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from capabilities.rules.problems import Problem, refuse
from capabilities.rules.satisfiable_numbers import within

MOST_RATIO: Final = 1_000
MOST_MINUTES: Final = 60 * 24 * 3_650
_HOUR: Final = 60
_DAY: Final = 24
_DAYS_FROM: Final = 48


class WhenSeeded(StrEnum):
    """What becomes of a download that has given what it should."""

    KEEP = "keep"
    ASK_TO_REMOVE = "ask_to_remove"


@dataclass(frozen=True, slots=True)
class SeedingGoals:
    """What a download is to give before it is done; none by default.

    Attributes:
        ratio: bytes given over bytes taken; None for no such goal.
        minutes: for which it was complete and running; None for no such goal.
        both: whether both must be reached, as some trackers ask, and not just one of them.
        then: what happens once they are; removing always asks.

    Raises:
        UnsatisfiableError: a goal that is none, or `both` of fewer than two.
    """

    ratio: float | None = None
    minutes: int | None = None
    both: bool = False
    then: WhenSeeded = WhenSeeded.KEEP

    def __post_init__(self) -> None:
        """Refuse goals that say nothing."""
        refuse(self._problems())

    def _problems(self) -> Iterator[Problem]:
        if self.ratio is not None and not 0 < self.ratio <= MOST_RATIO:
            why = "it is bytes given over bytes taken"
            cure = f"write a number above 0 and at most {MOST_RATIO}, or leave it out"
            yield Problem("seeding.ratio", why, cure)
        yield from within("seeding.minutes", self.minutes, 1, MOST_MINUTES)
        if self.both and (self.ratio is None or self.minutes is None):
            why = "there are not two goals"
            yield Problem("seeding.both", why, "give a ratio and minutes, or leave it out")
        if self.then is WhenSeeded.ASK_TO_REMOVE and self.ratio is None and self.minutes is None:
            why = "without a goal it is never asked"
            yield Problem("seeding.then", why, "give a ratio or minutes")

    def reached(self, ratio: float, seeding_s: int) -> bool:
        """Whether enough was given; never where there is no goal.

        Args:
            ratio: bytes given over bytes taken.
            seeding_s: seconds for which it was complete and running.
        """
        met = [
            goal
            for asked, goal in (
                (self.ratio, self.ratio is not None and ratio >= self.ratio),
                (self.minutes, self.minutes is not None and seeding_s >= self.minutes * 60),
            )
            if asked is not None
        ]
        return bool(met) and (all(met) if self.both else any(met))

    def progress(self, ratio: float, seeding_s: int) -> str:
        """How far a download is, as a sentence; the same arguments as for `reached`."""
        told = [
            words
            for asked, words in (
                (self.ratio, f"a ratio of {ratio:.2f} of {self.ratio or 0:.2f}"),
                (self.minutes, f"{spent(seeding_s)} of {spent((self.minutes or 0) * 60)}"),
            )
            if asked is not None
        ]
        if not told:
            return f"No goal is set; it has a ratio of {ratio:.2f} after {spent(seeding_s)}."
        enough = "both are asked" if self.both else "one of them is enough"
        line = f"It has seeded {' and '.join(told)}"
        line = f"{line}; {enough}." if len(told) > 1 else f"{line}."
        if not self.reached(ratio, seeding_s):
            return line
        asks = self.then is WhenSeeded.ASK_TO_REMOVE
        then = "you are asked whether it may go" if asks else "it is kept"
        return f"{line} The goal is reached: {then}."


@dataclass(frozen=True, slots=True)
class Floor:
    """The least that a private tracker asks of everybody; None for what it does not say.

    Where it names both, both are kept to: to be asked about a removal too late costs nothing.
    """

    ratio: float | None = None
    seeding_s: int | None = None

    def kept(self, ratio: float, seeding_s: int) -> bool:
        """Whether that much was given; always where nothing is asked."""
        enough = self.ratio is None or ratio >= self.ratio
        return enough and (self.seeding_s is None or seeding_s >= self.seeding_s)


def gave_enough(
    goals: SeedingGoals, floor: Floor, ratio: float, seeding_s: int, *, stopped_at_limit: bool
) -> bool:
    """Whether a download may be asked about: by our goals, or by a stricter limit of its client.

    Never below the floor of its tracker, whoever stopped it.
    """
    enough = goals.reached(ratio, seeding_s) or stopped_at_limit
    return enough and floor.kept(ratio, seeding_s)


def spent(seconds: int) -> str:
    """A time as a person says it: "40 min", "3 h", "12 d"."""
    minutes = seconds // 60
    if minutes < _HOUR:
        return f"{minutes} min"
    hours = minutes // _HOUR
    return f"{hours} h" if hours < _DAYS_FROM else f"{hours // _DAY} d"
