"""Works as they were last fetched."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from ledger.clock import new_id
from ledger.stores import shelf_works
from ledger.stores.rows import one, select, values
from ledger.tables.media import work
from ledger.writer import Transaction


@dataclass(frozen=True, slots=True)
class WorkRow:
    """A row of the ledger; ``body`` holds everything the source said, in our own shape."""

    id: str
    key: str
    kind: str
    title: str
    year: int | None
    body: dict[str, Any]
    fetched_at: datetime


def by_id(conn: sa.Connection, id_: str) -> WorkRow | None:
    """The work with this id."""
    return one(conn, work, WorkRow, id=id_)


def by_key(conn: sa.Connection, key: str) -> WorkRow | None:
    """The work with this source key, e.g. ``tmdb:film:45745``."""
    return one(conn, work, WorkRow, key=key)


def many(conn: sa.Connection, ids: set[str]) -> dict[str, WorkRow]:
    """Several works by id."""
    rows = values(WorkRow, conn.execute(select(work, WorkRow, work.c.id.in_(ids))))
    return {row.id: row for row in rows}


def newest(conn: sa.Connection, *, limit: int) -> list[WorkRow]:
    """The works fetched last."""
    rows = conn.execute(
        select(work, WorkRow).order_by(work.c.fetched_at.desc(), work.c.id).limit(limit)
    )
    return values(WorkRow, rows)


def keep(
    tx: Transaction,
    *,
    key: str,
    kind: str,
    title: str,
    year: int | None,
    body: dict[str, Any],
    at: datetime,
) -> str:
    """Insert or refresh a work; returns its id, which never changes."""
    known = by_key(tx.conn, key)
    columns = {"title": title, "year": year, "body": body, "fetched_at": at}
    if known is not None:
        tx.conn.execute(work.update().where(work.c.id == known.id).values(**columns))
        shelf_works.retitle(tx, known.id, title, year)
        return known.id
    id_ = new_id("work")
    tx.conn.execute(work.insert().values(id=id_, key=key, kind=kind, **columns))
    return id_
