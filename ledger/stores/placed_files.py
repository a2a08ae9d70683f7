"""The files of a work that stand on the shelf, with the release that each came from."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from ledger.stores import shelf_works
from ledger.stores.shelf import move_slot
from ledger.tables.media import asset, download, record, release, slot
from ledger.writer import Transaction

IN_FLIGHT = "in_flight"
MISSING = "missing"
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PlacedFile:
    """One video on the shelf.

    Attributes:
        path: absolute.
        slots: season and episode of what it fills; (0, 0) for a film.
        streams: what was read of it; empty while nothing was.
        download: by which it came; None for one that stood there before us.
        title: of the release that it came from, as it was found; None likewise.
        found: the offer, where it is kept still.
    """

    asset: str
    path: str
    work: str
    inode: int
    slots: frozenset[Place]
    streams: dict[str, Any]
    download: str | None
    title: str | None
    found: dict[str, Any] | None


def placed_files(conn: sa.Connection, work: str) -> list[PlacedFile]:
    """All of a work, by path.

    A slot names its file; while something else is on its way to it, it names none, and the file
    counts by its own first number.
    """
    filled = _filled(conn, work)
    taken = set[Place]().union(*filled.values())
    found = conn.execute(
        sa.select(
            asset.c.id,
            asset.c.path,
            asset.c.inode,
            asset.c.season,
            asset.c.episode,
            asset.c.streams,
            download.c.id,
            download.c.name,
            release.c.found,
        )
        .select_from(asset)
        .outerjoin(record, record.c.id == asset.c.record)
        .outerjoin(download, download.c.id == record.c.download)
        .outerjoin(release, release.c.id == download.c.release)
        .where(asset.c.work == work)
        .order_by(asset.c.path)
    )
    return [
        PlacedFile(
            id_,
            path,
            work,
            inode,
            frozenset(filled.get(id_) or {(season or 0, episode or 0)} - taken),
            streams or {},
            from_,
            title,
            offer,
        )
        for id_, path, inode, season, episode, streams, from_, title, offer in found
    ]


def _filled(conn: sa.Connection, work: str) -> dict[str, set[Place]]:
    """The slots of a work by the file that each names."""
    filled = defaultdict[str, set[Place]](set)
    rows = conn.execute(
        sa.select(slot.c.asset, slot.c.season, slot.c.episode).where(
            slot.c.work == work, slot.c.asset.is_not(None)
        )
    )
    for id_, season, episode in rows:
        filled[id_].add((season, episode))
    return filled


def count_below(conn: sa.Connection, folder: str) -> int:
    """How many files on the shelf lie below a folder."""
    below = asset.c.path.startswith(f"{folder.rstrip('/')}/", autoescape=True)
    return conn.execute(sa.select(sa.func.count()).where(below)).scalar_one()


def asset_at(conn: sa.Connection, path: str) -> str | None:
    """The row of the file that was recorded at an absolute path."""
    return conn.execute(sa.select(asset.c.id).where(asset.c.path == path)).scalar()


def let_go(tx: Transaction, ids: Iterable[str], coming: Iterable[Place], work: str) -> None:
    """Let files be gone that others stand for now.

    Slots that one of them filled wait for what is ``coming`` for the work, and miss a file
    otherwise.
    """
    expected = set(coming)
    for id_ in ids:
        rows = tx.conn.execute(
            sa.select(slot.c.work, slot.c.season, slot.c.episode).where(slot.c.asset == id_)
        ).all()
        for of, season, episode in rows:
            is_coming = of == work and (season, episode) in expected
            state = IN_FLIGHT if is_coming else MISSING
            move_slot(tx, of, season, episode, state=state, asset_id=None)
        of_asset = sa.select(asset.c.work).where(asset.c.id == id_)
        shelf_works.touch(tx, list(tx.conn.execute(of_asset).scalars()))
        tx.conn.execute(asset.delete().where(asset.c.id == id_))
