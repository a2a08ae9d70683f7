import pytest
from starlette.responses import JSONResponse

from capabilities.rules.works import WorkKey, WorkKind
from tests.capabilities.adapters.metadata.tmdb_before_its_double import (
    BUNNY,
    LANTERN,
    OTHER_SINTEL,
    SINTEL,
    looking,
)

pytestmark = pytest.mark.anyio


async def test_a_search_without_kind_finds_films_and_series() -> None:
    async with looking() as (tmdb, _):
        films, series = await tmdb.search("sintel"), await tmdb.search("Lantern Street")

    assert [(work.key, work.year) for work in films] == [(SINTEL, 2010), (OTHER_SINTEL, 1994)]
    assert [(work.key, work.year) for work in series] == [(LANTERN, 2019)]


async def test_a_search_keeps_to_its_kind() -> None:
    async with looking() as (tmdb, _):
        assert await tmdb.search("sintel", kind=WorkKind.SERIES) == []
        assert len(await tmdb.search("sintel", kind=WorkKind.FILM)) == 2


@pytest.mark.parametrize("kind", [WorkKind.FILM, None])
async def test_a_year_tells_works_of_one_title_apart(kind: WorkKind | None) -> None:
    async with looking() as (tmdb, _):
        works = await tmdb.search("sintel", kind=kind, year=1994)

    assert [work.key for work in works] == [OTHER_SINTEL]


async def test_a_series_is_found_by_the_year_of_its_first_episode() -> None:
    async with looking() as (tmdb, _):
        works = await tmdb.search("lantern street", year=2019)

    assert [work.key for work in works] == [LANTERN]


async def test_a_year_that_nothing_has_hides_nothing() -> None:
    async with looking() as (tmdb, _):
        works = await tmdb.search("sintel", kind=WorkKind.FILM, year=2011)

    assert [work.key for work in works] == [SINTEL, OTHER_SINTEL]


async def test_a_chinese_title_finds_the_film() -> None:
    async with looking(languages=("zh-CN",)) as (tmdb, _):
        works = await tmdb.search("大雄兔")

    assert [(work.key, work.title) for work in works] == [(BUNNY, "大雄兔")]


@pytest.mark.parametrize(("limit", "found", "asked"), [(1, 1, 1), (2, 2, 2), (20, 2, 2)])
async def test_pages_are_turned_until_there_is_enough(limit: int, found: int, asked: int) -> None:
    async with looking(page_size=1) as (tmdb, server):
        works = await tmdb.search("sintel", limit=limit)

    assert (len(works), len(server.requests)) == (found, asked)


async def test_people_and_untitled_entries_are_not_works() -> None:
    rows = [
        {"id": 1, "media_type": "person", "name": "Sintel Person"},
        {"id": 2, "media_type": "movie"},
        {"id": 3, "media_type": "movie", "title": "Sintel", "release_date": "", "overview": ""},
    ]
    async with looking() as (tmdb, server):
        server.answer_next(JSONResponse({"page": 1, "results": rows, "total_pages": 1}))
        works = await tmdb.search("sintel")

    assert [(work.key.id, work.year, work.overview) for work in works] == [("3", None, None)]


@pytest.mark.parametrize(
    ("imdb_id", "keys"),
    [
        ("tt1727587", [SINTEL]),
        ("tt99000001", [LANTERN]),
        ("tt0000001", []),
        ("1727587", []),
        ("tt1727587/../x", []),
    ],
)
async def test_an_imdb_id_leads_to_its_work(imdb_id: str, keys: list[WorkKey]) -> None:
    async with looking() as (tmdb, _):
        assert [work.key for work in await tmdb.find({"imdb": imdb_id})] == keys


async def test_a_number_of_thetvdb_leads_to_its_series() -> None:
    async with looking() as (tmdb, server):
        assert [work.key for work in await tmdb.find({"tvdb": "990001"})] == [LANTERN]
        assert await tmdb.find({"tvdb": "990001"}, WorkKind.FILM) == []
        assert await tmdb.find({"tvdb": "99000?"}) == []
        assert await tmdb.find({"mal": "1"}) == []

    assert len(server.requests) == 1


async def test_what_tmdb_does_not_know_is_none() -> None:
    async with looking() as (tmdb, _):
        assert await tmdb.work(WorkKey("tmdb", WorkKind.FILM, "1")) is None
        assert await tmdb.work(WorkKey("tmdb", WorkKind.SERIES, "10378")) is None
        assert await tmdb.season(LANTERN, 9) is None


@pytest.mark.parametrize(
    "key",
    [
        WorkKey("tvdb", WorkKind.SERIES, "900001"),
        WorkKey("tmdb", WorkKind.SERIES, "900001/../../movie/10378"),
        WorkKey("tmdb", WorkKind.SERIES, ""),
    ],
)
async def test_a_key_that_cannot_be_tmdbs_is_unknown_and_not_asked_for(key: WorkKey) -> None:
    async with looking() as (tmdb, server):
        assert await tmdb.work(key) is None
        assert await tmdb.season(key, 1) is None

    assert server.requests == []


async def test_a_film_has_no_season() -> None:
    async with looking() as (tmdb, server):
        assert await tmdb.season(BUNNY, 1) is None

    assert server.requests == []
