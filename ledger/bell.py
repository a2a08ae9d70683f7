"""Hearing of what other processes committed: the server's notices, and a look now and then."""

import anyio
import psycopg
import structlog

from ledger.feed import Feed
from ledger.location import PostgresServer
from ledger.postgres import CHANNEL, CONNECT_S

LOOK_S = 2.0
"""How late a commit of another process is noticed at most while no notice comes through."""

log = structlog.get_logger()


async def listen(server: PostgresServer, feed: Feed, *, look_s: float = LOOK_S) -> None:
    """Ring ``feed`` for every commit of another process, until cancelled.

    A notice may be lost with its connection, so the feed is also rung every ``look_s`` seconds;
    who listens re-reads by sequence and finds nothing new most of the time.
    """
    heard = True
    while True:
        try:
            await _while_connected(server, feed, look_s)
        except psycopg.OperationalError as lost:
            if heard:
                log.warning("notices of other processes are not heard", why=type(lost).__name__)
            heard = False
        else:
            heard = True
        feed.ring()
        await anyio.sleep(look_s)


async def _while_connected(server: PostgresServer, feed: Feed, look_s: float) -> None:
    address = server.url.replace("+psycopg", "", 1)
    connection = await psycopg.AsyncConnection.connect(
        address, autocommit=True, connect_timeout=CONNECT_S
    )
    async with connection:
        await connection.execute(f"LISTEN {CHANNEL}")
        while True:
            feed.ring()
            async for _ in connection.notifies(timeout=look_s, stop_after=1):
                feed.ring()
