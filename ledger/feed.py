"""Telling readers that something new was committed; the rows are the truth, this is the bell."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream


class Feed:
    """Rings for readers after a commit. A slow reader is rung once; it re-reads by sequence."""

    def __init__(self) -> None:
        """Start with nobody listening."""
        self._bells: set[MemoryObjectSendStream[None]] = set()

    def ring(self) -> None:
        """Tell everyone who listens; must run on the event loop."""
        for bell in tuple(self._bells):
            try:
                bell.send_nowait(None)
            except (anyio.WouldBlock, anyio.BrokenResourceError):
                continue  # rung already, or closed by its reader

    @asynccontextmanager
    async def listening(self) -> AsyncGenerator[MemoryObjectReceiveStream[None]]:
        """A stream of rings: subscribe first, read rows, then wait, and nothing is missed."""
        send, receive = anyio.create_memory_object_stream[None](1)
        self._bells.add(send)
        try:
            yield receive
        finally:
            self._bells.discard(send)
            send.close()
            receive.close()
