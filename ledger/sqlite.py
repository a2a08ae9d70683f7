"""Opening the ledger's SQLite file: full durability, one writer, several readers."""

import sqlite3

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.pool import QueuePool

from ledger.location import SqliteFile

_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
)


def writing_engine(file: SqliteFile) -> sa.Engine:
    """An engine whose transactions take the write lock at once.

    The driver's own way opens no transaction before the first write, so that a read followed by
    a write protects nothing; ``BEGIN IMMEDIATE`` is a matter of correctness here.
    """
    engine = _engine(file, connections=1)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def reading_engine(file: SqliteFile, connections: int) -> sa.Engine:
    """An engine whose transactions are snapshots that cannot write."""
    engine = _engine(file, connections)
    event.listen(engine, "connect", _prepare_reader)
    event.listen(engine, "begin", _begin_deferred)
    return engine


def _engine(file: SqliteFile, connections: int) -> sa.Engine:
    return sa.create_engine(
        file.url,
        poolclass=QueuePool,
        pool_size=connections,
        max_overflow=0,
        connect_args={"check_same_thread": False, "timeout": file.busy_timeout_ms / 1000},
    )


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
