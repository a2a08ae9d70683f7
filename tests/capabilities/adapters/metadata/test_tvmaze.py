from datetime import date

import pytest
from starlette.responses import JSONResponse

from capabilities.kernel.faults import DeclinedError
from capabilities.rules.works import Episode, Season, Title, TitleKind, WorkKey, WorkKind
from tests.capabilities.adapters.metadata.sources import tvmaze

pytestmark = pytest.mark.anyio

LANTERN = WorkKey("tvmaze", WorkKind.SERIES, "910001")
HARBOUR = WorkKey("tvmaze", WorkKind.SERIES, "910002")


async def test_a_series_comes_with_titles_by_country_seasons_and_numbers_elsewhere() -> None:
    async with tvmaze() as met:
        work = await met.source.work(LANTERN)

    assert work is not None
    assert work.titles == (
        Title("Lantern Street", TitleKind.MAIN),
        Title("Laternengasse", TitleKind.ALTERNATIVE),
        Title("灯笼街", TitleKind.ALTERNATIVE),
    )
    assert work.seasons == (Season(1, 2019, 3), Season(2, 2021, 4))
    assert work.external_ids == {"tvdb": "990001", "imdb": "tt99000001"}
    assert (work.runtime_minutes, work.overview) == (25, "Invented: one street & its lamps.")
    assert len(met.double.requests) == 1


async def test_what_is_not_known_yet_is_left_open() -> None:
    async with tvmaze() as met:
        work = await met.source.work(HARBOUR)

    assert work is not None
    assert work.seasons == (Season(1, 2022, 0),)
    assert (work.external_ids, work.runtime_minutes, work.overview) == ({}, 50, None)


async def test_episodes_have_their_days_and_specials_get_no_invented_numbers() -> None:
    async with tvmaze() as met:
        first = await met.source.season(LANTERN, 1)
        second = await met.source.season(LANTERN, 2)
        specials = await met.source.season(LANTERN, 0)

    assert first is not None
    assert first.episodes[1] == Episode(2, "Number Nine", date(2019, 2, 11), 24)
    assert len(first.episodes) == 3
    assert second is not None
    assert second.episodes[1] == Episode(2, "To Be Told", None, None)
    assert specials is None
    assert len(met.double.requests) == 1


async def test_a_lookup_follows_to_the_show_and_finds_nothing_without_a_fault() -> None:
    async with tvmaze() as met:
        assert [w.key for w in await met.source.find({"imdb": "tt99000001"})] == [LANTERN]
        assert await met.source.find({"imdb": "tt0000001"}) == []


async def test_films_are_not_asked_for() -> None:
    async with tvmaze() as met:
        assert await met.source.search("Lantern Street", kind=WorkKind.FILM) == []
        assert await met.source.work(WorkKey("tvmaze", WorkKind.FILM, "910001")) is None

    assert met.double.requests == []


async def test_a_question_that_tvmaze_refuses_is_declined() -> None:
    async with tvmaze() as met:
        met.double.answer_next(JSONResponse({"name": "Bad Request", "status": 400}, 400))
        with pytest.raises(DeclinedError, match="HTTP 400"):
            await met.source.search("Lantern Street")


async def test_a_long_run_of_questions_waits_and_then_is_refused_for_the_time() -> None:
    async with tvmaze() as met:
        for number in range(1, 21):
            await met.source.work(WorkKey("tvmaze", WorkKind.SERIES, str(number)))
        met.clock.now = 10
        assert await met.source.work(LANTERN)

    assert len(met.double.requests) == 21
