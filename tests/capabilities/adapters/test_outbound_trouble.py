"""Which troubles of a neighbour are tried again, for how long, and what comes of them."""

import gzip

import anyio
import pytest
from starlette.responses import Response

from capabilities.adapters.upstream import Bounds
from capabilities.kernel.faults import ThrottledError, UnreachableError
from tests.capabilities.adapters.outbound_bench import Pauses, listening, outbound, refused_address
from tests.capabilities.adapters.scripted_neighbour import neighbour, raw

pytestmark = pytest.mark.anyio


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


async def test_a_way_may_have_a_bound_of_its_own() -> None:
    bounds = Bounds(body_bytes=1_000)
    async with neighbour(default=raw(200, b"x" * 2_000)) as peer, outbound(bounds=bounds) as out:
        wide = out.neighbour("the peer", peer.address, body_bytes=2_000)
        answer = await wide.get(peer.address)
        with pytest.raises(UnreachableError, match="larger than expected"):
            await out.neighbour("the peer", peer.address).get(peer.address)

    assert len(answer.body) == 2_000


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
