"""Somebody writes to the ledger for long, while others wait for their turn."""

import threading
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.to_thread

from ledger.ledger import Ledger
from ledger.writer import Transaction


def _nothing(_tx: Transaction) -> None:
    pass


@asynccontextmanager
async def writer_held(
    ledger: Ledger, write: Callable[[Transaction], None] = _nothing
) -> AsyncGenerator[Callable[[], None]]:
    """Nobody else writes before the end of the block, or before what it gives is called.

    Then ``write`` is done, and after it what waited.
    """
    gate, held = threading.Event(), threading.Event()

    def hold(tx: Transaction) -> None:
        held.set()
        assert gate.wait(5)
        write(tx)

    with anyio.fail_after(5):
        async with anyio.create_task_group() as writers:
            writers.start_soon(ledger.write, hold)
            await anyio.to_thread.run_sync(held.wait)
            try:
                yield gate.set
            finally:
                gate.set()


async def between_look_and_claim(
    ledger: Ledger,
    write: Callable[[Transaction], None],
    call: Callable[[], Coroutine[Any, Any, None]],
) -> None:
    """Do ``write`` after ``call`` found that it may act, and before its claim is written."""
    async with anyio.create_task_group() as callers, writer_held(ledger, write):
        callers.start_soon(call)
        await anyio.wait_all_tasks_blocked()
