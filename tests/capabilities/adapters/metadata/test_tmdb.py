from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import date

import pytest
from starlette.responses import HTMLResponse, JSONResponse, Response

from capabilities.adapters.metadata.answer_cache import Validity
from capabilities.adapters.metadata.tmdb import Tmdb
from capabilities.adapters.outbound import Outbound
from capabilities.kernel.faults import DeclinedError, ThrottledError, UnreachableError
from capabilities.rules.episode_orders import OrderKind, Place, absolute_numbers
from capabilities.rules.works import (
    CollectionRef,
    Episode,
    Title,
    TitleKind,
    WorkKey,
    WorkKind,
)
from world.metadata import LoopbackMetadata, serving_metadata

pytestmark = pytest.mark.anyio

BUNNY = WorkKey("tmdb", WorkKind.FILM, "10378")
SINTEL = WorkKey("tmdb", WorkKind.FILM, "45745")
OTHER_SINTEL = WorkKey("tmdb", WorkKind.FILM, "900002")
LANTERN = WorkKey("tmdb", WorkKind.SERIES, "900001")


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def at_once(_seconds: float) -> None:
    return


@asynccontextmanager
async def looking(
    *,
    languages: Sequence[str] = ("en-US",),
    page_size: int = 20,
    credential: str | None = None,
    clock: Clock | None = None,
) -> AsyncGenerator[tuple[Tmdb, LoopbackMetadata]]:
    async with (
        serving_metadata(page_size=page_size) as server,
        Outbound(version="0", wait=at_once) as out,
    ):
        yield (
            Tmdb(
                out,
                server.token if credential is None else credential,
                languages=languages,
                address=server.address,
                validity=Validity(search_s=100, work_s=100, nothing_s=10),
                clock=clock or Clock(),
            ),
            server,
        )


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


async def test_an_absolute_order_leads_from_a_number_to_season_and_episode_and_back() -> None:
    async with looking() as (tmdb, _):
        absolute, on_disc = await tmdb.orders(LANTERN)

    assert (absolute.kind, absolute.title) == (OrderKind.ABSOLUTE, "Absolute Order")
    numbers = absolute_numbers(absolute)
    assert numbers is not None
    assert numbers.place_of(5) == Place(2, 2)
    assert numbers.absolute_of(Place(2, 2)) == 5
    assert on_disc.kind is OrderKind.DVD
    assert on_disc.groups[0].places == (Place(1, 3), Place(1, 1), Place(1, 2))


async def test_what_has_no_other_order_has_none() -> None:
    async with looking() as (tmdb, _):
        assert await tmdb.orders(BUNNY) == []
        assert await tmdb.orders(WorkKey("tmdb", WorkKind.SERIES, "1")) == []


async def test_an_order_that_contradicts_its_list_is_left_out() -> None:
    row = {"id": "ab1", "name": "Odd", "type": 2}
    async with looking() as (tmdb, server):
        server.answer_next(
            JSONResponse({"id": 1, "results": [row, {**row, "type": 40}]}),
            JSONResponse({**row, "type": 12, "groups": []}),
        )
        assert await tmdb.orders(LANTERN) == []

    assert len(server.requests) == 2


async def test_a_day_that_is_none_costs_no_more_than_the_day() -> None:
    rows = [{"id": 1, "title": "Sintel", "release_date": "0000-00-00"}]
    async with looking() as (tmdb, server):
        server.answer_next(JSONResponse({"results": rows}))
        (work,) = await tmdb.search("sintel", kind=WorkKind.FILM)

    assert (work.title, work.year) == ("Sintel", None)


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


async def test_a_version_3_key_travels_in_the_query_and_a_token_in_the_header() -> None:
    async with looking(credential="00112233445566778899aabbccddeeff\n") as (tmdb, by_key):
        assert await tmdb.work(BUNNY)
    async with looking() as (tmdb, by_token):
        assert await tmdb.work(BUNNY)

    assert by_key.requests[0].query_params["api_key"] == by_key.api_key
    assert "authorization" not in by_key.requests[0].headers
    assert "api_key" not in by_token.requests[0].query_params


@pytest.mark.parametrize("credential", ["wrong.token", "f" * 32])
async def test_a_refused_credential_is_declined_with_a_remedy(credential: str) -> None:
    async with looking(credential=credential) as (tmdb, server):
        with pytest.raises(DeclinedError, match="does not accept the API key") as caught:
            await tmdb.work(BUNNY)

    assert credential not in str(caught.value)
    assert len(server.requests) == 1


@pytest.mark.parametrize("credential", ["", "  ", "schlüssel", "two\nlines"])
async def test_what_cannot_be_a_credential_is_declined_before_it_is_sent(credential: str) -> None:
    with pytest.raises(DeclinedError, match="API key"):
        async with looking(credential=credential):
            pass


@pytest.mark.parametrize(
    "answer",
    [
        HTMLResponse("<html>Sign in</html>"),
        JSONResponse({"results": "NaN"}),
        Response(b'{"results": [{"id": 1, "title": "x", "popularity": NaN}]}'),
        Response(b'{"results": ['),
        HTMLResponse("<html>Not found</html>", 404),
        HTMLResponse("<html>Bad</html>", 400),
    ],
    ids=["page", "type", "nan", "cut", "404 of somebody else", "400 of somebody else"],
)
async def test_an_answer_that_is_not_tmdbs_is_unreachable_and_not_kept(answer: Response) -> None:
    async with looking() as (tmdb, server):
        server.answer_next(answer)
        with pytest.raises(UnreachableError, match="no answer of TMDB"):
            await tmdb.search("sintel")

        assert len(await tmdb.search("sintel")) == 2


async def test_a_question_that_tmdb_refuses_is_declined() -> None:
    refusal = JSONResponse({"status_code": 22, "status_message": "Invalid page"}, 400)
    async with looking() as (tmdb, server):
        server.answer_next(refusal)
        with pytest.raises(DeclinedError, match="HTTP 400"):
            await tmdb.search("sintel")


async def test_a_search_or_find_that_is_404_found_nothing() -> None:
    unknown = {"status_code": 34, "status_message": "The resource could not be found."}
    async with looking() as (tmdb, server):
        server.answer_next(*(JSONResponse(unknown, 404) for _ in range(2)))

        assert await tmdb.search("sintel") == []
        assert await tmdb.find({"imdb": "tt1727587"}) == []


async def test_a_short_pause_is_waited_for_and_a_long_one_is_passed_on_and_kept_to() -> None:
    clock = Clock()
    async with looking(clock=clock) as (tmdb, server):
        server.throttle_next(retry_after="1")
        assert await tmdb.work(BUNNY)

        server.throttle_next(retry_after="120")
        with pytest.raises(ThrottledError) as caught:
            await tmdb.work(SINTEL)

        assert caught.value.retry_after_s == 120
        asked = len(server.requests)
        clock.now = 119
        with pytest.raises(ThrottledError):
            await tmdb.work(SINTEL)
        assert len(server.requests) == asked

        clock.now = 120
        assert await tmdb.work(SINTEL)


async def test_an_answer_stands_for_its_time_and_is_then_asked_for_again() -> None:
    clock = Clock()
    async with looking(clock=clock) as (tmdb, server):
        first = await tmdb.work(BUNNY)
        clock.now = 99
        assert await tmdb.work(BUNNY) == first
        assert len(server.requests) == 1

        clock.now = 101
        assert await tmdb.work(BUNNY) == first

    assert len(server.requests) == 2


async def test_an_old_answer_is_revalidated_and_stands_anew_when_nothing_has_changed() -> None:
    clock = Clock()
    async with looking(clock=clock) as (tmdb, server):
        first = await tmdb.work(BUNNY)
        clock.now = 101
        assert await tmdb.work(BUNNY) == first
        clock.now = 200
        assert await tmdb.work(BUNNY) == first

    marks = [request.headers.get("if-none-match") for request in server.requests]
    assert marks[0] is None
    assert marks[1] is not None
    assert len(marks) == 2


async def test_an_old_answer_that_has_changed_is_replaced() -> None:
    clock = Clock()
    async with looking(clock=clock) as (tmdb, server):
        await tmdb.work(BUNNY)
        clock.now = 101
        server.answer_next(JSONResponse({"id": 10378, "title": "Renamed"}))
        work = await tmdb.work(BUNNY)

    assert work is not None
    assert work.title == "Renamed"


async def test_a_negative_answer_stands_for_less_time() -> None:
    clock = Clock()
    async with looking(clock=clock) as (tmdb, server):
        for moment in (0, 9, 11):
            clock.now = moment
            assert await tmdb.work(WorkKey("tmdb", WorkKind.FILM, "1")) is None
            assert await tmdb.search("nothing has this title") == []
            assert await tmdb.find({"imdb": "tt0000001"}) == []

    assert len(server.requests) == 6


async def test_transport_failures_are_not_kept() -> None:
    async with looking() as (tmdb, server):
        server.answer_next(*(Response(status_code=500) for _ in range(3)))
        with pytest.raises(UnreachableError):
            await tmdb.work(BUNNY)

        assert await tmdb.work(BUNNY)
