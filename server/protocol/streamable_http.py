"""MCP over streamable HTTP, to be put into the application that serves everything else.

Both protocol eras on one path: MCP 2026-07-28, basic/transports, and the older handshake
without sessions, so that nothing is lost when the server restarts.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.routing import Route

from server.protocol.callers import Callers
from server.protocol.door import Door
from server.protocol.key_gate import KeyGate

PATH = "/mcp"
MOST_BODY_BYTES = 4 * 1024 * 1024


class StreamableHttp:
    """The route of `/mcp`, and what has to run while it is served."""

    def __init__(self, door: Door, callers: Callers, *, allowed_hosts: Sequence[str] = ()) -> None:
        """Let holders of keys speak with ``door``.

        Args:
            door: answers the requests.
            callers: knows the keys.
            allowed_hosts: names besides loopback under which the server may be reached.
        """
        # Host and Origin are the gate's business, before anything is read.
        self._manager = StreamableHTTPSessionManager(
            door.server, stateless=True, max_request_body_size=MOST_BODY_BYTES
        )
        gate = KeyGate(StreamableHTTPASGIApp(self._manager), callers, allowed_hosts)
        self.route = Route(PATH, endpoint=gate)
        """For `app.router.routes`; a mount would answer `/mcp` with a redirect."""

    @asynccontextmanager
    async def run(self) -> AsyncGenerator[None]:
        """To be entered by the application's lifespan, once."""
        async with self._manager.run():
            yield
