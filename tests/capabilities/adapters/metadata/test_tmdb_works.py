from datetime import date

import pytest
from starlette.responses import JSONResponse

from capabilities.rules.works import CollectionRef, Episode, Title, TitleKind, WorkKind
from tests.capabilities.adapters.metadata.tmdb_before_its_double import (
    BUNNY,
    LANTERN,
    OTHER_SINTEL,
    looking,
)

pytestmark = pytest.mark.anyio


async def test_a_film_comes_with_its_titles_runtime_and_numbers_elsewhere() -> None:
    async with looking() as (tmdb, server):
        work = await tmdb.work(BUNNY)

    assert work is not None
    assert (work.key, work.title, work.year) == (BUNNY, "Big Buck Bunny", 2008)
    assert (work.runtime_minutes, work.external_ids) == (8, {"imdb": "tt1254207"})
    assert work.titles == (
        Title("Big Buck Bunny", TitleKind.MAIN, "en"),
        Title("Big Buck Bunny", TitleKind.ORIGINAL, "en"),
        Title("大雄兔", TitleKind.TRANSLATION, "zh-CN"),
        Title("Peach", TitleKind.ALTERNATIVE),
    )
    assert len(server.requests) == 1


async def test_a_series_comes_with_the_years_of_its_seasons() -> None:
    async with looking() as (tmdb, _):
        work = await tmdb.work(LANTERN)

    assert work is not None
    assert [(s.number, s.year, s.episode_count) for s in work.seasons] == [
        (1, 2019, 3),
        (2, 2021, 3),
    ]
    assert (work.runtime_minutes, work.external_ids) == (
        24,
        {"imdb": "tt99000001", "tvdb": "990001"},
    )


@pytest.mark.parametrize(
    ("languages", "title", "overview"),
    [
        (("zh-CN",), "大雄兔", "一只善良"),
        (("zh-TW", "en-US"), "大雄兔", "一只善良"),
        (("de-DE",), "Big Buck Bunny", "Ein gutmütiger"),
        (("fr-FR", "zh-CN"), "大雄兔", "一只善良"),
        (("en-GB", "zh-CN"), "Big Buck Bunny", "一只善良"),
    ],
)
async def test_words_come_in_the_first_wanted_language_that_has_them(
    languages: tuple[str, ...], title: str, overview: str
) -> None:
    async with looking(languages=languages) as (tmdb, _):
        work = await tmdb.work(BUNNY)

    assert work is not None
    assert work.title == title
    assert (work.overview or "").startswith(overview)


async def test_a_season_has_its_episodes_with_air_dates() -> None:
    async with looking() as (tmdb, _):
        season = await tmdb.season(LANTERN, 2)

    assert season is not None
    assert (season.number, season.year, season.episode_count) == (2, 2021, 3)
    assert season.episodes[1] == Episode(2, "The Long Evening", date(2021, 9, 13), 24)


async def test_a_season_without_dates_has_no_year() -> None:
    answer = {
        "season_number": 3,
        "air_date": None,
        "episodes": [{"episode_number": 1, "air_date": "", "name": "", "runtime": 0}],
    }
    async with looking() as (tmdb, server):
        server.answer_next(JSONResponse(answer))
        season = await tmdb.season(LANTERN, 3)

    assert season is not None
    assert (season.year, season.episodes) == (None, (Episode(1),))


async def test_a_film_names_its_collection_and_the_collection_its_films_by_age() -> None:
    async with looking() as (tmdb, _):
        film = await tmdb.work(BUNNY)
        assert film is not None
        named = CollectionRef("tmdb", "900100", "Open Films Collection")
        assert film.collection == named
        collection = await tmdb.collection(named)
        alone = await tmdb.work(OTHER_SINTEL)

    assert collection is not None
    assert [(each.title, each.year) for each in collection.films] == [
        ("Big Buck Bunny", 2008),
        ("Sintel", 2010),
        ("Tears of Steel", 2012),
    ]
    assert alone is not None
    assert alone.collection is None


@pytest.mark.parametrize(
    "ref",
    [
        CollectionRef("tmdb", "7", ""),
        CollectionRef("tmdb", "x", ""),
        CollectionRef("imdb", "7", ""),
    ],
)
async def test_a_collection_that_tmdb_does_not_know_is_none(ref: CollectionRef) -> None:
    async with looking() as (tmdb, _):
        assert await tmdb.collection(ref) is None


async def test_a_day_that_is_none_costs_no_more_than_the_day() -> None:
    rows = [{"id": 1, "title": "Sintel", "release_date": "0000-00-00"}]
    async with looking() as (tmdb, server):
        server.answer_next(JSONResponse({"results": rows}))
        (work,) = await tmdb.search("sintel", kind=WorkKind.FILM)

    assert (work.title, work.year) == ("Sintel", None)
