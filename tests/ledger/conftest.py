"""An empty ledger for every test, on either database: a place, opened, one transaction."""

from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest

from ledger.database import Database, writing_engine
from ledger.location import Location, SqliteFile, database_file
from ledger.writer import Transaction
from tests.ledger.homes import furnish
from tests.ledger.opening import DATABASES, timeless
from tests.ledger.segments import Stage, launched
from tests.postgres import Server

SHORT_BUSY_MS = 200
PATIENT_BUSY_MS = 5_000


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a migrated ledger."""
    furnish(tmp_path)
    return tmp_path


@pytest.fixture
def sqlite(home: Path) -> SqliteFile:
    """The ledger's file; locks of others are waited for only shortly."""
    return SqliteFile(database_file(home), SHORT_BUSY_MS)


@pytest.fixture(params=DATABASES)
def location(request: pytest.FixtureRequest) -> Generator[Location]:
    """A migrated, empty ledger, once on each database."""
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite")
        return
    server: Server = request.getfixturevalue("postgres")
    made = server.create()
    yield made
    server.drop(made)


@pytest.fixture
def shared(location: Location) -> Location:
    """The same for two who write at once: a lock of the other one is waited for."""
    if isinstance(location, SqliteFile):
        return SqliteFile(location.path, PATIENT_BUSY_MS)
    return location


@pytest.fixture
async def database(location: Location) -> AsyncGenerator[Database]:
    """The opened database."""
    opened = Database(location)
    yield opened
    opened.close()


@pytest.fixture
def tx(location: Location) -> Generator[Transaction]:
    """One open transaction, for stores."""
    engine = writing_engine(location)
    with engine.begin() as conn:
        yield Transaction(conn)
    engine.dispose()


@pytest.fixture(scope="module", params=DATABASES)
async def stage(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Stage]:
    """Segments at work, once on each database; every test has subjects of its own."""
    async with timeless(request, tmp_path_factory) as ledger:
        yield await launched(ledger)
