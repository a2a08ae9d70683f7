"""TVmaze's shows as works."""

from collections.abc import Iterator
from typing import Final

from capabilities.adapters.metadata.markup import without_markup
from capabilities.adapters.metadata.tvmaze_answers import EpisodeRow, Episodes, Show
from capabilities.rules.works import Episode, Season, Title, TitleKind, Work, WorkKey, WorkKind

SOURCE: Final = "tvmaze"


def work_from_show(show: Show) -> Work:
    """A series; its titles by country, and its seasons where they were embedded.

    TVmaze gives no language of a title. The titles by country are alternative ones.
    """
    return Work(
        key=WorkKey(SOURCE, WorkKind.SERIES, str(show.id)),
        title=show.name,
        year=show.premiered.year if show.premiered else None,
        titles=tuple(_titles(show)),
        seasons=tuple(_seasons(show)),
        external_ids=_external_ids(show),
        runtime_minutes=show.average_runtime or show.runtime,
        overview=without_markup(show.summary),
    )


def season_from(episodes: Episodes, number: int) -> Season | None:
    """A season with its numbered episodes; None when none is listed.

    TVmaze gives specials no numbers, so there is no season 0 of them.
    """
    listed = [row for row in episodes.items if row.season == number and row.number is not None]
    if not listed:
        return None
    days = (row.air_date for row in listed)
    return Season(
        number=number,
        year=next((day.year for day in days if day), None),
        episode_count=len(listed),
        episodes=tuple(_episode(row, row.number) for row in listed if row.number is not None),
    )


def _titles(show: Show) -> Iterator[Title]:
    yield Title(show.name, TitleKind.MAIN)
    for aka in show.embedded.akas:
        if aka.name and aka.name != show.name:
            yield Title(aka.name, TitleKind.ALTERNATIVE)


def _seasons(show: Show) -> Iterator[Season]:
    for row in show.embedded.seasons:
        if row.number is not None:
            year = row.premiered.year if row.premiered else None
            yield Season(row.number, year, row.episode_order or 0)


def _external_ids(show: Show) -> dict[str, str]:
    ids = {"imdb": show.externals.imdb, "tvdb": show.externals.thetvdb}
    return {source: str(number) for source, number in ids.items() if number}


def _episode(row: EpisodeRow, number: int) -> Episode:
    return Episode(number, row.name, row.air_date, row.runtime)
