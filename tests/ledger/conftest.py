"""An empty ledger for every test, as a file, as a database, and as one open transaction."""

from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest

from ledger.database import Database, writing_engine
from ledger.ledger import database_file
from ledger.writer import Transaction
from tests.ledger.homes import furnish

SHORT_BUSY_MS = 200


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a migrated ledger."""
    furnish(tmp_path)
    return tmp_path


@pytest.fixture
async def database(home: Path) -> AsyncGenerator[Database]:
    """The opened database of ``home``; it waits for locks of others only shortly."""
    opened = Database(database_file(home), SHORT_BUSY_MS)
    yield opened
    opened.close()


@pytest.fixture
def tx(home: Path) -> Generator[Transaction]:
    """One open transaction on the ledger of ``home``, for stores."""
    engine = writing_engine(database_file(home))
    with engine.begin() as conn:
        yield Transaction(conn)
    engine.dispose()
