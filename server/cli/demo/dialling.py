"""Bringing the demo's seed to a download client that dials nobody on this machine."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio

from world.seeder import Seed

_DIAL_EVERY_S = 0.5


@asynccontextmanager
async def dialling(seed: Seed, address: tuple[str, int]) -> AsyncGenerator[None]:
    """Have the seed dial this address for the time of the block, again whenever it was in vain."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_dial, seed, address)
        yield
        tasks.cancel_scope.cancel()


async def _dial(seed: Seed, address: tuple[str, int]) -> None:
    while True:
        seed.dial(address)
        await anyio.sleep(_DIAL_EVERY_S)
