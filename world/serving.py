"""ASGI applications on a free loopback port, inside the running loop."""

import socket
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager

import anyio
import uvicorn
from anyio.lowlevel import checkpoint
from starlette.types import ASGIApp

_GRACE_S = 1
_TICKS_TO_A_CONNECTION = 5  # from its acceptance to its being counted


class _LoopbackServer(uvicorn.Server):
    """A server that says when it listens, stops when told, and leaves signals to its host."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = anyio.Event()
        self.stopping = anyio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    async def main_loop(self) -> None:
        await self.stopping.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop at once when nobody is connected: the usual way takes a tenth of a second."""
        for server in self.servers:
            server.close()
        for _ in range(_TICKS_TO_A_CONNECTION):
            await checkpoint()
        if self.server_state.connections or self.server_state.tasks:
            await super().shutdown(sockets)
        else:
            await self.lifespan.shutdown()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


@asynccontextmanager
async def serving(app: ASGIApp, *, host: str = "127.0.0.1") -> AsyncGenerator[str]:
    """Serve an application until the block ends; yields its base address, without a final slash.

    The socket listens when the block begins. At the end, requests in flight get a second, then
    they are cancelled. An exception of the block leaves it as it was raised, not in a group.
    """
    listener = _listening(host)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        date_header=False,
        ws="none",
        timeout_graceful_shutdown=_GRACE_S,
    )
    server = _LoopbackServer(config)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_run_to_its_end, server, [listener])
            await server.ready.wait()
            try:
                yield f"http://{host}:{listener.getsockname()[1]}"
            finally:
                server.stopping.set()
    except BaseExceptionGroup as raised:
        only, *others = raised.exceptions
        if others:
            raise
        raise only from only.__cause__
    finally:
        listener.close()


def _listening(host: str) -> socket.socket:
    # With the protocol named, asyncio sets TCP_NODELAY; without, streamed answers wait 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind((host, 0))
    listener.listen()
    return listener


async def _run_to_its_end(server: _LoopbackServer, sockets: Sequence[socket.socket]) -> None:
    # A cancelled server would leave sockets open; it ends by `stopping`, which cancellation sets.
    with anyio.CancelScope(shield=True):
        await server.serve(sockets=list(sockets))
