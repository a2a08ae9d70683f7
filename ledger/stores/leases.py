"""Leases: what only one worker may do at a time, held by name for as long as it lives.

There is no expiry: a lease falls free when its holder ends or is buried (see
`ledger.stores.workers`). The fence grows with every acquisition, so that whoever was overtaken
can be told from the present holder.
"""

from datetime import datetime

import sqlalchemy as sa

from ledger.stores import workers
from ledger.tables.workers import lease
from ledger.writer import Transaction

NOBODY = ""


def acquire(tx: Transaction, name: str, holder: str, at: datetime) -> int | None:
    """Take the lease ``name`` for the live worker ``holder``; returns its fence.

    None when another live worker has it, or ``holder`` itself is no longer alive.
    """
    if not workers.is_alive(tx.conn, holder):
        return None
    row = tx.conn.execute(sa.select(lease).where(lease.c.name == name)).first()
    if row is None:
        tx.conn.execute(lease.insert().values(name=name, holder=holder, fence=1, taken_at=at))
        return 1
    if row.holder not in {NOBODY, holder} and workers.is_alive(tx.conn, row.holder):
        return None
    tx.conn.execute(
        lease.update()
        .where(lease.c.name == name)
        .values(holder=holder, fence=row.fence + 1, taken_at=at)
    )
    return row.fence + 1


def holder_of(conn: sa.Connection, name: str) -> str | None:
    """The live worker that holds the lease ``name`` now."""
    holder = conn.execute(sa.select(lease.c.holder).where(lease.c.name == name)).scalar()
    return holder if holder and workers.is_alive(conn, holder) else None


def holds(conn: sa.Connection, name: str, holder: str, fence: int) -> bool:
    """Whether the acquisition with this fence is still the present one, and its worker alive."""
    row = conn.execute(sa.select(lease).where(lease.c.name == name)).first()
    if row is None or (row.holder, row.fence) != (holder, fence):
        return False
    return workers.is_alive(conn, holder)


def release(tx: Transaction, name: str, holder: str) -> bool:
    """Give the lease up; false when ``holder`` no longer had it."""
    done = tx.conn.execute(
        lease.update().where(lease.c.name == name, lease.c.holder == holder).values(holder=NOBODY)
    )
    return done.rowcount == 1
