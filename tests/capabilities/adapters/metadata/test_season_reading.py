from dataclasses import replace
from datetime import date

import pytest

from capabilities.adapters.metadata.season_reading import (
    with_latest_seasons,
    with_seasons,
    with_seasons_near,
)
from capabilities.kernel.faults import UnreachableError
from capabilities.rules.works import Season, Work, WorkKind
from tests.capabilities.adapters.metadata.test_catalogue import BROKEN, LANTERN, shelf
from tests.capabilities.rules.shelf import SINTEL

pytestmark = pytest.mark.anyio


def told(work: Work) -> list[int]:
    """The seasons whose episodes are known."""
    return [season.number for season in work.seasons if season.episodes]


def kept(*seasons: int) -> Work:
    return Work(LANTERN, "Lantern Street", 2019, seasons=tuple(Season(n) for n in seasons))


async def test_the_latest_seasons_and_the_asked_one_get_their_episodes() -> None:
    async with shelf() as on:
        whole = await with_latest_seasons(kept(0, 1, 2), None, on.catalogue)
        asked = await with_latest_seasons(kept(1, 2, 7, 8), 1, on.catalogue)

    assert told(whole) == [1, 2]
    assert [season.number for season in whole.seasons] == [0, 1, 2]
    assert told(asked) == [1]  # seasons that the source does not know stay as they are


async def test_a_day_is_looked_for_in_the_latest_seasons_that_may_have_been_aired_then() -> None:
    seasons = tuple(Season(n, year=year) for n, year in ((1, 2019), (2, 2021), (7, 2030)))
    async with shelf() as on:
        work = replace(kept(), seasons=seasons)
        early = await with_seasons_near(work, date(2018, 12, 31), on.catalogue)
        late = await with_seasons_near(work, date(2022, 1, 1), on.catalogue)

    assert (told(early), told(late)) == ([1], [2])


async def test_what_is_there_is_not_asked_for_again() -> None:
    async with shelf() as on:
        whole = await with_seasons(kept(1, 2), [1], on.catalogue)
        before = len(on.tmdb.requests)
        again = await with_seasons(whole, [1], on.catalogue)
        assert (again, len(on.tmdb.requests)) == (whole, before)


async def test_a_film_has_none() -> None:
    assert SINTEL.key.kind is WorkKind.FILM
    async with shelf() as on:
        assert await with_latest_seasons(SINTEL, None, on.catalogue) == SINTEL
        assert on.tmdb.requests == []


async def test_nothing_is_concluded_while_its_source_is_silent() -> None:
    async with shelf() as on:
        on.tmdb.answer_next(*BROKEN)
        with pytest.raises(UnreachableError, match="TMDB"):
            await with_latest_seasons(kept(1), None, on.catalogue)
