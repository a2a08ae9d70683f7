"""A theatre and a zygote for each module: starting them takes longer than a death."""

from collections.abc import AsyncGenerator

import pytest

from tests.crash.driver import Theatre, Zygote, theatre, zygote


@pytest.fixture(scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Theatre]:
    async with theatre(tmp_path_factory.mktemp("stage")) as made:
        yield made


@pytest.fixture(scope="module")
async def forks() -> AsyncGenerator[Zygote]:
    async with zygote() as made:
        yield made
