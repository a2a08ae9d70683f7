"""An empty ledger for every test, with a clock that the test moves."""

from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest

from ledger.clock import Clock
from ledger.database import Database, writing_engine
from ledger.engine import Engine
from ledger.ledger import Ledger
from ledger.location import SqliteFile, database_file
from ledger.writer import Transaction
from tests.capabilities.watch import Watch
from tests.ledger.homes import furnish

SHORT_BUSY_MS = 200


@pytest.fixture
def watch() -> Watch:
    """The clock of the ledger."""
    return Watch()


@pytest.fixture
async def ledger(tmp_path: Path, watch: Watch) -> AsyncGenerator[Ledger]:
    """The opened ledger; it waits for locks of others only shortly."""
    furnish(tmp_path)
    database = Database(SqliteFile(database_file(tmp_path), SHORT_BUSY_MS))
    clock = Clock(now=watch.now, monotonic=watch.monotonic)
    yield Ledger(database, Engine(database, clock), clock=clock)
    database.close()


@pytest.fixture
def tx(tmp_path: Path) -> Generator[Transaction]:
    """One open transaction on an empty ledger."""
    engine = writing_engine(SqliteFile(furnish(tmp_path)))
    with engine.begin() as conn:
        yield Transaction(conn)
    engine.dispose()
