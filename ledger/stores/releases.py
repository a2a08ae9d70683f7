"""Releases as indexers offered them, with what we judged of them."""

from collections.abc import Collection, Mapping
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


def judged(conn: sa.Connection, *, limit: int) -> tuple[list[ReleaseRow], int]:
    """Offers for a work that were judged, the ones found last first, and how many in all."""
    where = (release.c.work.is_not(None), release.c.judgement.is_not(None))
    rows = conn.execute(
        select(release, ReleaseRow, *where)
        .order_by(release.c.found_at.desc(), release.c.id)
        .limit(limit)
    )
    total = conn.execute(sa.select(sa.func.count()).select_from(release).where(*where))
    return values(ReleaseRow, rows), total.scalar_one()


def naming(conn: sa.Connection, hashes: Collection[str]) -> list[ReleaseRow]:
    """Every release whose torrent has one of these info-hashes (lower case), found last first."""
    named = sa.func.lower(release.c.info_hash).in_(sorted(hashes))
    rows = conn.execute(
        select(release, ReleaseRow, named).order_by(release.c.found_at.desc(), release.c.id)
    )
    return values(ReleaseRow, rows)


def found_for(conn: sa.Connection, work: str, *, since: datetime, limit: int) -> list[ReleaseRow]:
    """What was found for a work at a moment or after it, last first."""
    where = (release.c.work == work, release.c.found_at >= since)
    rows = conn.execute(
        select(release, ReleaseRow, *where)
        .order_by(release.c.found_at.desc(), release.c.id)
        .limit(limit)
    )
    return values(ReleaseRow, rows)


def newest(conn: sa.Connection, *, limit: int) -> tuple[list[ReleaseRow], int]:
    """The offers found last, and how many are kept in all."""
    rows = conn.execute(
        select(release, ReleaseRow).order_by(release.c.found_at.desc(), release.c.id).limit(limit)
    )
    total = conn.execute(sa.select(sa.func.count()).select_from(release)).scalar_one()
    return values(ReleaseRow, rows), total


def keep(tx: Transaction, new: NewRelease, at: datetime) -> str:
    """Insert or refresh an offer (identity: indexer and guid); returns its id.

    Of the publication times that were ever kept of it, the earliest stays: one that comes from the
    future counts as the moment at which it was found, and that is when it was found first. An
    info-hash that is known from its torrent stays where the indexer says none, and the work it was
    found for, with its judgement, where it is found by words only.
    """
    columns = {name: getattr(new, name) for name in NewRelease.__dataclass_fields__}
    known = tx.conn.execute(
        sa.select(release.c.id, release.c.found, release.c.info_hash, release.c.work).where(
            *_is(new.indexer, new.guid)
        )
    ).first()
    if known is not None:
        if new.work is None and known.work is not None:
            del columns["work"], columns["judgement"]
        columns["found"] = _published_first(known.found, new.found)
        columns["info_hash"] = new.info_hash or known.info_hash
        tx.conn.execute(
            release.update().where(release.c.id == known.id).values(**columns, found_at=at)
        )
        return known.id
    id_ = new_id("rel")
    tx.conn.execute(release.insert().values(id=id_, **columns, found_at=at))
    return id_


def first_published(conn: sa.Connection, indexer: str, guid: str) -> datetime | None:
    """The earliest publication time that was kept of an offer; None for one without, or unknown."""
    found = conn.execute(sa.select(release.c.found).where(*_is(indexer, guid))).scalar()
    return None if found is None else _published(found)


def _is(indexer: str, guid: str) -> tuple[sa.ColumnElement[bool], ...]:
    return release.c.indexer == indexer, release.c.guid == guid


def _published_first(kept: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    before, now = _published(kept), _published(new)
    earlier = before is not None and (now is None or before < now)
    return {**new, "published": kept["published"]} if earlier else dict(new)


def _published(found: Mapping[str, Any]) -> datetime | None:
    """When it was published, with its time zone, as the offer is stored."""
    said = found.get("published")
    return None if said is None else datetime.fromisoformat(said)


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
