"""Releases that are not to be taken again, until somebody removes them from the list."""

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from ledger.clock import new_id
from ledger.stores.rows import one, select, values
from ledger.tables.media import blocked
from ledger.writer import Transaction


@dataclass(frozen=True, slots=True)
class NewBlock:
    """What is blocked, and why.

    Attributes:
        work: the work it holds for; None for every one.
        info_hash: in lower case; where it is not known, title and indexer stand for it.
        reason: for a person.
    """

    reason: str
    work: str | None = None
    info_hash: str | None = None
    title: str | None = None
    indexer: str | None = None


@dataclass(frozen=True, slots=True)
class BlockRow:
    """A row of the ledger."""

    id: str
    work: str | None
    info_hash: str | None
    title: str | None
    indexer: str | None
    reason: str
    by: str
    created_at: datetime
    removed_at: datetime | None
    removed_by: str | None


def by_id(conn: sa.Connection, id_: str) -> BlockRow | None:
    """The entry with this id, removed or not."""
    return one(conn, blocked, BlockRow, id=id_)


def standing(conn: sa.Connection, work: str | None) -> list[BlockRow]:
    """The entries that hold for a work, and those that hold for all; oldest first."""
    scope = blocked.c.work.is_(None)
    if work is not None:
        scope |= blocked.c.work == work
    rows = conn.execute(
        select(blocked, BlockRow, blocked.c.removed_at.is_(None), scope).order_by(
            blocked.c.created_at, blocked.c.id
        )
    )
    return values(BlockRow, rows)


def listing(
    conn: sa.Connection, *, removed: bool, limit: int, offset: int = 0
) -> tuple[list[BlockRow], int]:
    """Entries, newest first, and how many in all; with ``removed`` also those that were removed."""
    where = [] if removed else [blocked.c.removed_at.is_(None)]
    rows = conn.execute(
        select(blocked, BlockRow, *where)
        .order_by(blocked.c.created_at.desc(), blocked.c.id)
        .limit(limit)
        .offset(offset)
    )
    total = conn.execute(sa.select(sa.func.count()).select_from(blocked).where(*where))
    return values(BlockRow, rows), total.scalar_one()


def add(tx: Transaction, new: NewBlock, at: datetime, *, by: str) -> str:
    """Block a release; the id of the entry, which is an earlier one where it stands already.

    Raises:
        ValueError: neither a hash nor a title, so that nothing would be blocked.
    """
    if new.info_hash is None and new.title is None:
        raise ValueError("a block needs an info-hash or a title")
    same = (
        row
        for row in standing(tx.conn, new.work)
        if row.work == new.work
        and row.info_hash == new.info_hash
        and (new.info_hash is not None or (row.title, row.indexer) == (new.title, new.indexer))
    )
    if (known := next(same, None)) is not None:
        return known.id
    id_ = new_id("block")
    tx.conn.execute(
        blocked.insert().values(
            id=id_,
            work=new.work,
            info_hash=new.info_hash,
            title=new.title,
            indexer=new.indexer,
            reason=new.reason,
            by=by,
            created_at=at,
        )
    )
    return id_


def remove(tx: Transaction, id_: str, at: datetime, *, by: str) -> bool:
    """Let a release be taken again; false when it was let already."""
    done = tx.conn.execute(
        blocked.update()
        .where(blocked.c.id == id_, blocked.c.removed_at.is_(None))
        .values(removed_at=at, removed_by=by)
    )
    return done.rowcount == 1
