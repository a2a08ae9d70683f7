"""A download client somewhere else, over HTTP on 127.0.0.1, that counts what really happened.

It speaks the little of qBittorrent's Web API (5.0) that adding and looking takes, once for every
tenant: the first part of a path names one, and tenants know nothing of each other. A torrent file
is the whole body of an add. Beside it there is a button without a memory: pressing it twice does
the thing twice, and nobody can look afterwards whether it was pressed.
"""

from collections import defaultdict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha1

import anyio
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from world.bencoding import decode, encode
from world.serving import serving


class Arrival(StrEnum):
    """When what was asked of a tenant really happens; the answer comes after it, or never.

    ``AFTER_A_LOOK``: once somebody has looked for it. ``AFTER_THE_NEXT``: once it is asked for
    again, the later request first. ``NEVER``: not at all.
    """

    AT_ONCE = "at_once"
    AFTER_A_LOOK = "after_a_look"
    AFTER_THE_NEXT = "after_the_next"
    NEVER = "never"


_GONE = PlainTextResponse("", 503)


@dataclass(slots=True)
class Tenant:
    """What one tenant was asked, and what came of it.

    Attributes:
        torrents: the info-hashes that it has.
        asked: how many adds arrived whole.
        added: how many of them made a new torrent; one that is there already makes none.
        pressed: how often the button did its thing.
    """

    arrival: Arrival = Arrival.AT_ONCE
    torrents: list[str] = field(default_factory=list[str])
    asked: int = 0
    added: int = 0
    pressed: int = 0
    looked: anyio.Event = field(default_factory=anyio.Event)
    happened: anyio.Event = field(default_factory=anyio.Event)


class ClientDouble:
    """The server of all tenants."""

    def __init__(self) -> None:
        self.address = ""
        self.over = anyio.Event()
        self.tenants: defaultdict[str, Tenant] = defaultdict(Tenant)

    def routes(self) -> list[Route]:
        """What it answers to."""
        return [
            Route("/{tenant}/api/v2/torrents/add", self._add, methods=["POST"]),
            Route("/{tenant}/api/v2/torrents/info", self._info),
            Route("/{tenant}/button", self._press, methods=["POST"]),
            Route("/ping", _pong),
        ]

    async def _add(self, request: Request) -> Response:
        tenant = self._tenant(request)
        info_hash = sha1(_info_section(await request.body()), usedforsecurity=False).hexdigest()
        if not await self._arrives(tenant):
            return _GONE
        if info_hash not in tenant.torrents:
            tenant.torrents.append(info_hash)
            tenant.added += 1
        tenant.happened.set()
        return PlainTextResponse("Ok.")

    async def _press(self, request: Request) -> Response:
        tenant = self._tenant(request)
        await request.body()
        if not await self._arrives(tenant):
            return _GONE
        tenant.pressed += 1
        tenant.happened.set()
        return PlainTextResponse("Ok.")

    async def _info(self, request: Request) -> Response:
        tenant = self._tenant(request)
        wanted = request.query_params.get("hashes", "").lower().split("|")
        found = [{"hash": each} for each in tenant.torrents if each in wanted]
        if tenant.asked:
            tenant.looked.set()
        return JSONResponse(found)

    async def _arrives(self, tenant: Tenant) -> bool:
        """Wait until what was asked happens; only the first request of a tenant is late."""
        tenant.asked += 1
        if tenant.asked > 1:
            return True
        match tenant.arrival:
            case Arrival.AT_ONCE:
                return True
            case Arrival.AFTER_A_LOOK:
                return await self._comes(tenant.looked)
            case Arrival.AFTER_THE_NEXT:
                return await self._comes(tenant.happened)
            case Arrival.NEVER:
                return await self._comes(anyio.Event())

    async def _comes(self, event: anyio.Event) -> bool:
        """Whether the event comes before the end of it all."""
        async with anyio.create_task_group() as waiting:

            async def for_the_end() -> None:
                await self.over.wait()
                waiting.cancel_scope.cancel()

            waiting.start_soon(for_the_end)
            await event.wait()
            waiting.cancel_scope.cancel()
        return event.is_set()

    def _tenant(self, request: Request) -> Tenant:
        return self.tenants[request.path_params["tenant"]]


@asynccontextmanager
async def client_double() -> AsyncGenerator[ClientDouble]:
    """The client for the time of the block, at ``address``."""
    double = ClientDouble()
    application = Starlette(routes=double.routes(), exception_handlers={ClientDisconnect: _hang_up})
    async with serving(application) as base:
        double.address = base
        try:
            yield double
        finally:
            double.over.set()


def _info_section(torrent: bytes) -> bytes:
    """What a v1 info-hash is the SHA-1 of."""
    return encode(decode(torrent)[b"info"])


async def _hang_up(request: Request, error: Exception) -> Response:
    """Somebody died in the middle of a request: nothing was asked."""
    del request, error
    return _GONE


async def _pong(request: Request) -> Response:
    del request
    return PlainTextResponse("pong")
