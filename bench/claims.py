"""Durable claim and settlement against the raw driver's committed insert and update."""

import asyncio
import sqlite3
import tempfile
from pathlib import Path

from bench.measured import Figure, medians
from ledger.clock import Clock, new_id
from ledger.database import Database
from ledger.location import SqliteFile
from ledger.migrate import migrate
from ledger.stores import claims
from ledger.stores.claims import ClaimState, NewClaim, Settlement

ACTS = 320


async def measure() -> list[Figure]:
    """Acts per second, at one caller and at thirty-two."""
    with tempfile.TemporaryDirectory() as folder:
        ours = Path(folder) / "ours.sqlite"
        migrate(SqliteFile(ours))
        database = Database(SqliteFile(ours))
        alone, together, floor = await medians(
            lambda: _acts(database, callers=1),
            lambda: _acts(database, callers=32),
            lambda: _raw(Path(folder) / "raw.sqlite"),
        )
        database.close()
    raw = ACTS / floor
    return [
        Figure("claims, 1 caller", "acts/s", ACTS / alone, raw, ">= 0.25"),
        Figure("claims, 32 callers", "acts/s", ACTS / together, raw, ">= 1.00"),
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


async def _raw(path: Path) -> None:
    """Insert and update, each committed, in the loop: nothing but driver and disk."""
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("CREATE TABLE IF NOT EXISTS act (id TEXT PRIMARY KEY, body TEXT, done TEXT)")
    for _ in range(ACTS):
        key = new_id("key")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO act VALUES (?, ?, NULL)", (key, "x" * 300))
        connection.execute("COMMIT")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE act SET done = 'yes' WHERE id = ?", (key,))
        connection.execute("COMMIT")
    connection.close()
