import signal
from functools import partial

import anyio
import pytest

from ledger.bell import listen
from ledger.database import Database
from ledger.feed import Feed
from ledger.stores import events
from ledger.writer import Transaction
from tests.ledger.moments import START
from tests.postgres import Server, serving

NEVER_S = 60.0


def happened(tx: Transaction) -> None:
    events.append(tx, "happened", {}, START)


@pytest.mark.anyio
async def test_a_commit_of_another_process_rings_here(postgres: Server) -> None:
    place, feed = postgres.create(), Feed()
    elsewhere = Database(place)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks, feed.listening() as bell:
            tasks.start_soon(partial(listen, place, feed, look_s=NEVER_S))
            await bell.receive()  # the connection stands
            await elsewhere.write(happened)
            await bell.receive()
            tasks.cancel_scope.cancel()
    elsewhere.close()
    postgres.drop(place)


@pytest.mark.anyio
async def test_where_no_notice_comes_a_look_is_taken_now_and_then(postgres: Server) -> None:
    place, feed = postgres.create(), Feed()
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks, feed.listening() as bell:
            tasks.start_soon(partial(listen, place, feed, look_s=0.05))
            for _ in range(3):
                await bell.receive()
            tasks.cancel_scope.cancel()
    postgres.drop(place)


@pytest.mark.anyio
async def test_a_server_that_went_away_is_listened_to_again() -> None:
    with serving() as server:
        place, feed = server.create(), Feed()
        async with anyio.create_task_group() as tasks, feed.listening() as bell:
            with anyio.fail_after(10):
                tasks.start_soon(partial(listen, place, feed, look_s=0.05))
                await bell.receive()
                server.stop(signal.SIGKILL)
                await bell.receive()
                await anyio.to_thread.run_sync(server.start)
                elsewhere = Database(place)
                await elsewhere.write(happened)
                await bell.receive()
                elsewhere.close()
                tasks.cancel_scope.cancel()
