"""How a neighbour is asked: as whom, over which way, and what nobody is ever shown."""

import logging
import traceback

import pytest
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from capabilities.kernel.faults import DeclinedError, WorldFaultError
from tests.capabilities.adapters.outbound_bench import outbound, refused_address
from tests.capabilities.adapters.scripted_neighbour import neighbour, raw

pytestmark = pytest.mark.anyio


KEY = "canary-9d3f7a51c0b84e66aa"


async def test_a_read_carries_our_name_and_merges_its_query_into_the_address() -> None:
    async with neighbour() as peer, outbound() as out:
        way = out.neighbour("the peer", peer.address)

        answer = await way.get(f"{peer.address}/api?pass=1", query={"t": "caps"})

    assert (answer.status, answer.ok, answer.body) == (200, True, b"well")
    assert peer.requests[0].headers["user-agent"] == "Matinee/1.2.3"
    assert dict(peer.requests[0].query_params) == {"pass": "1", "t": "caps"}


async def test_ways_to_one_origin_share_one_client_and_its_connections() -> None:
    async with neighbour() as peer, outbound() as out:
        for system in ("first", "second"):
            await out.neighbour(system, f"{peer.address}/{system}").get(f"{peer.address}/x")

    assert len({request.client for request in peer.requests}) == 1


async def test_a_question_as_json_is_posted_and_tried_again_like_a_read() -> None:
    bodies: list[bytes] = []

    async def keeps(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        bodies.append(await request.body())
        await raw(200 if len(bodies) > 1 else 502, b"{}")(scope, receive, send)

    async with neighbour(default=keeps) as peer, outbound() as out:
        answer = await out.neighbour("the peer", peer.address).post_query(peer.address, b'{"q":1}')

    assert (answer.status, answer.body) == (200, b"{}")
    assert bodies == [b'{"q":1}'] * 2
    assert {request.method for request in peer.requests} == {"POST"}
    assert peer.requests[0].headers["content-type"] == "application/json"


async def test_a_question_as_json_does_not_leave_its_system() -> None:
    async with neighbour() as peer, neighbour() as other, outbound() as out:
        way = out.neighbour("the peer", peer.address)
        with pytest.raises(DeclinedError, match="outside of its own"):
            await way.post_query(other.address, b"{}")

    assert other.requests == []


async def test_an_answers_mark_comes_with_it() -> None:
    async with neighbour(raw(200, b"x", {"ETag": 'W/"7"'})) as peer, outbound() as out:
        way = out.neighbour("the peer", peer.address)
        marks = [(await way.get(peer.address)).etag for _ in range(2)]

    assert marks == ['W/"7"', None]


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with neighbour() as peer, neighbour() as proxy, outbound() as out:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.address)

        await out.neighbour("the peer", peer.address).get(peer.address)

    assert (len(peer.requests), len(proxy.requests)) == (1, 0)


async def test_cookies_are_not_kept() -> None:
    cookie = raw(200, b"", {"Set-Cookie": "track=me"})
    async with neighbour(cookie) as peer, outbound() as out:
        way = out.neighbour("the peer", peer.address)
        await way.get(peer.address)
        await way.get(peer.address)

    assert "cookie" not in peer.requests[1].headers


async def test_a_redirect_within_the_origin_is_followed() -> None:
    async with neighbour(RedirectResponse("/new?x=1")) as peer, outbound() as out:
        answer = await out.neighbour("the peer", peer.address).get(
            f"{peer.address}/old", query={"t": "caps"}
        )

    assert answer.body == b"well"
    assert str(peer.requests[1].url) == f"{peer.address}/new?x=1"


async def test_a_redirect_to_another_origin_is_declined_and_nobody_is_contacted_there() -> None:
    async with neighbour() as other, outbound() as out:
        elsewhere = RedirectResponse(f"{other.address}/take")
        async with neighbour(elsewhere) as peer:
            with pytest.raises(DeclinedError, match="not followed"):
                await out.neighbour("the peer", peer.address).get(peer.address)

    assert other.requests == []


async def test_redirects_without_end_are_declined() -> None:
    async with neighbour(default=RedirectResponse("/again")) as peer, outbound() as out:
        with pytest.raises(DeclinedError, match="again and again"):
            await out.neighbour("the peer", peer.address).get(peer.address)

    assert len(peer.requests) == 4


async def test_the_third_redirect_may_still_lead_to_the_answer() -> None:
    hops = [RedirectResponse("/again")] * 3
    async with neighbour(*hops) as peer, outbound() as out:
        answer = await out.neighbour("the peer", peer.address).get(peer.address)

    assert answer.body == b"well"


@pytest.mark.parametrize("location", ["magnet:?xt=urn:btih:" + "a" * 40, "http://h:x/"])
async def test_a_single_read_hands_a_redirect_over_as_it_came(location: str) -> None:
    answer = raw(302, b"", {"Location": location})
    async with neighbour(answer) as peer, outbound() as out:
        read = await out.neighbour("the peer", peer.address).read(peer.address)

    assert (read.status, read.location, read.body) == (302, location, b"")


@pytest.mark.parametrize("address", ["", "nonsense", "ftp://127.0.0.1/", "http://", "http://h:x/"])
async def test_a_configured_address_that_is_none_is_declined_with_a_remedy(address: str) -> None:
    async with outbound() as out:
        with pytest.raises(DeclinedError, match="Correct it in the settings"):
            out.neighbour("the peer", address)


async def test_no_fault_and_no_traceback_shows_a_key() -> None:
    """Keys sit in the query, in a header that cannot be sent, and in a redirect."""
    refused = await refused_address()
    busy = Response(status_code=429, headers={"Retry-After": "99"})
    elsewhere = RedirectResponse(f"http://192.0.2.1/?apikey={KEY}")
    async with neighbour(busy, elsewhere) as peer, outbound() as out:
        attempts = [
            (refused, f"key {KEY}"),
            (peer.address, f"key {KEY}"),
            (peer.address, f"key {KEY}"),
            (peer.address, f"key {KEY}\n"),
        ]
        shown: list[str] = []
        for address, header in attempts:
            way = out.neighbour("the peer", address)
            with pytest.raises(WorldFaultError) as caught:
                await way.get(address, query={"apikey": KEY}, headers={"Authorization": header})
            shown += traceback.format_exception(caught.value)

    assert "the peer" in "".join(shown)
    assert KEY not in "".join(shown)


async def test_the_log_of_the_client_shows_no_key(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with neighbour() as peer, outbound() as out:
        await out.neighbour("the peer", peer.address).get(
            f"{peer.address}/api/{KEY}", query={"t": "search", "apikey": KEY}
        )

    assert KEY not in caplog.text
    assert "/api/***?t=***&apikey=***" in caplog.text


async def test_a_closed_outbound_has_no_client_left_open() -> None:
    out = outbound()
    async with neighbour() as peer:
        await out.neighbour("the peer", peer.address).get(peer.address)
        await out.aclose()

        again = await out.neighbour("the peer", peer.address).get(peer.address)
        await out.aclose()

    assert again.ok
    assert len({request.client for request in peer.requests}) == 2
