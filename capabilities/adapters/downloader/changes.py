"""Telling readers which torrents changed, without a queue that could fill up."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

import anyio


class ChangedKeys:
    """One reader's view: an endless iteration over keys, each once for many changes.

    It holds at most one entry for each torrent, so a slow reader costs nothing and misses none.
    """

    def __init__(self) -> None:
        self._keys: dict[str, None] = {}
        self._closed = False
        self._stirred = anyio.Event()

    def put(self, key: str) -> None:
        """Note a change, unless the same key is still unread."""
        self._keys[key] = None
        self._stirred.set()

    def close(self) -> None:
        """End the iteration after what is still unread."""
        self._closed = True
        self._stirred.set()

    def __aiter__(self) -> AsyncIterator[str]:
        return self

    async def __anext__(self) -> str:
        while not self._keys:
            if self._closed:
                raise StopAsyncIteration
            self._stirred = anyio.Event()
            await self._stirred.wait()
        key = next(iter(self._keys))
        del self._keys[key]
        return key


class ChangeFeed:
    """Changes of one client, for any number of readers."""

    def __init__(self) -> None:
        self._readers: set[ChangedKeys] = set()
        self._closed = False

    def publish(self, key: str) -> None:
        """Tell every reader that the torrent of this key changed."""
        for reader in self._readers:
            reader.put(key)

    def close(self) -> None:
        """End every reader's iteration, that of later ones too."""
        self._closed = True
        for reader in self._readers:
            reader.close()

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[AsyncIterator[str]]:
        """A reader for the time of the block."""
        reader = ChangedKeys()
        if self._closed:
            reader.close()
        self._readers.add(reader)
        try:
            yield reader
        finally:
            self._readers.discard(reader)
