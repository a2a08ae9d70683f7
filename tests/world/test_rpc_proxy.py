"""What stands before a Transmission passes everything on, or spoils what it is told to."""

import anyio
import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from world.rpc_proxy import chained, garbage, proxying, replaced
from world.serving import serving


async def echo(request: Request) -> Response:
    """As much of Transmission as a proxy sees: an id to be brought back, then an answer."""
    if request.headers.get("X-Transmission-Session-Id") != "known":
        return PlainTextResponse("", 409, {"X-Transmission-Session-Id": "known"})
    return JSONResponse({"asked": (await request.json())["method"], "who": "one"})


DOOR = Starlette(routes=[Route("/transmission/rpc", echo, methods=["POST"])])


async def called(address: str, method: str, **headers: str) -> httpx2.Response:
    async with httpx2.AsyncClient(trust_env=False, timeout=0.5) as client:
        held = {"X-Transmission-Session-Id": "known", **headers}
        return await client.post(
            f"{address}/transmission/rpc", json={"method": method}, headers=held
        )


@pytest.mark.anyio
async def test_what_is_not_to_be_spoilt_passes_both_ways() -> None:
    async with serving(DOOR) as behind, proxying(behind) as proxy:
        refused = await called(proxy.address, "a", **{"X-Transmission-Session-Id": "old"})
        answer = await called(proxy.address, "a")

    assert (refused.status_code, refused.headers["X-Transmission-Session-Id"]) == (409, "known")
    assert answer.json() == {"asked": "a", "who": "one"}
    assert (proxy.requests, proxy.calls) == (2, {"a": 1})


@pytest.mark.anyio
async def test_a_method_is_spoilt_after_it_was_done_and_no_other_is() -> None:
    async with serving(DOOR) as behind, proxying(behind) as proxy:
        proxy.mishaps["a"] = garbage
        proxy.mishaps["b"] = chained(replaced(b"one", b"two"), replaced(b"two", b"three"))
        spoilt = await called(proxy.address, "a")
        changed = await called(proxy.address, "b")
        whole = await called(proxy.address, "c")

    assert spoilt.text == "<html>It works!</html>"
    assert (changed.json()["who"], whole.json()["who"]) == ("three", "one")
    assert proxy.calls == {"a": 1, "b": 1, "c": 1}


@pytest.mark.anyio
async def test_a_lost_answer_does_not_come_and_what_was_asked_happened() -> None:
    with anyio.fail_after(5):
        async with serving(DOOR) as behind, proxying(behind) as proxy:
            proxy.mishaps["a"] = proxy.lost
            with pytest.raises(httpx2.ReadTimeout):
                await called(proxy.address, "a")

    assert proxy.calls == {"a": 1}


@pytest.mark.anyio
async def test_it_answers_by_itself_when_told_to_or_when_nobody_is_behind_it() -> None:
    async with proxying("http://127.0.0.1:9") as proxy:
        nobody = await called(proxy.address, "a")
        proxy.fake = PlainTextResponse("", 429)
        fake = await called(proxy.address, "a")

    assert (nobody.status_code, fake.status_code) == (502, 429)
    assert proxy.calls == {}
