"""Noticing that the owner wants a run stopped, while it works."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio

from ledger.ledger import Ledger
from ledger.stores import runs

T = TypeVar("T")

REST_S = 0.1
"""Between two looks, since the bell rings for every commit of every run."""


async def unless_aborted(ledger: Ledger, run: str, work: Callable[[], Awaitable[T]]) -> T | None:
    """The result of ``work``, or None when it was cut off because an abort was asked for.

    The request reaches the model's stream and a running capability as cancellation; what such a
    capability had begun is in its claim.
    """
    done: list[T] = []

    async def act() -> None:
        done.append(await work())
        group.cancel_scope.cancel()

    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_watch, ledger, run, group.cancel_scope)
            group.start_soon(act)
    except BaseExceptionGroup as raised:
        only, *others = raised.exceptions
        if others:
            raise
        raise only from only.__cause__
    return done[0] if done else None


async def _watch(ledger: Ledger, run: str, scope: anyio.CancelScope) -> None:
    async with ledger.feed.listening() as bell:
        while True:
            row = await ledger.read(lambda conn: runs.by_id(conn, run))
            if row is None or row.abort_asked:
                scope.cancel()
                return
            await anyio.sleep(REST_S)
            await bell.receive()
