"""Sending what may change something: once, and what is not known is said to be so."""

from collections.abc import Awaitable, Callable

import anyio
import pytest
from starlette.types import Receive, Scope, Send

from capabilities.adapters.outbound import Outbound
from capabilities.adapters.upstream import Answer, Bounds
from capabilities.kernel.faults import (
    DeclinedError,
    LostAnswerError,
    ThrottledError,
    UnreachableError,
    WorldFaultError,
)
from tests.capabilities.adapters.scripted_neighbour import neighbour, raw

QUICK = Bounds(connect_s=1, read_s=0.2, total_s=0.5, body_bytes=1000, pauses_s=(0.0, 0.0))


async def sent(address: str, to: str | None = None) -> Answer:
    async with Outbound(version="0", bounds=QUICK) as outbound:
        way = outbound.neighbour("it", address)
        return await way.send(to or address, b"a=1", "text/plain", headers={"X-Key": "k"})


async def silence(_scope: Scope, _receive: Receive, _send: Send) -> None:
    await anyio.sleep_forever()


async def half_an_answer(_scope: Scope, _receive: Receive, send: Send) -> None:
    headers = [(b"content-length", b"100")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"half", "more_body": True})
    await anyio.sleep_forever()


@pytest.mark.anyio
async def test_an_answer_is_returned_with_its_headers() -> None:
    answering = raw(409, b"no", {"X-Session": "abc", "Set-Cookie": "a=1; path=/"})
    async with neighbour(answering) as other:
        answer = await sent(other.address)

    assert (answer.status, answer.body) == (409, b"no")
    assert answer.headers["x-session"] == "abc"
    assert other.requests[0].method == "POST"
    assert other.requests[0].headers["x-key"] == "k"
    assert "abc" not in repr(answer)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "answering",
    [raw(500, b""), raw(503, b""), raw(200, b"x" * 2000), silence, half_an_answer],
)
async def test_what_was_sent_and_not_answered_is_not_known_and_not_sent_again(
    answering: Callable[[Scope, Receive, Send], Awaitable[None]],
) -> None:
    async with neighbour(answering) as other:
        with pytest.raises(LostAnswerError):
            await sent(other.address)

    assert len(other.requests) == 1


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("address", "to", "fault"),
    [
        ("http://127.0.0.1:9", None, UnreachableError),
        ("http://127.0.0.1:9", "http://127.0.0.1:10/", DeclinedError),
    ],
)
async def test_what_was_not_sent_has_no_effect(
    address: str, to: str | None, fault: type[WorldFaultError]
) -> None:
    with pytest.raises(fault):
        await sent(address, to)


@pytest.mark.anyio
async def test_being_asked_to_slow_down_is_no_lost_answer() -> None:
    async with neighbour(raw(429, b"", {"Retry-After": "3"})) as other:
        with pytest.raises(ThrottledError) as raised:
            await sent(other.address)

    assert raised.value.retry_after_s == 3
    assert len(other.requests) == 1


@pytest.mark.anyio
async def test_a_read_that_is_made_once_is_not_tried_again() -> None:
    async with (
        neighbour(raw(500, b"")) as other,
        Outbound(version="0", bounds=QUICK) as outbound,
    ):
        with pytest.raises(UnreachableError):
            await outbound.neighbour("it", other.address).read(other.address, once=True)

    assert len(other.requests) == 1
