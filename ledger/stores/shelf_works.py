"""The works of the shelf in the order that they are shown in, with what a list is narrowed by.

What follows from a work's files, slots and episodes (``gaps``, ``qualities``, ``standing``) is
computed by whoever knows the rules; every change of those marks the row as stale until that has
happened, and so does the day on which its next episode comes out.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import sqlalchemy as sa

from ledger.stores.rows import values
from ledger.tables.libraries import shelf_work
from ledger.tables.media import work
from ledger.writer import Transaction

_AT_ONCE = 500
SEPARATOR = "\n"
"""Between the qualities of a work."""


_ORDER = (shelf_work.c.sort_title, shelf_work.c.year, shelf_work.c.work)
_SUMMARISE = (
    shelf_work.update()
    .where(shelf_work.c.work == sa.bindparam("of"))
    .values(stale=False)
    .values({name: sa.bindparam(name) for name in ("gaps", "airs_next", "qualities")})
    .values(standing=sa.bindparam("standing", type_=shelf_work.c.standing.type))
)


@dataclass(frozen=True, slots=True)
class Summary:
    """What follows from the files, slots and episodes of a work.

    Attributes:
        gaps: how many films or episodes are wanted, were out when this was computed, and are not
            there.
        airs_next: the day from which there is one more.
        qualities: of its files.
        missing: the same gaps, by season.
        slots: how many are in each state.
    """

    gaps: int
    airs_next: date | None
    qualities: Collection[str]
    missing: Mapping[str, list[int]] = field(default_factory=dict[str, list[int]])
    slots: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Listed:
    """A work as a list tells of it.

    Attributes:
        stale: whether something changed since its summary was computed.
        airs_next: the day from which the summary holds no longer, in ISO 8601.
        standing: what was kept of `Summary.missing` and `Summary.slots`; empty before the first.
    """

    id: str
    kind: str
    title: str
    year: int | None
    stale: bool
    airs_next: str | None
    standing: dict[str, Any]

    def holds_on(self, day: date) -> bool:
        """Whether the summary says how it stands on that day."""
        return not self.stale and (self.airs_next is None or self.airs_next > day.isoformat())

    @property
    def missing(self) -> dict[str, list[int]]:
        """The gaps by season."""
        return dict(self.standing.get("missing", {}))

    @property
    def slots(self) -> dict[str, int]:
        """How many slots are in each state."""
        return dict(self.standing.get("slots", {}))


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Which works; None for every one.

    Attributes:
        words: of the title, each as a part of it, in folded case.
        quality: a part of the quality of one of its files.
        missing_on: only works with a gap on that day.
    """

    work: str | None = None
    kind: str | None = None
    words: tuple[str, ...] = ()
    quality: str | None = None
    missing_on: date | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """Works of one page, and how many there are on all of them."""

    ids: list[str]
    total: int


def touch(tx: Transaction, works: Iterable[str]) -> None:
    """Let works be on the shelf, and what follows from their files and slots be open."""
    wanted = sorted(set(works))
    for first in range(0, len(wanted), _AT_ONCE):
        some = wanted[first : first + _AT_ONCE]
        there = set(
            tx.conn.execute(
                sa.select(shelf_work.c.work).where(shelf_work.c.work.in_(some))
            ).scalars()
        )
        if there:
            tx.conn.execute(
                shelf_work.update()
                .where(shelf_work.c.work.in_(there), shelf_work.c.stale.is_(False))
                .values(stale=True)
            )
        _add(tx, [one for one in some if one not in there])


def _add(tx: Transaction, new: Sequence[str]) -> None:
    if not new:
        return
    rows = tx.conn.execute(
        sa.select(work.c.id, work.c.kind, work.c.title, work.c.year).where(work.c.id.in_(new))
    ).all()
    if rows:
        tx.conn.execute(
            shelf_work.insert(),
            [
                {
                    "work": row.id,
                    "kind": row.kind,
                    "sort_title": row.title.casefold(),
                    "year": row.year or 0,
                    "stale": True,
                    "gaps": 0,
                    "qualities": "",
                    "standing": {},
                }
                for row in rows
            ],
        )


def retitle(tx: Transaction, id_: str, title: str, year: int | None) -> None:
    """Follow a work that was fetched again; one that is not on the shelf stays off it."""
    tx.conn.execute(
        shelf_work.update()
        .where(shelf_work.c.work == id_)
        .values(sort_title=title.casefold(), year=year or 0, stale=True)
    )


def stale(conn: sa.Connection, *, on: date | None = None, limit: int | None = None) -> list[str]:
    """Works whose summary is to be computed, also those of which it holds no longer on a day."""
    open_ = shelf_work.c.stale.is_(True)
    if on is not None:
        open_ |= shelf_work.c.airs_next <= on.isoformat()
    return list(conn.execute(sa.select(shelf_work.c.work).where(open_).limit(limit)).scalars())


def listed(conn: sa.Connection, ids: Collection[str]) -> dict[str, Listed]:
    """The works of one page, by id."""
    told: list[sa.Column[Any]] = [work.c.id, work.c.kind, work.c.title, work.c.year]
    told += [shelf_work.c.stale, shelf_work.c.airs_next, shelf_work.c.standing]
    found = sa.select(*told).join(shelf_work, shelf_work.c.work == work.c.id)
    rows = conn.execute(found.where(work.c.id.in_(ids)))
    return {one.id: one for one in values(Listed, rows)}


def summarise(tx: Transaction, told: Mapping[str, Summary]) -> None:
    """Write down the summaries of works."""
    if told:
        tx.conn.execute(_SUMMARISE, [{"of": id_, **_kept(one)} for id_, one in told.items()])


def _kept(told: Summary) -> dict[str, object]:
    return {
        "gaps": told.gaps,
        "airs_next": None if told.airs_next is None else told.airs_next.isoformat(),
        "qualities": SEPARATOR.join(sorted({one.casefold() for one in told.qualities})),
        "standing": {"missing": dict(told.missing), "slots": dict(told.slots)},
    }


def count(conn: sa.Connection, narrowing: Narrowing, also: Collection[str] = ()) -> int:
    """How many works there are; see `page`."""
    return _count(conn, _where(narrowing, also))


def page(
    conn: sa.Connection,
    narrowing: Narrowing,
    *,
    start: int,
    limit: int,
    also: Collection[str] = (),
) -> Listing:
    """Works by title and year.

    Args:
        conn: where to read.
        narrowing: which ones. What depends on a summary is answered by it, however stale.
        start: how many come before.
        limit: how many at most.
        also: works that a fresh summary is known to hold for; of stale ones no other is taken.
    """
    where = _where(narrowing, also)
    found = sa.select(*_ORDER).where(*where).order_by(*_ORDER).offset(start).limit(limit)
    rows = conn.execute(found).all()
    ids = [row.work for row in rows]
    if not rows:
        return Listing(ids, _count(conn, where) if start else 0)
    if len(rows) < limit:
        return Listing(ids, start + len(rows))
    if not where:
        return Listing(ids, _count(conn, where))
    # Of a narrowed list only what comes behind is counted: no row of it is looked at twice.
    behind = sa.tuple_(*_ORDER) > sa.tuple_(*rows[-1])
    return Listing(ids, start + len(rows) + _count(conn, [*where, behind]))


def _count(conn: sa.Connection, where: Sequence[sa.ColumnElement[bool]]) -> int:
    found = sa.select(sa.func.count()).select_from(shelf_work).where(*where)
    return conn.execute(found).scalar_one()


def _where(given: Narrowing, also: Collection[str]) -> list[sa.ColumnElement[bool]]:
    where: list[sa.ColumnElement[bool]] = []
    if given.work is not None:
        where.append(shelf_work.c.work == given.work)
    if given.kind is not None:
        where.append(shelf_work.c.kind == given.kind)
    where += [shelf_work.c.sort_title.contains(word, autoescape=True) for word in given.words]
    summed: list[sa.ColumnElement[bool]] = []
    if given.quality is not None:
        folded = given.quality.casefold()
        summed.append(shelf_work.c.qualities.contains(folded, autoescape=True))
    if given.missing_on is not None:
        day = given.missing_on.isoformat()
        summed.append((shelf_work.c.gaps > 0) | (shelf_work.c.airs_next <= day))
    if summed:
        holds = sa.and_(shelf_work.c.stale.is_(False), *summed)
        where.append(holds | shelf_work.c.work.in_(also) if also else holds)
    return where
