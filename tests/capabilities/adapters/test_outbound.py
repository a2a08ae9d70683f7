import gzip
import logging
import traceback
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import anyio
import pytest
from anyio.abc import Listener, SocketAttribute, SocketStream
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from capabilities.adapters.address_guard import AddressGuard
from capabilities.adapters.outbound import Outbound
from capabilities.adapters.upstream import Bounds
from capabilities.kernel.faults import (
    DeclinedError,
    ThrottledError,
    UnreachableError,
    WorldFaultError,
)
from tests.capabilities.adapters.scripted_neighbour import neighbour, raw

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
KEY = "canary-9d3f7a51c0b84e66aa"


@dataclass
class Pauses:
    """Takes the place of waiting, and keeps how long it would have been."""

    seconds: list[float] = field(default_factory=list[float])

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def outbound(
    pauses: Pauses | None = None, bounds: Bounds | None = None, guard: AddressGuard | None = None
) -> Outbound:
    return Outbound(
        version="1.2.3", bounds=bounds, guard=guard, wait=pauses or Pauses(), now=lambda: NOW
    )


def port_of(listener: Listener[SocketStream]) -> int:
    return listener.extra(SocketAttribute.local_port)  # noqa: S610  not Django's


@asynccontextmanager
async def listening() -> AsyncGenerator[tuple[str, anyio.Event]]:
    """A peer that accepts and then says nothing; the event tells that somebody came."""
    came = anyio.Event()

    async def silent(stream: SocketStream) -> None:
        async with stream:
            came.set()
            await anyio.sleep_forever()

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with listener, anyio.create_task_group() as group:
        group.start_soon(listener.serve, silent)
        yield f"http://127.0.0.1:{port_of(listener)}", came
        group.cancel_scope.cancel()


async def refused_address() -> str:
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with listener:
        return f"http://127.0.0.1:{port_of(listener)}"


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


async def test_a_refused_connection_is_tried_three_times_and_then_unreachable() -> None:
    address, pauses = await refused_address(), Pauses()
    async with outbound(pauses) as out:
        with pytest.raises(UnreachableError, match="could not be reached"):
            await out.neighbour("the peer", address).get(address)

    assert pauses.seconds == [0.5, 2.0]


async def test_a_peer_that_never_answers_costs_the_bounded_time_and_no_more() -> None:
    async with listening() as (address, came), outbound(bounds=Bounds(total_s=0.1)) as out:
        with anyio.fail_after(5), pytest.raises(UnreachableError, match=r"within 0\.1 s"):
            await out.neighbour("the peer", address).get(address)

    assert came.is_set()


async def test_silence_between_two_pieces_ends_an_attempt() -> None:
    pauses = Pauses()
    async with listening() as (address, _), outbound(pauses, Bounds(read_s=0.02)) as out:
        with anyio.fail_after(5), pytest.raises(UnreachableError, match="in time"):
            await out.neighbour("the peer", address).get(address)

    assert len(pauses.seconds) == 2


@pytest.mark.parametrize(
    "broken",
    [
        raw(200, b"half", {"Content-Length": "4000"}),
        raw(200, b"no gzip", {"Content-Encoding": "gzip"}),
    ],
    ids=["cut in mid-body", "garbled encoding"],
)
async def test_an_answer_that_is_cut_or_garbled_is_tried_again(broken: Response) -> None:
    async with neighbour(broken) as peer, outbound() as out:
        answer = await out.neighbour("the peer", peer.address).get(peer.address)

    assert answer.body == b"well"
    assert len(peer.requests) == 2


async def test_an_answer_cut_every_time_is_unreachable() -> None:
    cut = raw(200, b"half", {"Content-Length": "4000"})
    async with neighbour(default=cut) as peer, outbound() as out:
        with pytest.raises(UnreachableError, match="cut short"):
            await out.neighbour("the peer", peer.address).get(peer.address)

    assert len(peer.requests) == 3


@pytest.mark.parametrize(
    "answer",
    [
        raw(200, b"x" * 1_001),
        raw(200, gzip.compress(bytes(50_000_000)), {"Content-Encoding": "gzip"}),
    ],
    ids=["long", "bomb"],
)
async def test_an_answer_over_the_bound_is_thrown_away_and_not_asked_for_again(
    answer: Response,
) -> None:
    bounds = Bounds(body_bytes=1_000)
    async with neighbour(default=answer) as peer, outbound(bounds=bounds) as out:
        with pytest.raises(UnreachableError, match="larger than expected"):
            await out.neighbour("the peer", peer.address).get(peer.address)

    assert len(peer.requests) == 1


async def test_an_answer_of_exactly_the_bound_is_kept() -> None:
    bounds = Bounds(body_bytes=1_000)
    async with neighbour(raw(200, b"x" * 1_000)) as peer, outbound(bounds=bounds) as out:
        answer = await out.neighbour("the peer", peer.address).get(peer.address)

    assert len(answer.body) == 1_000


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_server_trouble_is_tried_again_and_then_unreachable(status: int) -> None:
    pauses = Pauses()
    async with neighbour(default=Response(status_code=status)) as peer, outbound(pauses) as out:
        with pytest.raises(UnreachableError, match=f"HTTP {status}"):
            await out.neighbour("the peer", peer.address).get(peer.address)

    assert (len(peer.requests), pauses.seconds) == (3, [0.5, 2.0])


@pytest.mark.parametrize("status", [400, 401, 404])
async def test_a_refusal_is_an_answer_and_is_not_tried_again(status: int) -> None:
    async with neighbour(default=Response("no", status)) as peer, outbound() as out:
        answer = await out.neighbour("the peer", peer.address).get(peer.address)

    assert (answer.status, answer.ok, answer.body, len(peer.requests)) == (status, False, b"no", 1)


@pytest.mark.parametrize(
    ("status", "header", "pause"),
    [
        (429, "3", 3.0),
        (503, "Thu, 01 Jan 2026 12:00:04 GMT", 4.0),
        (429, "soon", 0.5),
        (429, None, 0.5),
    ],
)
async def test_a_short_pause_that_is_asked_for_is_kept(
    status: int, header: str | None, pause: float
) -> None:
    busy = Response(status_code=status, headers={"Retry-After": header} if header else None)
    pauses = Pauses()
    async with neighbour(busy) as peer, outbound(pauses) as out:
        answer = await out.neighbour("the peer", peer.address).get(peer.address)

    assert (answer.status, pauses.seconds) == (200, [pause])


async def test_a_long_pause_is_handed_to_the_caller_at_once() -> None:
    busy = Response(status_code=429, headers={"Retry-After": "3600"})
    async with neighbour(default=busy) as peer, outbound() as out:
        with pytest.raises(ThrottledError) as caught:
            await out.neighbour("the peer", peer.address).get(peer.address)

    assert (caught.value.retry_after_s, len(peer.requests)) == (3600.0, 1)


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


def inside_and_outside(answers: dict[str, list[str]]) -> AddressGuard:
    """127.0.0.2 plays the public internet; names resolve as given, one answer per question."""

    async def resolve(host: str, _port: int) -> list[str]:
        return [answers[host].pop(0)]

    return AddressGuard(resolve=resolve, permits=lambda address: str(address) == "127.0.0.2")


async def test_the_public_way_connects_to_the_checked_address_under_the_asked_name() -> None:
    async with neighbour(host="127.0.0.2") as site, neighbour() as inside:
        port = site.address.rpartition(":")[2]
        guard = inside_and_outside({"site.example": ["127.0.0.2", "127.0.0.1"]})
        async with outbound(guard=guard) as out:
            answer = await out.public("the peer").get(f"http://site.example:{port}/file")

    assert answer.body == b"well"
    assert site.requests[0].headers["host"] == f"site.example:{port}"
    assert inside.requests == []


async def test_a_name_that_turns_inwards_on_the_second_question_is_declined() -> None:
    async with neighbour(RedirectResponse("/again"), host="127.0.0.2") as site:
        port = site.address.rpartition(":")[2]
        guard = inside_and_outside({"site.example": ["127.0.0.2", "127.0.0.1"]})
        async with outbound(guard=guard) as out:
            with pytest.raises(DeclinedError, match="public internet"):
                await out.public("the peer").get(f"http://site.example:{port}/file")

    assert len(site.requests) == 1


async def test_a_redirect_from_outside_to_inside_is_declined() -> None:
    async with neighbour() as inside:
        inwards = RedirectResponse(f"{inside.address}/admin")
        async with neighbour(inwards, host="127.0.0.2") as site:
            answers = {"127.0.0.2": ["127.0.0.2"], "127.0.0.1": ["127.0.0.1"]}
            async with outbound(guard=inside_and_outside(answers)) as out:
                with pytest.raises(DeclinedError, match="public internet"):
                    await out.public("the peer").get(site.address)

    assert inside.requests == []


@pytest.mark.parametrize("address", ["file:///etc/hostname", "gopher://127.0.0.1/", "http://", "x"])
async def test_the_public_way_speaks_http_only(address: str) -> None:
    async with outbound() as out:
        with pytest.raises(DeclinedError):
            await out.public("the peer").get(address)


async def test_the_public_way_ignores_proxies_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with neighbour() as proxy, neighbour(host="127.0.0.2") as site:
        monkeypatch.setenv("HTTP_PROXY", proxy.address)
        async with outbound(guard=inside_and_outside({"127.0.0.2": ["127.0.0.2"]})) as out:
            await out.public("the peer").get(site.address)

    assert (len(site.requests), proxy.requests) == (1, [])


async def test_plain_text_answers_pass_through_the_public_way_bounded() -> None:
    long = PlainTextResponse("x" * 2_000)
    async with neighbour(default=long, host="127.0.0.2") as site:
        guard = inside_and_outside({"127.0.0.2": ["127.0.0.2"]})
        async with outbound(bounds=Bounds(body_bytes=1_000), guard=guard) as out:
            with pytest.raises(UnreachableError, match="larger"):
                await out.public("the peer").get(site.address)
