"""Lines out of a byte stream, none of them kept beyond a bound."""

from collections.abc import AsyncGenerator

import anyio
from anyio.abc import ByteReceiveStream

CHUNK = 65_536


class Lines:
    """The lines of one stream; it survives those that are too long."""

    def __init__(self, stream: ByteReceiveStream) -> None:
        """Read from ``stream``."""
        self._stream = stream
        self._held = bytearray()
        self._searched = 0

    async def first(self, most: int) -> bytes | None:
        """The next line; None when the stream ends or the line has over ``most`` bytes.

        A broken connection counts as its end.
        """
        line = await self._next(most)
        return line or None

    async def all(self, most: int) -> AsyncGenerator[bytes | None]:
        """Every further line; None in place of one that has over ``most`` bytes."""
        while (line := await self._next(most)) != b"":
            yield line

    async def _next(self, most: int) -> bytes | None:
        """A line, None for one that was too long and is gone, or nothing at the end."""
        too_long = False
        while True:
            end = self._held.find(b"\n", self._searched) + 1
            if not end:
                self._searched = len(self._held)
                if self._searched > most:
                    too_long = True
                    self._drop(self._searched)
                if await self._more():
                    continue
                end = len(self._held)
            line = bytes(self._held[:end])
            self._drop(end)
            return None if too_long or len(line) > most else line

    async def _more(self) -> bool:
        try:
            self._held += await self._stream.receive(CHUNK)
        except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
            return False
        return True

    def _drop(self, count: int) -> None:
        del self._held[:count]
        self._searched = 0
