"""What is missing of a work: what has aired and is wanted, without what is there or on its way.

Sets throughout, never counts: a library that lists one episode twice has it once.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final

from capabilities.rules.targets import FILM, Target
from capabilities.rules.works import Season, Work, WorkKind

SETTLING: Final = timedelta(days=30)
"""After the last episode aired, for as long as a source may still learn of further ones."""


@dataclass(frozen=True, slots=True)
class EpisodeRange:
    """The episodes of a season that are wanted; ``last`` is None for all that come."""

    first: int = 1
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the owner wants of a work.

    Attributes:
        ranges: by season; a season that is not in it is not wanted. None for every regular one.
        totals: the owner's own number of episodes by season; it stands against the source's.
        not_wanted: targets that the owner gave up, by deleting them or by saying so.
    """

    ranges: Mapping[int, EpisodeRange] | None = None
    totals: Mapping[int, int] = field(default_factory=dict[int, int])
    not_wanted: Collection[Target] = frozenset()


@dataclass(frozen=True, slots=True)
class Missing:
    """What is to be fetched, and whether that is the end of it.

    Attributes:
        targets: the missing ones.
        open: whether something may still come, or the facts contradict each other: nothing may be
            closed then, however little is missing.
        remarks: why it stays open and what was ignored, for a person.
    """

    targets: frozenset[Target]
    open: bool
    remarks: tuple[str, ...] = ()


def missing(
    work: Work,
    wanted: Wanted,
    *,
    on_disk: Collection[Target],
    in_flight: Collection[Target],
    today: date,
    reported: Collection[Target] | None = None,
) -> Missing:
    """Work out what is missing of a work.

    Args:
        work: with its seasons, as the source knows them now.
        wanted: what the owner wants.
        on_disk: what stands on the shelf.
        in_flight: what is being downloaded or imported.
        today: where the household lives.
        reported: what a media server says it has, where one was asked.
    """
    there = {*on_disk, *in_flight}
    if work.key.kind is WorkKind.FILM:
        gone = frozenset({FILM}) - there - set(wanted.not_wanted)
        return Missing(gone, open=bool(gone), remarks=())
    remarks: list[str] = []
    aired: set[Target] = set()
    for season in _seasons(work, wanted):
        aired |= _aired(season, wanted, today)
        remarks += _doubts(season, wanted, set(on_disk), today)
    known = {season.number for season in work.seasons}
    for number in sorted(set(wanted.ranges or ()) - known):
        remarks.append(f"season {number}: the metadata source does not know it")
    if reported is not None and set(reported) != set(on_disk):
        remarks.append("the media server and the shelf do not say the same")
    targets = frozenset(aired - there - set(wanted.not_wanted))
    return Missing(targets, open=bool(targets or remarks), remarks=tuple(remarks))


def _seasons(work: Work, wanted: Wanted) -> Iterator[Season]:
    for season in work.seasons:
        if season.number in wanted.ranges if wanted.ranges is not None else season.number > 0:
            yield season


def _total(season: Season, wanted: Wanted) -> int:
    listed = max((one.number for one in season.episodes), default=0)
    return wanted.totals.get(season.number, max(season.episode_count, listed))


def _range(season: Season, wanted: Wanted) -> EpisodeRange:
    return EpisodeRange() if wanted.ranges is None else wanted.ranges[season.number]


def _aired(season: Season, wanted: Wanted, today: date) -> set[Target]:
    """An episode that the source does not list has aired when nothing says that it has not."""
    numbers, total = _range(season, wanted), _total(season, wanted)
    dates = {one.number: one.air_date for one in season.episodes}
    last = total if numbers.last is None else min(numbers.last, total)
    listed = bool(season.episodes)
    return {
        (season.number, number)
        for number in range(numbers.first, last + 1)
        if (not listed or number in dates) and not _is_to_come(dates.get(number), today, listed)
    }


def _is_to_come(aired: date | None, today: date, listed: bool) -> bool:
    return listed if aired is None else aired > today


def _doubts(season: Season, wanted: Wanted, on_disk: set[Target], today: date) -> Iterator[str]:
    numbers, total = _range(season, wanted), _total(season, wanted)
    name = f"season {season.number}"
    if numbers.first > total or (numbers.last is not None and numbers.last < numbers.first):
        only = numbers.first == numbers.last
        said = f"{numbers.first} is" if only else f"{numbers.first} and later are"
        yield f"{name}: episode {said} wanted, and it has {total}"
    beyond = sorted(one for of, one in on_disk if of == season.number and one > total)
    if beyond:
        told = ", ".join(str(number) for number in beyond[:5])
        yield f"{name} has {total} episodes, and episode {told} is on the shelf; it is ignored"
    if season.number in wanted.totals:
        return
    dates = [one.air_date for one in season.episodes]
    if not dates or any(one is None or one > today for one in dates):
        yield f"{name}: not every episode has aired, or is known to have"
    elif max(one for one in dates if one is not None) > today - SETTLING:
        yield f"{name}: its last episode aired lately, so further ones may be announced"
