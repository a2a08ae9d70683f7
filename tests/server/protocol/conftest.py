"""The house, and its socket, for every test of a door."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.server.protocol.house import House, built_house


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    async with built_house(tmp_path) as built:
        yield built


@pytest.fixture
async def path(house: House) -> AsyncGenerator[Path]:
    """The socket at which the house is served."""
    async with house.on_socket() as served:
        yield served
