"""Listening to the clients, so that progress is seen soon and waiting tasks need not poll."""

import anyio
import structlog

from capabilities.adapters.downloader.port import Downloader, Downloaders
from capabilities.kernel.faults import WorldFaultError
from ledger.faults import LedgerUnavailableError
from server.background.tracking import Tracker

AT_MOST_EVERY_S = 1.0
AGAIN_S = 5.0

log = structlog.get_logger()


class Watcher:
    """Has readings of changed torrents written, a second apart at least."""

    def __init__(self, clients: Downloaders, tracker: Tracker) -> None:
        """Take the clients and the tracker whose tasks are to be woken."""
        self._clients = clients
        self._tracker = tracker

    async def run(self) -> None:
        """Listen to every client until cancelled."""
        async with anyio.create_task_group() as group:
            for client in self._clients.clients:
                group.start_soon(self._listen, client)

    async def _listen(self, client: Downloader) -> None:
        ended = False
        while not ended:
            try:
                ended = await self._follow(client)
            except (WorldFaultError, LedgerUnavailableError) as fault:
                log.warning("a client cannot be followed", client=client.name, why=str(fault))
                await anyio.sleep(AGAIN_S)

    async def _follow(self, client: Downloader) -> bool:
        """Until the client is closed, which it says by ending its changes."""
        async with client.changes() as changes:
            await self._note(client)  # what changed while nobody listened
            async for _ in changes:
                await self._note(client)
                await anyio.sleep(AT_MOST_EVERY_S)
        return True

    async def _note(self, client: Downloader) -> None:
        """Have it noted, again where that came at a moment at which nobody could be woken."""
        missed = await self._tracker.note(client)
        while missed:
            await anyio.sleep(AT_MOST_EVERY_S)
            missed = await self._tracker.note(client)
