"""A loopback system that answers as it is told and remembers who came."""

from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from world.serving import serving


@dataclass
class Neighbour:
    """Answers come from `script`, then from `default`."""

    default: ASGIApp = field(default_factory=lambda: PlainTextResponse("well"))
    script: deque[ASGIApp] = field(default_factory=deque[ASGIApp])
    requests: list[Request] = field(default_factory=list[Request])
    address: str = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.requests.append(Request(scope))
        answer = self.script.popleft() if self.script else self.default
        await answer(scope, receive, send)


@asynccontextmanager
async def neighbour(
    *script: ASGIApp, default: ASGIApp | None = None, host: str = "127.0.0.1"
) -> AsyncGenerator[Neighbour]:
    scripted = Neighbour(script=deque(script))
    if default is not None:
        scripted.default = default

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await scripted(scope, receive, send)

    async with serving(app, host=host) as address:
        scripted.address = address
        yield scripted


def raw(status: int, body: bytes, headers: dict[str, str] | None = None) -> ASGIApp:
    """An answer that claims what its headers claim, true or not."""

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        pairs = [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
        await send({"type": "http.response.start", "status": status, "headers": pairs})
        await send({"type": "http.response.body", "body": body})

    return app
