"""What every test may rely on."""

import os
from collections.abc import Generator

import pytest
from hypothesis import settings

from tests.postgres import Server, serving
from tests.promises.tally import pytest_runtest_makereport, tally

# A third of the library's usual number keeps the whole within its minutes; HYPOTHESIS_PROFILE
# takes the usual one (default) for a longer search.
settings.register_profile("quick", max_examples=35, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

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
