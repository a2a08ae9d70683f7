"""Opening the ledger's SQLite file: full durability, one writer, several readers."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias, TypeVar

import anyio
import anyio.to_thread
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import StaticPool

from ledger.faults import LedgerUnavailableError
from ledger.writer import Transaction, Writer, refuses

T = TypeVar("T")

Snapshot: TypeAlias = sa.Connection
"""One consistent view of the ledger, handed to whoever reads; only stores run statements on it."""

BUSY_TIMEOUT_MS = 10_000
READERS = 4

_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
)


def sqlite_url(path: Path) -> str:
    """The SQLAlchemy address of a SQLite file."""
    return f"sqlite:///{path}"


def writing_engine(path: Path, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> sa.Engine:
    """An engine whose transactions take the write lock at once.

    The driver's own way opens no transaction before the first write, so that a read followed by
    a write protects nothing; ``BEGIN IMMEDIATE`` is a matter of correctness here. A lock of
    somebody else is waited for, for at most ``busy_timeout_ms``.
    """
    engine = sa.create_engine(
        sqlite_url(path), poolclass=StaticPool, connect_args=_connecting(busy_timeout_ms)
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _reading_engine(path: Path, busy_timeout_ms: int) -> sa.Engine:
    engine = sa.create_engine(
        sqlite_url(path),
        pool_size=READERS,
        max_overflow=0,
        connect_args=_connecting(busy_timeout_ms),
    )
    event.listen(engine, "connect", _prepare_reader)
    event.listen(engine, "begin", _begin_deferred)
    return engine


def _connecting(busy_timeout_ms: int) -> dict[str, object]:
    return {"check_same_thread": False, "timeout": busy_timeout_ms / 1000}


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None
    for pragma in _PRAGMAS:
        connection.execute(pragma)


def _prepare_reader(connection: sqlite3.Connection, record: object) -> None:
    _prepare(connection, record)
    connection.execute("PRAGMA query_only=ON")


def _begin_immediate(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_deferred(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN")


class Database:
    """Reads on a few threads, writes on one; a whole transaction is one crossing."""

    def __init__(self, path: Path, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> None:
        """Open ``path``, whose tables a migration has already made."""
        self.path = path
        self._writing = writing_engine(path, busy_timeout_ms)
        self._reading = _reading_engine(path, busy_timeout_ms)
        self._writer = Writer(self._writing)
        self._limiter = anyio.CapacityLimiter(READERS)
        self._closed = False

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
            raise LedgerUnavailableError(
                f"the ledger could not be read: {refused.orig}"
            ) from refused

    def close(self) -> None:
        """Finish queued writes and let go of the file."""
        self._closed = True
        self._writer.close()
        self._writing.dispose()
        self._reading.dispose()
