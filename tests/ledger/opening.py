"""A ledger that the tests of a module share, on either database."""

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from ledger.clock import Clock
from ledger.ledger import Ledger
from ledger.location import Location, SqliteFile, database_file
from ledger.pace import Pace
from tests.ledger.homes import furnish
from tests.ledger.moments import START
from tests.ledger.segments import ledger_at
from tests.postgres import Server

DATABASES = ["sqlite", "postgresql"]

AT_ONCE = Pace(first_pause_s=0)
"""What failed is tried again without a pause: the library's timer ticks once a second only."""


@contextmanager
def place(request: pytest.FixtureRequest, folder: Path) -> Generator[Location]:
    """A migrated, empty ledger on the database that a fixture's parameter names."""
    if request.param == "sqlite":
        furnish(folder)
        yield SqliteFile(database_file(folder))
        return
    server: Server = request.getfixturevalue("postgres")
    made = server.create()
    yield made
    server.drop(made)


@asynccontextmanager
async def timeless(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Ledger]:
    """A ledger whose wall clock stands still, for the tests of a module to share."""
    with place(request, tmp_path_factory.mktemp("home")) as location:
        async with ledger_at(location, Clock(now=lambda: START), AT_ONCE) as ledger:
            yield ledger
