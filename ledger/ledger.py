"""The ledger of one home, opened."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread
import sqlalchemy as sa

from ledger.clock import Clock
from ledger.database import Database
from ledger.engine import Engine
from ledger.feed import Feed
from ledger.location import Location, located
from ledger.migrate import migrate
from ledger.writer import Transaction

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ledger:
    """Reads, writes, the engine, and the bell that tells of new rows."""

    database: Database
    engine: Engine
    feed: Feed = field(default_factory=Feed)
    clock: Clock = field(default_factory=Clock)

    @property
    def worker(self) -> str:
        """The identity under which this process claims; new at every start."""
        return self.engine.executor

    def now(self) -> datetime:
        """The moment rows of this instant bear."""
        return self.clock.now()

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        """Run ``work`` on a snapshot; see `ledger.database.Database.read`."""
        return await self.database.read(work)

    async def write(self, work: Callable[[Transaction], T]) -> T:
        """Run ``work`` durably, then tell whoever listens to the feed."""

        def and_ring(tx: Transaction) -> T:
            tx.after_commit(self.feed.ring)
            return work(tx)

        return await self.database.write(and_ring)


@asynccontextmanager
async def opened(
    home: Path, clock: Clock | None = None, *, location: Location | None = None
) -> AsyncGenerator[Ledger]:
    """Migrate and open the ledger of ``home``; the engine is launched by the caller.

    Without a ``location`` it is the home's own file.

    Raises:
        LedgerUnavailableError: see `ledger.migrate.migrate`.
    """
    clock = clock or Clock()
    location = location or located(home, None)
    await anyio.to_thread.run_sync(lambda: migrate(location, now=clock.now()))
    database = Database(location)
    ledger = Ledger(database, Engine(database, clock), clock=clock)
    try:
        yield ledger
    finally:
        try:
            with anyio.CancelScope(shield=True):
                await ledger.engine.close()
        finally:
            database.close()
