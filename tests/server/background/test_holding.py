from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import anyio
import pytest
from anyio.lowlevel import checkpoint

from capabilities.adapters.downloader.in_one_place import InOnePlace
from ledger.clock import Clock
from ledger.ledger import Ledger, opened
from ledger.stores import workers
from ledger.writer import Transaction
from server.background.holding import follow, hold
from tests.capabilities.adapters.downloader.rig import embedded
from tests.capabilities.watch import Watch
from tests.postgres import Server, serving

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
                await checkpoint()
            group.cancel_scope.cancel()


@pytest.mark.anyio
async def test_a_ledger_that_cannot_be_asked_ends_the_client_before_others_begin_it(
    tmp_path: Path,
) -> None:
    here, time = client(tmp_path), Watch()
    with anyio.fail_after(20), serving() as server:
        place = server.create()
        clock = Clock(now=time.now, monotonic=time.monotonic)
        async with opened(tmp_path, clock, location=place) as one:
            await one.engine.connect()
            async with anyio.create_task_group() as group:
                await group.start(partial(hold, one, here, look_s=SOON_S))
                await anyio.to_thread.run_sync(server.stop)
                time.advance(seconds=one.engine.pace.lease_s - one.engine.pace.beat_s - 1)
                assert await reachable(here)
                time.advance(seconds=2)
                while await reachable(here):
                    await checkpoint()
                group.cancel_scope.cancel()
            await anyio.to_thread.run_sync(server.start)


@pytest.mark.anyio
async def test_a_process_that_never_runs_it_knows_who_does(
    postgres: Server, tmp_path: Path
) -> None:
    here, door = client(tmp_path), client(tmp_path)
    with anyio.fail_after(5):
        async with processes(postgres, tmp_path) as (one, two), anyio.create_task_group() as group:
            await group.start(partial(hold, one, here, look_s=SOON_S))
            group.start_soon(partial(follow, two, door, look_s=SOON_S))
            while one.worker not in ((await door.health()).note or ""):
                await checkpoint()
            group.cancel_scope.cancel()
