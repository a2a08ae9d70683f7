"""What stands on the shelf: organise records, assets and slots."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from ledger.clock import new_id
from ledger.stores import shelf_works
from ledger.stores.rows import one, select, values
from ledger.tables.media import asset, record, slot
from ledger.writer import Transaction


@dataclass(frozen=True, slots=True)
class RecordRow:
    """One organise attempt: appended, never deleted."""

    id: str
    plan: str
    download: str
    work: str
    run: str | None
    state: str
    journal: list[dict[str, Any]]
    placements: list[dict[str, Any]]
    verification: dict[str, Any] | None
    last_error: str | None
    created_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class AssetRow:
    """A file on the shelf, with the identity the file system gives it.

    Attributes:
        mtime_ns: when its content changed, where that is known.
        probed_at: when its streams were read; None while they are still to be.
    """

    id: str
    path: str
    work: str
    season: int | None
    episode: int | None
    quality: str
    size: int
    device: int
    inode: int
    streams: dict[str, Any]
    record: str
    seen_at: datetime
    mtime_ns: int | None = None
    probed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SlotRow:
    """One wanted version; season and episode are 0 for a film."""

    id: str
    work: str
    season: int
    episode: int
    state: str
    revision: int
    asset: str | None


def record_by_id(conn: sa.Connection, id_: str) -> RecordRow | None:
    """The record with this id."""
    return one(conn, record, RecordRow, id=id_)


def record_of_plan(conn: sa.Connection, plan: str) -> RecordRow | None:
    """The attempt made under one organise plan."""
    return one(conn, record, RecordRow, plan=plan)


def records_of(conn: sa.Connection, download: str) -> list[RecordRow]:
    """All attempts for one download, oldest first."""
    rows = conn.execute(
        select(record, RecordRow, record.c.download == download).order_by(record.c.created_at)
    )
    return values(RecordRow, rows)


def records_of_run(conn: sa.Connection, run: str) -> list[RecordRow]:
    """All attempts that a run's downloads led to."""
    return values(RecordRow, conn.execute(select(record, RecordRow, record.c.run == run)))


def open_record(tx: Transaction, new: RecordRow) -> None:
    """Begin an attempt."""
    tx.conn.execute(
        record.insert().values(
            **{name: getattr(new, name) for name in RecordRow.__dataclass_fields__}
        )
    )


def change_record(tx: Transaction, id_: str, **columns: object) -> None:
    """Set columns of one record."""
    tx.conn.execute(record.update().where(record.c.id == id_).values(**columns))


def journal(tx: Transaction, id_: str, step: Mapping[str, object]) -> None:
    """Append one step to a record's journal."""
    so_far = tx.conn.execute(sa.select(record.c.journal).where(record.c.id == id_)).scalar_one()
    change_record(tx, id_, journal=[*so_far, dict(step)])


def put_asset(tx: Transaction, new: AssetRow) -> None:
    """Record a verified file; a path that is known takes the new facts."""
    before = tx.conn.execute(sa.select(asset.c.work).where(asset.c.path == new.path)).scalars()
    shelf_works.touch(tx, {new.work, *before})
    tx.conn.execute(asset.delete().where(asset.c.path == new.path))
    tx.conn.execute(
        asset.insert().values(
            **{name: getattr(new, name) for name in AssetRow.__dataclass_fields__}
        )
    )


def assets(conn: sa.Connection, *, work: str | None = None) -> list[AssetRow]:
    """Files on the shelf, by path."""
    where = [] if work is None else [asset.c.work == work]
    return values(AssetRow, conn.execute(select(asset, AssetRow, *where).order_by(asset.c.path)))


def count_assets(conn: sa.Connection) -> int:
    """How many files stand on the shelf."""
    return conn.execute(sa.select(sa.func.count()).select_from(asset)).scalar_one()


def slot_for(conn: sa.Connection, work: str, season: int, episode: int) -> SlotRow | None:
    """The slot of a film (0, 0) or of an episode."""
    return one(conn, slot, SlotRow, work=work, season=season, episode=episode)


def slots(conn: sa.Connection, *, work: str | None = None) -> list[SlotRow]:
    """Slots in order of season and episode."""
    where = [] if work is None else [slot.c.work == work]
    rows = conn.execute(
        select(slot, SlotRow, *where).order_by(slot.c.work, slot.c.season, slot.c.episode)
    )
    return values(SlotRow, rows)


def move_slot(
    tx: Transaction, work: str, season: int, episode: int, *, state: str, asset_id: str | None
) -> None:
    """Set a slot's state, creating it where needed; every change raises its revision."""
    shelf_works.touch(tx, [work])
    known = slot_for(tx.conn, work, season, episode)
    if known is None:
        tx.conn.execute(
            slot.insert().values(
                id=new_id("slot"),
                work=work,
                season=season,
                episode=episode,
                state=state,
                revision=1,
                asset=asset_id,
            )
        )
        return
    tx.conn.execute(
        slot.update()
        .where(slot.c.id == known.id)
        .values(state=state, asset=asset_id, revision=known.revision + 1)
    )
