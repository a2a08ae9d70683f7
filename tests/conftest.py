"""What every test may rely on."""

import pytest


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The engine runs on asyncio only, so the tests do too."""
    return "asyncio"
