"""Whether a video lasts as long as what it is taken for."""

from collections.abc import Sequence
from typing import Final

from capabilities.rules.works import Work, WorkKind

LEAST: Final = 0.6
"""Of the expected time. Listed running times often count the advertisements of the broadcast."""
MOST: Final = 1.75
ALLOWANCE_S: Final = 300.0
"""An extended cut lasts up to this much longer; two episodes in place of one last longer still."""


def expected_minutes(work: Work, season: int, episodes: Sequence[int]) -> int | None:
    """How long a file with a film, or with these episodes, should last; None where nobody says.

    Episodes count by their own running time, else by that of the series; a special, whose length
    says nothing about the series, by its own only.
    """
    if work.key.kind is WorkKind.FILM:
        return work.runtime_minutes or None
    own = {
        (one.number, episode.number): episode.runtime_minutes
        for one in work.seasons
        for episode in one.episodes
    }
    otherwise = work.runtime_minutes if season else None
    minutes = [own.get((season, number)) or otherwise or 0 for number in episodes]
    return sum(minutes) if minutes and all(minutes) else None


def length_problem(duration_s: float | None, minutes: int | None) -> str | None:
    """What is wrong with a duration, as a sentence; None where it is right or nobody can say."""
    if duration_s is None or minutes is None:
        return None
    expected_s = minutes * 60
    if LEAST * expected_s <= duration_s <= MOST * expected_s + ALLOWANCE_S:
        return None
    short = duration_s < expected_s
    return (
        f"It lasts {_spoken(duration_s)} where {minutes} min are expected: "
        f"{'a part of it, or something else' if short else 'more than that, or something else'}."
    )


def _spoken(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 60 else f"{seconds:.0f} s"  # noqa: PLR2004
