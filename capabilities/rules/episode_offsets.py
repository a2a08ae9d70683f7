"""The owner's own offsets: where numbers that names count otherwise stand in a work's seasons.

One line says one run of numbers by its first one::

    tmdb:series:204832 S02E01 = S01E13        from there on
    tmdb:series:204832 S02E01-E12 = S01E13    twelve numbers
    tmdb:series:95479 25-47 = S02E01          numbers without a season
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from capabilities.rules.episode_orders import Place
from capabilities.rules.problems import WrongLinesError

MOST_OFFSETS: Final = 500
_LINE: Final = re.compile(
    r"\s*(\w{2,20}:series:\w{1,18})\s+(?:S(\d{1,3}))?E?(\d{1,4})(?:-E?(\d{1,4}))?"
    r"\s*=\s*S(\d{1,3})E(\d{1,4})\s*",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class EpisodeOffset:
    """One run of numbers.

    Attributes:
        work: the key of the series, such as ``tmdb:series:204832``.
        season: as names say it; None for numbers that names give no season.
        first: number that names give the first episode of the run.
        last: number of the last one; None where the run has no end.
        place: where the first one stands.

    Raises:
        ValueError: the run ends before it begins.
    """

    work: str
    season: int | None
    first: int
    last: int | None
    place: Place

    def __post_init__(self) -> None:
        """Refuse a run of nothing."""
        if self.last is not None and self.last < self.first:
            raise ValueError(f"{self.first}-{self.last} ends before it begins")

    def place_of(self, season: int | None, number: int) -> Place | None:
        """Where a number of a name stands; None where this run does not hold it."""
        held = season == self.season and self.first <= number <= (self.last or number)
        return Place(self.place.season, self.place.episode + number - self.first) if held else None

    def __str__(self) -> str:
        """The one written form."""
        season, sign = ("", "") if self.season is None else (f"S{self.season:02}", "E")
        last = "" if self.last is None else f"-{sign}{self.last:02}"
        said = f"{season}{sign}{self.first:02}{last}"
        return f"{self.work} {said} = S{self.place.season:02}E{self.place.episode:02}"


def offset_from(line: str) -> EpisodeOffset:
    """The offset of a line.

    Raises:
        ValueError: it is no such line; the sentence shows a right one.
    """
    found = _LINE.fullmatch(line)
    if not found:
        raise ValueError(
            f'"{line[:60]}" is no offset; write tmdb:series:204832 S02E01-E12 = S01E13'
        )
    work, season, first, last, to_season, to_episode = found.groups()
    return EpisodeOffset(
        work.lower(),
        None if season is None else int(season),
        int(first),
        None if last is None else int(last),
        Place(int(to_season), int(to_episode)),
    )


def offsets_from(lines: Iterable[str]) -> tuple[EpisodeOffset, ...]:
    """The offsets of all lines; empty ones are left out.

    Raises:
        WrongLinesError: names every wrong line by its number, from 1, and every number said twice.
        ValueError: they are too many.
    """
    found: list[EpisodeOffset] = []
    bad: dict[int, str] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found.append(_beside(offset_from(line), found))
        except ValueError as wrong:
            bad[number] = str(wrong)
    if bad:
        raise WrongLinesError(bad)
    if len(found) > MOST_OFFSETS:
        raise ValueError(f"there are more than {MOST_OFFSETS} offsets")
    return tuple(found)


def _beside(offset: EpisodeOffset, others: list[EpisodeOffset]) -> EpisodeOffset:
    for other in others:
        same = (offset.work, offset.season) == (other.work, other.season)
        ends = (offset.last or _NEVER, other.last or _NEVER)
        if same and offset.first <= ends[1] and other.first <= ends[0]:
            raise ValueError(f'it says other places for numbers that "{other}" has')
    return offset


_NEVER: Final = 1_000_000
