"""The files on the shelf, many at once: adopted, changed, moved, gone, and their streams."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa

from ledger.clock import new_id
from ledger.stores import other_files, shelf_works
from ledger.stores.rows import select, values
from ledger.stores.shelf import AssetRow, move_slot
from ledger.tables.media import asset, slot
from ledger.writer import Transaction

SATISFIED = "satisfied"
MISSING = "missing"
"""It had a file that is gone: whether it is wanted again is not said by that."""
_AT_ONCE = 500
_ESCAPE = "/"


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


def paths_below(conn: sa.Connection, folder: str) -> list[str]:
    """The same, their paths alone."""
    where = asset.c.path.startswith(f"{folder}/", autoescape=True)
    return list(conn.execute(sa.select(asset.c.path).where(where)).scalars())


def known_paths(conn: sa.Connection, paths: Sequence[str]) -> set[str]:
    """Those of some paths at which a file is recorded."""
    found: set[str] = set()
    for first in range(0, len(paths), _AT_ONCE):
        some = paths[first : first + _AT_ONCE]
        found.update(conn.execute(sa.select(asset.c.path).where(asset.c.path.in_(some))).scalars())
    return found


class Files(NamedTuple):
    """The first files of a work by season, episode and path.

    Attributes:
        matching: how many there are in all.
        further: those among the first that fill a slot other than the one of their own number.
    """

    first: list[AssetRow]
    matching: int
    further: set[str]


class Place(NamedTuple):
    """A film (0 and 0) or an episode of a work: the quality of a file, or the state of a slot."""

    work: str
    season: int
    episode: int
    told: str


def places(conn: sa.Connection, works: Iterable[str]) -> dict[str, list[Place]]:
    """Where the files of works stand, by the file's own first number, with their quality."""
    return _placed(conn, works, asset, asset.c.quality)


def slot_places(conn: sa.Connection, works: Iterable[str]) -> dict[str, list[Place]]:
    """The slots of works, with their state."""
    return _placed(conn, works, slot, slot.c.state)


def _placed(
    conn: sa.Connection, works: Iterable[str], table: sa.Table, told: sa.Column[str]
) -> dict[str, list[Place]]:
    found: dict[str, list[Place]] = {}
    wanted = sorted(works)
    for first in range(0, len(wanted), _AT_ONCE):
        some = wanted[first : first + _AT_ONCE]
        query = sa.select(table.c.work, table.c.season, table.c.episode, told)
        for row in conn.execute(query.where(table.c.work.in_(some))):
            place = Place(row[0], row[1] or 0, row[2] or 0, row[3])
            found.setdefault(place.work, []).append(place)
    return found


def of_works(
    conn: sa.Connection, works: Collection[str], *, quality: str | None, most: int
) -> dict[str, Files]:
    """The first files of each work of a page, of one quality or of any.

    Two statements for all of them. Files that are not told are counted by the index alone.
    """
    if not works:
        return {}
    narrowed = quality is not None
    like = {"like": _escaped(quality.lower())} if narrowed else {}
    counted = conn.execute(_counted(narrowed=narrowed), {"works": list(works), **like})
    found = {row.work: Files([], row.total, set()) for row in counted}
    if not found:
        return found
    named = {_named(number): work for number, work in enumerate(found)}
    first = _first(len(found), narrowed=narrowed)
    for *facts, further in conn.execute(first, {"most": most, **named, **like}):
        one = AssetRow(*facts)
        found[one.work].first.append(one)
        if further:
            found[one.work].further.add(one.id)
    return found


@cache
def _counted(*, narrowed: bool) -> sa.Select[Any]:
    of = asset.c.work.in_(sa.bindparam("works", expanding=True))
    told: list[sa.ColumnElement[Any]] = [asset.c.work, sa.func.count().label("total")]
    where = [of, *_like(narrowed=narrowed)]
    return sa.select(*told).where(*where).group_by(asset.c.work)


@cache
def _first(works: int, *, narrowed: bool) -> sa.Select[Any]:
    """The first files of so many works: one part for each, which stops at the last that is told.

    A window over the files of all works would read and sort every one. Building it costs more
    than running it.
    """
    order = (asset.c.season, asset.c.episode, asset.c.path)
    parts = [
        sa.select(asset.c.id)
        .where(asset.c.work == sa.bindparam(_named(number)), *_like(narrowed=narrowed))
        .order_by(*order)
        .limit(sa.bindparam("most", type_=sa.Integer))
        .subquery()
        for number in range(works)
    ]
    ids = sa.union_all(*(sa.select(part.c.id) for part in parts))
    others = (slot.c.season != asset.c.season) | (slot.c.episode != asset.c.episode)
    further = sa.exists().where(slot.c.asset == asset.c.id, others)
    return select(asset, AssetRow, asset.c.id.in_(ids)).add_columns(further).order_by(*order)


def _named(number: int) -> str:
    return f"work_{number}"


def _like(*, narrowed: bool) -> list[sa.ColumnElement[bool]]:
    if not narrowed:
        return []
    like = sa.bindparam("like", type_=sa.String)
    return [sa.func.lower(asset.c.quality).contains(like, escape=_ESCAPE)]


def _escaped(part: str) -> str:
    for sign in (_ESCAPE, "%", "_"):
        part = part.replace(sign, _ESCAPE + sign)
    return part


def put_many(tx: Transaction, rows: Sequence[AssetRow]) -> None:
    """Record files whose paths are not known yet."""
    if rows:
        shelf_works.touch(tx, {row.work for row in rows})
        tx.conn.execute(
            asset.insert(),
            [{name: getattr(row, name) for name in AssetRow.__dataclass_fields__} for row in rows],
        )


def satisfy(tx: Transaction, filled: Mapping[tuple[str, int, int], str]) -> int:
    """Fill slots, each named by work, season and episode, with files; how many were not filled.

    A slot that another file fills already keeps it.
    """
    works = {work for work, _, _ in filled}
    shelf_works.touch(tx, works)
    known = _slots_of(tx.conn, works)
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
    """Let files have moved or changed; their streams are to be read again where they changed.

    One whose new path another file was recorded at meanwhile stays as it is.
    """
    other = asset.alias("other")
    for one in changes:
        now = asdict(one)
        id_ = now.pop("id")
        same = (asset.c.size == one.size) & (asset.c.mtime_ns == one.mtime_ns)
        probed = sa.case((same, asset.c.probed_at), else_=None)
        taken = sa.exists().where(other.c.path == one.path, other.c.id != id_)
        tx.conn.execute(
            asset.update()
            .where(asset.c.id == id_, ~taken)
            .values(**now, probed_at=probed, seen_at=at)
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
        shelf_works.touch(tx, [gone.work])
        for work, season, episode in rows:
            other = other_files.holding(tx.conn, work, season, episode)
            state = MISSING if other is None else SATISFIED
            move_slot(tx, work, season, episode, state=state, asset_id=other)


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
