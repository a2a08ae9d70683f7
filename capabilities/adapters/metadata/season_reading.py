"""The episodes of the seasons that may still be on the air: works are kept without them."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Final

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.rules.works import Season, Work, WorkKind

LATEST: Final = 2
"""Seasons from the end: the last one may only be announced while the one before it runs."""
MOST_NEAR: Final = 3
"""Seasons whose episodes are asked for, to find one by its day."""


async def with_latest_seasons(work: Work, asked: int | None, catalogue: Catalogue) -> Work:
    """A series with the episodes of its latest seasons, and of one that is asked for.

    A film comes back as it is. A season that its source does not know stays as it is.

    Raises:
        WorldFaultError: the work's own source is not set up, or did not answer.
    """
    if work.key.kind is not WorkKind.SERIES:
        return work
    regular = sorted(season.number for season in work.seasons if season.number > 0)
    return await with_seasons(work, {*regular[-LATEST:], asked}, catalogue)


async def with_seasons_near(work: Work, day: date, catalogue: Catalogue) -> Work:
    """A series with the episodes of the latest seasons that may have been aired on that day.

    Raises:
        WorldFaultError: the work's own source is not set up, or did not answer.
    """
    near = [
        season.number
        for season in work.seasons
        if season.year is None or season.year - 1 <= day.year <= season.year + 1
    ]
    return await with_seasons(work, sorted(near, reverse=True)[:MOST_NEAR], catalogue)


async def with_seasons(work: Work, numbers: Iterable[int | None], catalogue: Catalogue) -> Work:
    """A series with the episodes of some of its seasons, where they are not there yet.

    Raises:
        WorldFaultError: the work's own source is not set up, or did not answer.
    """
    wanted = set(numbers)
    told: dict[int, Season] = {}
    for season in work.seasons:
        if season.number in wanted and not season.episodes:
            full = await catalogue.season(work.key, season.number)
            if full is not None:
                told[season.number] = full
    seasons = tuple(told.get(season.number, season) for season in work.seasons)
    return replace(work, seasons=seasons)
