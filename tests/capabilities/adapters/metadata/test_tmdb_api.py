import pytest
from starlette.responses import HTMLResponse, JSONResponse, Response

from capabilities.kernel.faults import DeclinedError, ThrottledError, UnreachableError
from capabilities.rules.works import WorkKey, WorkKind
from tests.capabilities.adapters.metadata.sources import Clock
from tests.capabilities.adapters.metadata.tmdb_before_its_double import BUNNY, SINTEL, looking

pytestmark = pytest.mark.anyio


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
