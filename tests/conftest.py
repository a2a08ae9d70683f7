"""What every test may rely on."""

from collections.abc import Generator

import pytest

from tests.postgres import Server, serving
from tests.promises.tally import pytest_runtest_makereport, tally

__all__ = ["pytest_runtest_makereport", "tally"]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The engine runs on asyncio only, so the tests do too."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Generator[Server]:
    """One PostgreSQL server for all tests of this process; each makes databases of its own."""
    with serving() as server:
        yield server
