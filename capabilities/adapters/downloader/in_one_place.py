"""A download client that works in one process at a time, as every other process sees it too."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio

from capabilities.adapters.downloader.client_health import ClientHealth
from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.metadata_source import MetadataSource
from capabilities.adapters.downloader.port import (
    AddRequest,
    Downloader,
    Pauser,
    Transfer,
)
from capabilities.adapters.downloader.torrent_file import Magnet
from capabilities.kernel.faults import DeclinedError, ElsewhereError

NOWHERE = "it is not running in any process at the moment"

Open = Callable[[], AbstractAsyncContextManager[Downloader]]


class InOnePlace:
    """`Downloader` for a client that must not run twice on the same files.

    Where this process was given the client, `here` runs it; everywhere else, and before, every
    call fails as unreachable and says where it is.
    """

    def __init__(self, name: str, kind: str, open_: Open) -> None:
        """Take the client's name and kind, and how it is opened."""
        self.name = name
        self.kind = kind
        self._open = open_
        self._client: Downloader | None = None
        self._is_here = anyio.Event()
        self._whereabouts = NOWHERE

    @asynccontextmanager
    async def here(self) -> AsyncGenerator[None]:
        """Run the client in this process for the time of the block.

        Raises:
            OSError: its files cannot be opened.
        """
        async with self._open() as client:
            self._client = client
            self._is_here.set()
            try:
                yield
            finally:
                self._client, self._whereabouts = None, NOWHERE
                self._is_here = anyio.Event()

    @property
    def is_here(self) -> bool:
        """Whether this process runs it now."""
        return self._client is not None

    async def arrival(self) -> None:
        """Wait until this process runs it."""
        await self._is_here.wait()

    def runs_elsewhere(self, whereabouts: str) -> None:
        """Remember where it runs, as the end of a sentence for a person."""
        self._whereabouts = whereabouts

    async def add(self, request: AddRequest) -> InfoHashes:
        """See `Downloader.add`."""
        return await self._at_hand().add(request)

    async def transfer(self, info_hash: str) -> Transfer | None:
        """See `Downloader.transfer`."""
        return await self._at_hand().transfer(info_hash)

    async def transfers(self) -> Sequence[Transfer]:
        """See `Downloader.transfers`."""
        return await self._at_hand().transfers()

    async def pause(self, info_hash: str, *, by: Pauser) -> None:
        """See `Downloader.pause`."""
        await self._at_hand().pause(info_hash, by=by)

    async def resume(self, info_hash: str, *, by: Pauser) -> None:
        """See `Downloader.resume`."""
        await self._at_hand().resume(info_hash, by=by)

    async def recheck(self, info_hash: str) -> None:
        """See `Downloader.recheck`."""
        await self._at_hand().recheck(info_hash)

    async def remove(self, info_hash: str, *, delete_data: bool) -> None:
        """See `Downloader.remove`."""
        await self._at_hand().remove(info_hash, delete_data=delete_data)

    async def metadata(self, magnet: Magnet) -> bytes:
        """See `MetadataSource.metadata`."""
        client = self._at_hand()
        if not isinstance(client, MetadataSource):
            raise DeclinedError(self._system(), "It cannot look into a magnet.")
        return await client.metadata(magnet)

    @asynccontextmanager
    async def changes(self) -> AsyncGenerator[AsyncIterator[str]]:
        """See `Downloader.changes`; begins once the client is here."""
        await self._is_here.wait()
        async with self._at_hand().changes() as changes:
            yield changes

    async def health(self) -> ClientHealth:
        """How it is; elsewhere it cannot be reached, and the note says where it is."""
        if self._client is None:
            return ClientHealth("", reachable=False, note=self._sentence())
        return await self._client.health()

    async def aclose(self) -> None:
        """Let go of the client where it is here."""
        if self._client is not None:
            await self._client.aclose()

    def _at_hand(self) -> Downloader:
        if self._client is None:
            raise ElsewhereError(self._system(), self._sentence())
        return self._client

    def _system(self) -> str:
        return f'the download client "{self.name}"'

    def _sentence(self) -> str:
        return f"It works in one process only, and {self._whereabouts}."
