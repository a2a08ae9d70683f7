"""Between a client and a real Transmission: what it answers can get lost or spoilt on the way.

Every request reaches Transmission unless it is told otherwise, so what was asked happens.
"""

import json
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus

import anyio
import httpx2
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from world.serving import serving

Mishap = Callable[[Response], Awaitable[Response]]
"""Made of the good answer: what is sent in its place."""

_PASSED_ON = ("authorization", "content-type", "x-transmission-session-id")
_BROUGHT_BACK = ("x-transmission-session-id", "content-type", "location")


@dataclass(slots=True)
class RpcProxy:
    """What happens to which calls.

    Attributes:
        address: of the proxy, with the path left out.
        mishaps: by the method of a call; those that are not named pass as they are.
        calls: how often each method reached Transmission and was answered with 200.
        requests: how many requests came.
        fake: what answers instead of Transmission, if anything.
    """

    address: str = ""
    mishaps: dict[str, Mishap] = field(default_factory=dict[str, Mishap])
    calls: Counter[str] = field(default_factory=Counter[str])
    requests: int = 0
    fake: Response | None = None
    over: anyio.Event = field(default_factory=anyio.Event)

    async def lost(self, good: Response) -> Response:
        """Nothing comes, as long as the proxy is there."""
        await self.over.wait()
        return good


async def garbage(good: Response) -> Response:
    """Something else than JSON."""
    del good
    return PlainTextResponse("<html>It works!</html>")


def replaced(before: bytes, after: bytes) -> Mishap:
    """The good answer with other bytes somewhere."""

    async def spoil(good: Response) -> Response:
        return Response(bytes(good.body).replace(before, after), media_type="application/json")

    return spoil


def chained(*mishaps: Mishap) -> Mishap:
    """One after the other."""

    async def spoil(good: Response) -> Response:
        for mishap in mishaps:
            good = await mishap(good)
        return good

    return spoil


@asynccontextmanager
async def proxying(upstream: str) -> AsyncGenerator[RpcProxy]:
    """A proxy before the Transmission at this address for the time of the block."""
    proxy = RpcProxy()
    async with httpx2.AsyncClient(trust_env=False, timeout=10) as client:

        async def pass_on(request: Request) -> Response:
            proxy.requests += 1
            if proxy.fake is not None:
                return proxy.fake
            body = await request.body()
            headers = {
                name: request.headers[name] for name in _PASSED_ON if name in request.headers
            }
            try:
                answer = await client.post(
                    f"{upstream}{request.url.path}", content=body, headers=headers
                )
            except httpx2.HTTPError:
                return PlainTextResponse("", 502)
            kept = {name: answer.headers[name] for name in _BROUGHT_BACK if name in answer.headers}
            good = Response(answer.content, answer.status_code, kept)
            if answer.status_code != HTTPStatus.OK:
                return good
            method = json.loads(body)["method"]
            proxy.calls[method] += 1
            mishap = proxy.mishaps.get(method)
            return good if mishap is None else await mishap(good)

        application = Starlette(routes=[Route("/{path:path}", pass_on, methods=["POST"])])
        async with serving(application) as proxy.address:
            try:
                yield proxy
            finally:
                proxy.over.set()
