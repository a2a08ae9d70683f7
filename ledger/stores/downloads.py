"""Downloads that were submitted on somebody's behalf."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from ledger.stores.rows import select, value, values
from ledger.tables.media import download
from ledger.writer import Transaction


@dataclass(frozen=True, slots=True)
class DownloadRow:
    """A row of the ledger; ``state`` is the normalised word, ``facts`` the last reading."""

    id: str
    client: str
    info_hash: str
    hash_v1: str | None
    hash_v2: str | None
    name: str
    plan: str
    release: str
    work: str
    run: str | None
    state: str
    size: int
    done: int
    facts: dict[str, Any]
    last_error: str | None
    created_at: datetime
    updated_at: datetime
    completed_at: datetime | None


def by_id(conn: sa.Connection, id_: str) -> DownloadRow | None:
    """The download with this id."""
    return _one(conn, download.c.id == id_)


def by_hash(conn: sa.Connection, info_hash: str) -> DownloadRow | None:
    """The download of this info-hash, v1 or v2."""
    wanted = info_hash.lower()
    return _one(
        conn,
        sa.or_(
            download.c.info_hash == wanted,
            download.c.hash_v1 == wanted,
            download.c.hash_v2 == wanted,
        ),
    )


def of_run(conn: sa.Connection, run: str) -> list[DownloadRow]:
    """Downloads one run submitted."""
    return values(DownloadRow, conn.execute(select(download, DownloadRow, download.c.run == run)))


def of_plan(conn: sa.Connection, plan: str) -> DownloadRow | None:
    """The download a plan was submitted as."""
    return _one(conn, download.c.plan == plan)


def listing(
    conn: sa.Connection, *, states: tuple[str, ...] = (), work: str | None = None
) -> list[DownloadRow]:
    """Downloads, newest first."""
    where: list[sa.ColumnElement[bool]] = []
    if states:
        where.append(download.c.state.in_(states))
    if work is not None:
        where.append(download.c.work == work)
    rows = conn.execute(
        select(download, DownloadRow, *where).order_by(download.c.created_at.desc())
    )
    return values(DownloadRow, rows)


def counts(conn: sa.Connection) -> dict[str, dict[str, int]]:
    """How many downloads each client has in which state."""
    counted = sa.select(download.c.client, download.c.state, sa.func.count())
    found: dict[str, dict[str, int]] = {}
    for client, state, many in conn.execute(counted.group_by(download.c.client, download.c.state)):
        found.setdefault(client, {})[state] = many
    return found


def count_under_way(conn: sa.Connection, over: Collection[str]) -> int:
    """How many downloads have neither completed nor come to a state of ``over``."""
    counted = sa.select(sa.func.count()).select_from(download)
    open_ = counted.where(download.c.completed_at.is_(None), download.c.state.not_in(over))
    return conn.execute(open_).scalar_one()


def add(tx: Transaction, new: DownloadRow) -> None:
    """Store a submitted download; the info-hash is its identity."""
    tx.conn.execute(
        download.insert().values(
            **{name: getattr(new, name) for name in DownloadRow.__dataclass_fields__}
        )
    )


def change(tx: Transaction, id_: str, **columns: object) -> None:
    """Set columns of one download."""
    tx.conn.execute(download.update().where(download.c.id == id_).values(**columns))


def _one(conn: sa.Connection, where: sa.ColumnElement[bool]) -> DownloadRow | None:
    row = conn.execute(select(download, DownloadRow, where)).first()
    return None if row is None else value(DownloadRow, row)
