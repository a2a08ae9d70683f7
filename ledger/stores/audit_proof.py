"""Proving that the audit trail is whole: no row edited, removed, moved or put in.

It is a proof against whoever touches rows, not against whoever also computes every later hash and
every chain's record anew, nor against the removal of the newest chains with their records: against
those, keep `Verdict.end` somewhere else and compare.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from ledger.stores.audit_chain import START, link_hash, reference
from ledger.tables.effects import audit, audit_chain

PAGE = 1000
MOST_FAULTS = 50


class Breach(StrEnum):
    """What was found to have happened to the trail."""

    EDITED = "edited"
    REMOVED = "removed"
    CUT = "cut"
    PUT_IN = "put_in"
    MOVED = "moved"
    OPENING = "opening"
    NO_RECORD = "no_record"


@dataclass(frozen=True, slots=True)
class Fault:
    """One place where the trail does not hold; ``seq`` is the row's, where a row is to blame."""

    breach: Breach
    sentence: str
    chain: str | None
    link: int | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was looked at, and what does not hold.

    Attributes:
        rows: how many rows there are.
        unchained: how many of them are older than the chains.
        chains: how many chains there are.
        end: the newest link as ``chain:link:hash``; None where there is none.
        faults: the first of them, in the order of the rows.
        more: whether there were more.
    """

    rows: int
    unchained: int
    chains: int
    end: str | None
    faults: tuple[Fault, ...]
    more: bool

    @property
    def whole(self) -> bool:
        """Whether everything holds."""
        return not self.faults


def verify(conn: sa.Connection) -> Verdict:
    """Look at every row, in pages: memory grows with the number of starts, not with the rows."""
    walk = _Walk({record.id: record for record in conn.execute(sa.select(audit_chain))})
    for row in _rows(conn):
        walk.take(row)
    return walk.verdict()


def _rows(conn: sa.Connection) -> Iterator[Any]:
    last = 0
    while True:
        page = conn.execute(
            sa.select(audit).where(audit.c.seq > last).order_by(audit.c.seq).limit(PAGE)
        ).all()
        yield from page
        if len(page) < PAGE:
            return
        last = page[-1].seq


@dataclass(frozen=True, slots=True)
class _End:
    """Where a chain has got to."""

    link: int
    hash: str
    seq: int | None = None


@dataclass(slots=True)
class _Walk:
    """Goes along the rows and remembers the end of every chain."""

    records: dict[str, Any]
    ends: dict[str, _End] = field(default_factory=dict[str, _End])
    faults: list[Fault] = field(default_factory=list[Fault])
    met: set[str] = field(default_factory=set[str])
    rows: int = 0
    unchained: int = 0
    end: str | None = None
    more: bool = False
    opened_with: set[str] = field(init=False)

    def __post_init__(self) -> None:
        self.opened_with = {record.opened_with for record in self.records.values()}

    def take(self, row: Any) -> None:
        """The next row by sequence."""
        self.rows += 1
        if row.chain is None or row.link is None or row.hash is None:
            self._take_unchained(row)
            return
        before = self.ends.get(row.chain)
        if before is None:
            before = self._begin(row)
        self._compare(row, before)
        self.ends[row.chain] = _End(row.link, row.hash, row.seq)
        self.end = reference(row.chain, row.link, row.hash)
        if self.end in self.opened_with:
            self.met.add(self.end)

    def verdict(self) -> Verdict:
        """What came of it, once the last row was taken."""
        for record in self.records.values():
            self._compare_end(record)
        return Verdict(
            self.rows,
            self.unchained,
            len(self.records),
            self.end,
            tuple(self.faults),
            self.more,
        )

    def _take_unchained(self, row: Any) -> None:
        self.unchained += 1
        if self.end is not None or row.hash is not None:
            what = f"Row {row.seq} hangs on no chain, though rows before it do: it was put in."
            self._blame(Breach.PUT_IN, what, row)

    def _begin(self, row: Any) -> _End:
        """Where a chain stands before the first row of it that is there."""
        record = self.records.get(row.chain)
        if record is None:
            what = (
                f"Row {row.seq} is on the chain {row.chain}, which has no record: the record was "
                "removed, or the row was put in."
            )
            self._blame(Breach.NO_RECORD, what, row)
            return _End(0, "")
        first = record.opened_with == START
        if (first and self.end is not None) or (not first and record.opened_with not in self.met):
            what = (
                f"The chain {row.chain}, which begins with row {row.seq}, does not open with the "
                "end of one before it: rows before it were removed or changed."
            )
            self._blame(Breach.OPENING, what, row)
        return _End(0, record.opened_with)

    def _compare(self, row: Any, before: _End) -> None:
        where = f"link {row.link} of the chain {row.chain}"
        if row.link > before.link + 1:
            gone = row.link - before.link - 1
            what = f"{_counted(gone)} removed in front of row {row.seq}, {where}."
            self._blame(Breach.REMOVED, what, row)
        elif row.link <= before.link:
            what = f"Row {row.seq}, {where}, stands behind link {before.link}: it was moved."
            self._blame(Breach.MOVED, what, row)
        elif before.hash and row.hash != link_hash(before.hash, row._mapping):  # noqa: SLF001  # the documented way to a row's mapping
            what = f"Row {row.seq}, {where}, is not as it was written: it was edited or put in."
            self._blame(Breach.EDITED, what, row)

    def _compare_end(self, record: Any) -> None:
        end = self.ends.get(record.id, _End(0, record.opened_with))
        if end.link < record.links:
            what = (
                f"The chain {record.id} ends with link {end.link}, though it had {record.links}: "
                f"{_counted(record.links - end.link)} cut off its end."
            )
            breach = Breach.CUT
        elif end.link > record.links:
            what = (
                f"The chain {record.id} goes on to link {end.link}, row {end.seq}, though it had "
                f"{record.links}: what is behind was put in."
            )
            breach = Breach.PUT_IN
        elif end.hash != record.head:
            what = (
                f"The end of the chain {record.id}, row {end.seq}, is not the one on record: "
                "one of the two was edited."
            )
            breach = Breach.EDITED
        else:
            return
        self._add(Fault(breach, what, record.id, end.link, end.seq))

    def _blame(self, breach: Breach, sentence: str, row: Any) -> None:
        self._add(Fault(breach, sentence, row.chain, row.link, row.seq))

    def _add(self, fault: Fault) -> None:
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault)
        else:
            self.more = True


def _counted(rows: int) -> str:
    return "1 row was" if rows == 1 else f"{rows} rows were"
