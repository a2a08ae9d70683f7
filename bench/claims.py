"""Durable claim and settlement against the raw driver's committed insert and update."""

import asyncio
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import psycopg

from bench.measured import Figure, medians
from ledger.clock import Clock, new_id
from ledger.database import Database
from ledger.location import Location, PostgresServer, SqliteFile
from ledger.migrate import migrate
from ledger.stores import claims
from ledger.stores.claims import ClaimState, NewClaim, Settlement
from tests.postgres import serving

ACTS = 320
MANY = 32
BODY = "x" * 300

Raw = Callable[[], Awaitable[None]]


async def measure() -> list[Figure]:
    """Acts per second at one caller and at thirty-two, on either database.

    The floor is one connection of the driver itself, each statement in a commit of its own, with
    every commit on the disk.
    """
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        ours = SqliteFile(home / "ours.sqlite")
        figures = await _beside(ours, lambda: _raw_sqlite(home / "raw.sqlite"), "SQLite")
    with serving(durable=True) as server:
        shared = server.create()
        figures += await _beside(shared, lambda: _raw_postgres(shared), "PostgreSQL")
    return figures


async def _beside(location: Location, raw: Raw, where: str) -> list[Figure]:
    migrate(location)
    database = Database(location)
    try:
        alone, together, floor = await medians(
            lambda: _acts(database, callers=1), lambda: _acts(database, callers=MANY), raw
        )
    finally:
        database.close()
    return [
        Figure(f"claims, 1 caller, {where}", "acts/s", ACTS / alone, ACTS / floor, ">= 0.25"),
        Figure(
            f"claims, {MANY} callers, {where}", "acts/s", ACTS / together, ACTS / floor, ">= 1.00"
        ),
    ]


async def _acts(database: Database, *, callers: int) -> None:
    async def caller() -> None:
        for _ in range(ACTS // callers):
            await _act(database)

    async with asyncio.TaskGroup() as group:
        for _ in range(callers):
            group.create_task(caller())


async def _act(database: Database) -> None:
    clock = Clock()
    key = new_id("key")
    new = NewClaim(
        capability="bench.act",
        version=1,
        actor="system:bench",
        principal="system:bench",
        run=None,
        request=key,
        call_id=key,
        fingerprint=key,
        key=key,
        natural_key=None,
        worker="bench",
        target={"kind": "nothing", "natural_key": None, "facts": {}},
        plan=None,
        plan_hash=None,
        plan_revision=None,
        authority=None,
    )
    claim = await database.write(lambda tx: claims.claim(tx, new, clock.now()))
    end = Settlement(ClaimState.SUCCEEDED, {"done": True}, sentence="Done.")
    await database.write(lambda tx: claims.settle(tx, claim.id, claim.token, end, clock.now()))


_TABLE = "CREATE TABLE IF NOT EXISTS act (id TEXT PRIMARY KEY, body TEXT, done TEXT)"


async def _raw_sqlite(path: Path) -> None:
    """Insert and update, each committed, in the loop: nothing but driver and disk."""
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute(_TABLE)
    for _ in range(ACTS):
        key = new_id("key")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO act VALUES (?, ?, NULL)", (key, BODY))
        connection.execute("COMMIT")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE act SET done = 'yes' WHERE id = ?", (key,))
        connection.execute("COMMIT")
    connection.close()


async def _raw_postgres(server: PostgresServer) -> None:
    """The same on the server, each statement a transaction of its own."""
    address = server.url.replace("+psycopg", "", 1)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(_TABLE)
        for _ in range(ACTS):
            key = new_id("key")
            connection.execute("INSERT INTO act VALUES (%s, %s, NULL)", (key, BODY))
            connection.execute("UPDATE act SET done = 'yes' WHERE id = %s", (key,))
