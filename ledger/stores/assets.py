"""The files on the shelf, many at once: adopted, changed, moved, gone, and their streams."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from ledger.clock import new_id
from ledger.stores.rows import select, values
from ledger.stores.shelf import AssetRow, move_slot
from ledger.tables.media import asset, slot
from ledger.writer import Transaction

SATISFIED = "satisfied"
MISSING = "missing"
"""It had a file that is gone: whether it is wanted again is not said by that."""
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Change:
    """What is different about a file on the shelf; what it holds is read again."""

    id: str
    path: str
    size: int
    device: int
    inode: int
    mtime_ns: int


def below(conn: sa.Connection, folder: str) -> dict[str, AssetRow]:
    """The files on the shelf below a folder, by path."""
    rows = conn.execute(
        select(asset, AssetRow, asset.c.path.startswith(f"{folder}/", autoescape=True))
    )
    return {row.path: row for row in values(AssetRow, rows)}


def put_many(tx: Transaction, rows: Sequence[AssetRow]) -> None:
    """Record files whose paths are not known yet."""
    if rows:
        tx.conn.execute(
            asset.insert(),
            [{name: getattr(row, name) for name in AssetRow.__dataclass_fields__} for row in rows],
        )


def satisfy(tx: Transaction, filled: Mapping[tuple[str, int, int], str]) -> int:
    """Fill slots, each named by work, season and episode, with files; how many were not filled.

    A slot that another file fills already keeps it.
    """
    known = _slots_of(tx.conn, {work for work, _, _ in filled})
    new = {place: file for place, file in filled.items() if place not in known}
    if new:
        tx.conn.execute(
            slot.insert(),
            [
                {
                    "id": new_id("slot"),
                    "work": work,
                    "season": season,
                    "episode": episode,
                    "state": SATISFIED,
                    "revision": 1,
                    "asset": file,
                }
                for (work, season, episode), file in new.items()
            ],
        )
    open_ = [place for place in filled if known.get(place, SATISFIED) != SATISFIED]
    for place in open_:
        move_slot(tx, *place, state=SATISFIED, asset_id=filled[place])
    return len(new) + len(open_)


def _slots_of(conn: sa.Connection, works: Iterable[str]) -> dict[tuple[str, int, int], str]:
    found: dict[tuple[str, int, int], str] = {}
    wanted = sorted(works)
    for first in range(0, len(wanted), _AT_ONCE):
        rows = conn.execute(
            sa.select(slot.c.work, slot.c.season, slot.c.episode, slot.c.state).where(
                slot.c.work.in_(wanted[first : first + _AT_ONCE])
            )
        )
        found |= {(work, season, episode): state for work, season, episode, state in rows}
    return found


def change(tx: Transaction, changes: Iterable[Change], at: datetime) -> None:
    """Let files have moved or changed; their streams are to be read again where they changed."""
    for one in changes:
        now = asdict(one)
        id_ = now.pop("id")
        same = (asset.c.size == one.size) & (asset.c.mtime_ns == one.mtime_ns)
        probed = sa.case((same, asset.c.probed_at), else_=None)
        tx.conn.execute(
            asset.update().where(asset.c.id == id_).values(**now, probed_at=probed, seen_at=at)
        )


def forget(tx: Transaction, ids: Sequence[str]) -> None:
    """Let files be gone; a slot that one of them filled misses it, or has its other file."""
    for id_ in ids:
        gone = tx.conn.execute(select(asset, AssetRow, asset.c.id == id_)).first()
        tx.conn.execute(asset.delete().where(asset.c.id == id_))
        rows = tx.conn.execute(
            sa.select(slot.c.work, slot.c.season, slot.c.episode).where(slot.c.asset == id_)
        ).all()
        if gone is None:
            continue
        for work, season, episode in rows:
            other = _other(tx.conn, work, season, episode)
            state = MISSING if other is None else SATISFIED
            move_slot(tx, work, season, episode, state=state, asset_id=other)


def _other(conn: sa.Connection, work: str, season: int, episode: int) -> str | None:
    """The biggest file that holds this film or episode by its own first number."""
    film = asset.c.season.is_(None)
    this = film if not episode else (asset.c.season == season) & (asset.c.episode == episode)
    return conn.execute(
        sa.select(asset.c.id).where(asset.c.work == work, this).order_by(asset.c.size.desc())
    ).scalar()


def unprobed(conn: sa.Connection, *, limit: int, after: str = "") -> list[AssetRow]:
    """Files whose streams are still to be read, by id, those behind ``after``."""
    where = (asset.c.probed_at.is_(None), asset.c.id > after)
    rows = conn.execute(select(asset, AssetRow, *where).order_by(asset.c.id).limit(limit))
    return values(AssetRow, rows)


def put_streams(tx: Transaction, read: Mapping[str, Mapping[str, Any]], at: datetime) -> None:
    """Write down what the streams of files are, by the file's id."""
    for id_, streams in read.items():
        tx.conn.execute(
            asset.update().where(asset.c.id == id_).values(streams=dict(streams), probed_at=at)
        )
