"""The ledger's database, opened: writes on one thread, reads on a few.

On both databases every write behaves as if it were alone: SQLite has one writer, PostgreSQL
refuses what would not be serialisable, and it is run again.
"""

import socket
from collections.abc import Callable
from typing import TypeAlias, TypeVar

import anyio
import anyio.to_thread
import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from ledger import postgres, sqlite
from ledger.clock import new_id
from ledger.faults import LedgerUnavailableError
from ledger.location import Location, SqliteFile
from ledger.refusals import refuses, told
from ledger.writer import Manners, Transaction, Writer

T = TypeVar("T")

Snapshot: TypeAlias = sa.Connection
"""One consistent view of the ledger, handed to whoever reads; only stores run statements on it."""

READERS = 4


def writing_engine(location: Location) -> sa.Engine:
    """An engine for whole, serialisable write transactions on ``location``."""
    match location:
        case SqliteFile():
            return sqlite.writing_engine(location)
        case _:
            return postgres.writing_engine(location)


def _writer(engine: sa.Engine) -> Writer:
    if engine.dialect.name == "postgresql":
        engine, manners = postgres.for_writer(engine), postgres.MANNERS
    else:
        manners = Manners()
    return Writer(engine, manners=manners, name=_fresh_identity())


def _reading_engine(location: Location) -> sa.Engine:
    match location:
        case SqliteFile():
            return sqlite.reading_engine(location, READERS)
        case _:
            return postgres.reading_engine(location, READERS)


class Database:
    """Reads on a few threads, writes on one; a whole transaction is one crossing.

    Attributes:
        location: where it is.
    """

    def __init__(self, location: Location) -> None:
        """Open ``location``, whose tables a migration has already made."""
        self.location = location
        self._writing = writing_engine(location)
        self._reading = _reading_engine(location)
        self._writer = _writer(self._writing)
        self._limiter = anyio.CapacityLimiter(READERS)
        self._closed = False

    @property
    def worker(self) -> str:
        """The identity under which this process writes and works; new at every opening."""
        return self._writer.name

    def take_identity(self) -> str:
        """Write under a new identity from now on; that identity."""
        self._writer.name = _fresh_identity()
        return self._writer.name

    async def write(self, work: Callable[[Transaction], T]) -> T:
        """Run ``work`` durably; see `ledger.writer.Writer.write`."""
        return await self._writer.write(work)

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        """Run ``work`` on one consistent snapshot.

        Raises:
            LedgerUnavailableError: the database could not be read, or is closed.
        """
        if self._closed:
            raise LedgerUnavailableError("the ledger is closed")
        return await anyio.to_thread.run_sync(self._read, work, limiter=self._limiter)

    def _read(self, work: Callable[[sa.Connection], T]) -> T:
        try:
            with self._reading.begin() as conn:
                return work(conn)
        except DatabaseError as refused:
            if not refuses(refused):
                raise
            raise told("the ledger could not be read", refused) from refused

    def close(self) -> None:
        """Finish queued writes and let go of the database."""
        self._closed = True
        self._writer.close()
        self._writing.dispose()
        self._reading.dispose()


def _fresh_identity() -> str:
    return f"{socket.gethostname()[:64]}-{new_id('x')[2:14]}"
