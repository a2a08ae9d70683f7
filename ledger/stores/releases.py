"""Releases as indexers offered them, with what we judged of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from ledger.clock import new_id
from ledger.stores.rows import one, select, values
from ledger.tables.media import release
from ledger.writer import Transaction


@dataclass(frozen=True, slots=True)
class ReleaseRow:
    """A row of the ledger without the torrent itself."""

    id: str
    indexer: str
    guid: str
    title: str
    size: int | None
    info_hash: str | None
    found: dict[str, Any]
    work: str | None
    judgement: dict[str, Any] | None
    identity: dict[str, Any] | None
    found_at: datetime


@dataclass(frozen=True, slots=True)
class NewRelease:
    """An offer and its judgement."""

    indexer: str
    guid: str
    title: str
    size: int | None
    info_hash: str | None
    found: dict[str, Any]
    work: str | None
    judgement: dict[str, Any] | None


def by_id(conn: sa.Connection, id_: str) -> ReleaseRow | None:
    """The release with this id."""
    return one(conn, release, ReleaseRow, id=id_)


def judged(conn: sa.Connection, *, limit: int) -> list[ReleaseRow]:
    """Offers for a work that were judged, the ones found last first."""
    where = (release.c.work.is_not(None), release.c.judgement.is_not(None))
    rows = conn.execute(
        select(release, ReleaseRow, *where)
        .order_by(release.c.found_at.desc(), release.c.id)
        .limit(limit)
    )
    return values(ReleaseRow, rows)


def keep(tx: Transaction, new: NewRelease, at: datetime) -> str:
    """Insert or refresh an offer (identity: indexer and guid); returns its id."""
    columns = {name: getattr(new, name) for name in NewRelease.__dataclass_fields__}
    known = tx.conn.execute(
        sa.select(release.c.id).where(release.c.indexer == new.indexer, release.c.guid == new.guid)
    ).scalar()
    if known is not None:
        tx.conn.execute(
            release.update().where(release.c.id == known).values(**columns, found_at=at)
        )
        return known
    id_ = new_id("rel")
    tx.conn.execute(release.insert().values(id=id_, **columns, found_at=at))
    return id_


def torrent(conn: sa.Connection, id_: str) -> bytes | None:
    """The torrent file that was fetched for a release."""
    return conn.execute(sa.select(release.c.torrent).where(release.c.id == id_)).scalar()


def torrent_named(conn: sa.Connection, info_hash: str) -> bytes | None:
    """A torrent file that was kept with any release under this info-hash."""
    where = (release.c.info_hash == info_hash, release.c.torrent.is_not(None))
    return conn.execute(sa.select(release.c.torrent).where(*where).limit(1)).scalar()


def keep_torrent(tx: Transaction, id_: str, raw: bytes, info_hash: str) -> None:
    """Store the fetched torrent file with its info-hash."""
    tx.conn.execute(
        release.update().where(release.c.id == id_).values(torrent=raw, info_hash=info_hash)
    )


def identify(tx: Transaction, id_: str, work: str, identity: Mapping[str, object]) -> None:
    """Record which work a release was accepted as, by what grade and evidence."""
    tx.conn.execute(
        release.update().where(release.c.id == id_).values(work=work, identity=dict(identity))
    )
