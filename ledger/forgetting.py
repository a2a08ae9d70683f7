"""Deleting what the engine keeps and nobody needs any more, in small batches."""

from collections.abc import Iterable
from datetime import datetime
from functools import partial

import sqlalchemy as sa
from anyio.lowlevel import checkpoint

from ledger import segments
from ledger.database import Database
from ledger.segments import Standing
from ledger.stores import workers
from ledger.transact import BATCH, Transact, named


async def forget(database: Database, transact: Transact, before: datetime) -> int:
    """Delete engine rows that were over before a moment; returns how many.

    A segment's row stays for as long as its run or task does: it is what a later word to that
    run is answered by.
    """
    gone = await _workflows(transact, before)
    gone += await _timers(database, transact)
    while some := await database.write(partial(segments.forget, limit=BATCH)):
        gone += some
    return gone + await database.write(partial(workers.forget, before=before))


async def _workflows(transact: Transact, before: datetime) -> int:
    gone = 0
    while over := await transact.over(before):
        await transact.delete(over)
        gone += len(over)
        await checkpoint()
    return gone


async def _timers(database: Database, transact: Transact) -> int:
    """Timers of subjects that went on without them; numbers only grow, so they stay overtaken."""
    gone = kept = 0
    while waiting := await transact.timers(kept):
        overtaken = await database.read(partial(_overtaken, workflows=waiting))
        kept += len(waiting) - len(overtaken)
        gone += len(overtaken)
        if overtaken:
            await transact.delete(overtaken)
    return gone


def _overtaken(conn: sa.Connection, workflows: Iterable[str]) -> list[str]:
    return [each for each in workflows if _is_overtaken(conn, each)]


def _is_overtaken(conn: sa.Connection, workflow: str) -> bool:
    name = named(workflow)
    if name is None:
        return False
    kind, subject, n = name
    row = segments.of(conn, kind, subject)
    return row is None or row.n != n or row.state is Standing.ENDED
