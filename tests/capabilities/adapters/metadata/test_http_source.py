from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from capabilities.adapters.metadata.answer_cache import Topic
from capabilities.adapters.metadata.http_source import HttpSource, Service
from capabilities.adapters.metadata.outside_answer import NothingKnown, OutsideAnswer
from capabilities.adapters.metadata.request_limit import Rate
from capabilities.adapters.outbound import Outbound
from capabilities.adapters.upstream import Answer
from capabilities.kernel.faults import DeclinedError, UnreachableError
from tests.capabilities.adapters.metadata.sources import Clock, at_once
from world.metadata_door import Door
from world.serving import serving

pytestmark = pytest.mark.anyio


class Title(OutsideAnswer):
    title: str


class Complaint(OutsideAnswer):
    error: str


SERVICE = Service("The source", Rate(questions=50, within_s=1), Complaint)


async def _titled(request: Request) -> Response:
    return JSONResponse({"title": f"{request.method} {request.url.path}"})


@asynccontextmanager
async def meeting(service: Service = SERVICE) -> AsyncGenerator[tuple[HttpSource, Door]]:
    door = Door()
    routes = [Route("/api", _titled, methods=["POST"]), Route("/api/title", _titled)]
    async with (
        serving(door.application(*routes)) as address,
        Outbound(version="0", wait=at_once) as out,
    ):
        yield HttpSource(service, out, address=f"{address}/api/", clock=Clock()), door


async def title(source: HttpSource, **query: str) -> str | None:
    answer = await source.get("/title", query, Title, Topic.WORK)
    return None if answer is None else answer.title


async def test_what_goes_along_with_every_question_is_sent_and_is_no_part_of_it() -> None:
    async with meeting() as (source, door):
        for key in ("first", "second"):
            answer = await source.get(
                "/title",
                {"q": "x"},
                Title,
                Topic.WORK,
                added={"key": key},
                headers={"Authorization": f"Bearer {key}"},
            )
            assert answer == Title(title="GET /api/title")

    (request,) = door.requests
    assert dict(request.query_params) == {"key": "first", "q": "x"}
    assert request.headers["authorization"] == "Bearer first"


async def test_another_question_is_asked_for_itself_whatever_the_order_of_its_words() -> None:
    async with meeting() as (source, door):
        await title(source, a="1", b="2")
        await title(source, b="2", a="1")
        await title(source, a="1", b="3")

    assert [request.query_params["b"] for request in door.requests] == ["2", "3"]


async def test_a_question_can_be_a_body() -> None:
    def read(answer: Answer) -> Title | NothingKnown:
        return source.read(answer, Title)

    async with meeting() as (source, door):
        for _ in range(2):
            answer = await source.post("key", b'{"question": 1}', Topic.WORK, read)
            assert answer == Title(title="POST /api")

    assert len(door.requests) == 1


async def test_the_sources_own_404_is_that_nothing_is_known() -> None:
    async with meeting() as (source, door):
        door.answer_next(JSONResponse({"error": "unknown"}, 404))
        assert await title(source) is None
        assert await title(source) is None

    assert len(door.requests) == 1


async def test_where_a_source_has_no_such_404_it_is_a_refusal() -> None:
    async with meeting(replace(SERVICE, unknown=None)) as (source, door):
        door.answer_next(JSONResponse({"error": "unknown"}, 404))
        with pytest.raises(DeclinedError, match="HTTP 404"):
            await title(source)


async def test_a_bare_body_is_taken_for_nothing_known_only_with_its_status() -> None:
    async with meeting(replace(SERVICE, bare=b"null")) as (source, door):
        door.answer_next(JSONResponse(None, 404), JSONResponse(None, 400))
        assert await title(source, q="a") is None
        with pytest.raises(UnreachableError, match="no answer of The source"):
            await title(source, q="b")


@pytest.mark.parametrize("status", [302, 400, 404, 418])
async def test_a_refusal_that_is_not_in_the_sources_words_is_somebody_elses(status: int) -> None:
    async with meeting() as (source, door):
        door.answer_next(Response("<html>Sign in</html>", status))
        with pytest.raises(UnreachableError, match="no answer of The source"):
            await title(source)
        assert await title(source) == "GET /api/title"


async def test_a_refusal_has_the_meaning_that_is_known_of_its_status() -> None:
    async with meeting(replace(SERVICE, refusals={401: "It wants a key."})) as (source, door):
        door.answer_next(Response("who?", 401), JSONResponse({"error": "bad"}, 400))
        with pytest.raises(DeclinedError, match="It wants a key"):
            await title(source)
        with pytest.raises(DeclinedError, match="HTTP 400"):
            await title(source)
        assert await title(source) == "GET /api/title"
