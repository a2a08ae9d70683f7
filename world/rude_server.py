"""Something on 127.0.0.1 that answers every HTTP request badly, each in the same manner."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus

import anyio
from anyio.abc import SocketAttribute, SocketStream

_HUGE_BYTES = 100_000_000
_PIECE = b'{"a": "' + b"x" * 65_520 + b'"},'
_DRIP_S = 1.0


class Manner(StrEnum):
    """How it answers.

    ``HANG``: not at all. ``DRIP``: a byte a second. ``CUT``: the connection ends in the middle of a
    body. ``HUGE``: a hundred megabytes. ``TWICE``: the same names several times. ``NAN``: numbers
    that are none. The rest are what proxies and routers say.
    """

    HANG = "hang"
    DRIP = "drip"
    CUT = "cut"
    PICTURE = "picture"
    HUGE = "huge"
    REDIRECT = "redirect"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    THROTTLED = "throttled"
    BROKEN = "broken"
    LOGIN_PAGE = "login_page"
    TWICE = "twice"
    NAN = "nan"


_STATUSES = {
    Manner.REDIRECT: HTTPStatus.FOUND,
    Manner.UNAUTHORIZED: HTTPStatus.UNAUTHORIZED,
    Manner.FORBIDDEN: HTTPStatus.FORBIDDEN,
    Manner.THROTTLED: HTTPStatus.TOO_MANY_REQUESTS,
    Manner.BROKEN: HTTPStatus.INTERNAL_SERVER_ERROR,
}
_BODIES = {
    Manner.PICTURE: ("image/png", b"\x89PNG\r\n\x1a\n" + bytes(2000)),
    Manner.LOGIN_PAGE: ("text/html", b"<html><title>Sign in</title><form></form></html>"),
    Manner.TWICE: ("application/json", b'{"rid": 1, "rid": "x", "result": 1, "result": 2}'),
    Manner.NAN: ("application/json", b'{"rid": NaN, "result": NaN, "arguments": Infinity}'),
}


@dataclass(slots=True)
class RudeServer:
    """The server.

    Attributes:
        requests: how many came.
    """

    manner: Manner
    address: str = ""
    requests: int = 0

    async def answer(self, stream: SocketStream) -> None:
        """Read requests of one connection, and answer each."""
        async with stream:
            try:
                while await _head(stream):
                    self.requests += 1
                    async for piece in self._pieces():
                        await stream.send(piece)
                    if self.manner is not Manner.HANG:
                        return
            except (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream):
                return

    async def _pieces(self) -> AsyncIterator[bytes]:
        match self.manner:
            case Manner.HANG:
                await anyio.sleep_forever()
            case Manner.DRIP:
                yield _headed("application/json", 1000)
                while True:
                    await anyio.sleep(_DRIP_S)
                    yield b"{"
            case Manner.CUT:
                yield _headed("application/json", 1000) + b'{"rid": 1, "torre'
            case Manner.HUGE:
                yield _headed("application/json", _HUGE_BYTES)
                for _ in range(_HUGE_BYTES // len(_PIECE) + 1):
                    yield _PIECE
            case manner if manner in _STATUSES:
                yield _headed("text/plain", 0, _STATUSES[manner])
            case manner:
                kind, body = _BODIES[manner]
                yield _headed(kind, len(body)) + body


@asynccontextmanager
async def rude_server(manner: Manner) -> AsyncGenerator[RudeServer]:
    """The server for the time of the block, at ``address``."""
    server = RudeServer(manner)
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.listeners[0].extra(SocketAttribute.local_port)  # noqa: S610  # no Django here
    server.address = f"http://127.0.0.1:{port}"
    serve: Callable[[Callable[[SocketStream], Awaitable[None]]], Awaitable[None]] = listener.serve
    async with listener, anyio.create_task_group() as group:
        group.start_soon(serve, server.answer)
        yield server
        group.cancel_scope.cancel()


def _headed(kind: str, length: int, status: HTTPStatus = HTTPStatus.OK) -> bytes:
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        f"Content-Type: {kind}",
        f"Content-Length: {length}",
        "Connection: close",
        *(["Location: /login"] if status is HTTPStatus.FOUND else []),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def _head(stream: SocketStream) -> bool:
    """Whether a whole request head came; a body that follows is left unread."""
    read = b""
    while b"\r\n\r\n" not in read:
        try:
            read += await stream.receive()
        except anyio.EndOfStream:
            return False
    return True
