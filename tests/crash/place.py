"""Where one play of an effect happens: a home, its folders, and the world it reaches."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio

from capabilities.adapters.shelf.folders import Folders
from ledger.clock import Clock
from ledger.database import Database
from ledger.engine import Engine
from ledger.ledger import Ledger
from ledger.location import Location, PostgresServer, SqliteFile, database_file

BUSY_MS = 2_000


@dataclass(frozen=True, slots=True)
class Place:
    """A folder of its own, the address of its tenant at the double, and its ledger.

    Attributes:
        database: the address of a PostgreSQL database; empty for a file in the folder.
        busy_ms: how long a lock of others is waited for.
    """

    folder: Path
    address: str
    database: str = ""
    busy_ms: int = BUSY_MS

    @property
    def folders(self) -> Folders:
        """The downloads and the libraries."""
        return Folders(self.folder / "downloads", self.folder / "films", self.folder / "series")

    @property
    def location(self) -> Location:
        """Where the ledger is."""
        if self.database:
            return PostgresServer(self.database)
        return SqliteFile(database_file(self.folder), self.busy_ms)


@asynccontextmanager
async def ledger_of(place: Place, clock: Clock | None = None) -> AsyncGenerator[Ledger]:
    """The ledger, opened: nothing is migrated, and the engine takes orders without working."""
    clock = clock or Clock()
    database = Database(place.location)
    engine = Engine(database, clock)
    for kind in ("run", "task"):
        engine.handle(kind, "background", _nobody)
    try:
        await engine.connect()
        yield Ledger(database, engine, clock=clock)
    finally:
        try:
            with anyio.CancelScope(shield=True):
                await engine.close()
        finally:
            database.close()


async def launched_once(place: Place) -> None:
    """Let the engine make its tables."""
    async with ledger_of(place):
        pass


async def _nobody(subject: str, epoch: int) -> None:
    del subject, epoch
