"""The way outwards with its waiting taken out, and peers that do not answer."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import anyio
from anyio.abc import Listener, SocketAttribute, SocketStream

from capabilities.adapters.address_guard import AddressGuard
from capabilities.adapters.outbound import Outbound
from capabilities.adapters.upstream import Bounds

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


@dataclass
class Pauses:
    """Takes the place of waiting, and keeps how long it would have been."""

    seconds: list[float] = field(default_factory=list[float])

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def outbound(
    pauses: Pauses | None = None, bounds: Bounds | None = None, guard: AddressGuard | None = None
) -> Outbound:
    """The way outwards, which waits for nobody."""
    return Outbound(
        version="1.2.3", bounds=bounds, guard=guard, wait=pauses or Pauses(), now=lambda: NOW
    )


def _port_of(listener: Listener[SocketStream]) -> int:
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
        yield f"http://127.0.0.1:{_port_of(listener)}", came
        group.cancel_scope.cancel()


async def refused_address() -> str:
    """An address of this machine where nobody listens any more."""
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with listener:
        return f"http://127.0.0.1:{_port_of(listener)}"
