from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from capabilities.adapters.downloader.in_one_place import InOnePlace
from ledger.ledger import Ledger, opened
from ledger.stores import workers
from ledger.writer import Transaction
from server.background.holding import hold
from tests.capabilities.adapters.downloader.rig import embedded
from tests.postgres import Server

SOON_S = 0.02


@asynccontextmanager
async def processes(server: Server, home: Path) -> AsyncGenerator[tuple[Ledger, Ledger]]:
    """Two ledgers on one database, registered as two workers."""
    place = server.create()
    async with opened(home, location=place) as one, opened(home, location=place) as two:
        for each in (one, two):
            await each.engine.connect()
        yield one, two
    server.drop(place)


def client(folder: Path) -> InOnePlace:
    return InOnePlace("embedded", "embedded", partial(embedded, folder))


async def reachable(client: InOnePlace) -> bool:
    return (await client.health()).reachable


@pytest.mark.anyio
async def test_one_process_runs_the_client_and_the_other_says_which(
    postgres: Server, tmp_path: Path
) -> None:
    here, there = client(tmp_path), client(tmp_path)
    with anyio.fail_after(5):
        async with processes(postgres, tmp_path) as (one, two), anyio.create_task_group() as group:
            await group.start(partial(hold, one, here, look_s=SOON_S))
            await group.start(partial(hold, two, there, look_s=SOON_S))
            assert await reachable(here)
            assert f"that is {one.worker} on" in ((await there.health()).note or "")
            group.cancel_scope.cancel()


@pytest.mark.anyio
async def test_when_its_process_is_taken_for_dead_the_client_moves(
    postgres: Server, tmp_path: Path
) -> None:
    here, there = client(tmp_path / "a"), client(tmp_path / "b")
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    with anyio.fail_after(5):
        async with processes(postgres, tmp_path) as (one, two), anyio.create_task_group() as group:
            await group.start(partial(hold, one, here, look_s=SOON_S))
            await group.start(partial(hold, two, there, look_s=SOON_S))

            def bury(tx: Transaction) -> bool:
                seen = workers.by_id(tx.conn, one.worker)
                return seen is not None and workers.bury(tx, one.worker, seen.beat, two.now())

            assert await two.write(bury)
            await there.arrival()
            while await reachable(here):
                await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()
