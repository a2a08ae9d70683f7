"""Looks at libraries: one row for all the looks at one, and how far the present one is.

Whoever wants a look asks for it and is given a number; it is over once that number is answered.
However many ask while one is under way, at most one more follows it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from ledger.clock import new_id
from ledger.stores.rows import one, value
from ledger.stores.rows import select as selected
from ledger.tables.libraries import survey
from ledger.writer import Transaction


@dataclass(frozen=True, slots=True)
class SurveyRow:
    """The looks at one library.

    Attributes:
        asked: how often a look was asked for.
        answered: up to which number of ``asked`` one was given.
        heard: how often it was heard that something changed in it.
        unsettled: what was seen is written down in part, or nothing follows from it yet.
        seen: how far the present look is, or what the last one came to.
        fault: why the last one came to nothing.
    """

    id: str
    path: str
    asked: int
    answered: int
    heard: int
    unsettled: bool
    seen: dict[str, Any]
    fault: str | None
    begun_at: datetime | None
    ended_at: datetime | None

    @property
    def is_owed(self) -> bool:
        """Whether somebody waits for a look."""
        return self.asked > self.answered


def by_id(conn: sa.Connection, id_: str) -> SurveyRow | None:
    """The looks with this id."""
    return one(conn, survey, SurveyRow, id=id_)


def by_path(conn: sa.Connection, path: str) -> SurveyRow | None:
    """The looks at the library with this path."""
    return one(conn, survey, SurveyRow, path=path)


def of(tx: Transaction, path: str) -> SurveyRow:
    """The same, written down where there were none."""
    known = by_path(tx.conn, path)
    if known is not None:
        return known
    row = tx.conn.execute(
        survey.insert()
        .values(id=new_id("survey"), path=path, asked=0, answered=0, heard=0)
        .values(unsettled=False, seen={})
        .returning(*survey.c)
    ).one()
    return value(SurveyRow, row)


def ask(tx: Transaction, path: str) -> SurveyRow:
    """Ask for a look; it is given once ``answered`` has come to the row's ``asked``."""
    row = of(tx, path)
    tx.conn.execute(survey.update().where(survey.c.id == row.id).values(asked=survey.c.asked + 1))
    return _now(tx, row.id)


def hear(tx: Transaction, path: str) -> SurveyRow:
    """Write down that something changed in a library."""
    row = of(tx, path)
    tx.conn.execute(survey.update().where(survey.c.id == row.id).values(heard=survey.c.heard + 1))
    return _now(tx, row.id)


def tell(tx: Transaction, id_: str, seen: Mapping[str, object], begun_at: datetime) -> None:
    """Write down how far a look is."""
    tx.conn.execute(
        survey.update()
        .where(survey.c.id == id_)
        .values(seen=dict(seen), begun_at=begun_at, ended_at=None)
    )


def answer(
    tx: Transaction,
    id_: str,
    number: int,
    seen: Mapping[str, object],
    *,
    fault: str | None,
    begun_at: datetime,
    ended_at: datetime,
) -> None:
    """Write down what a look came to, for all who asked for it up to ``number``."""
    tx.conn.execute(
        survey.update()
        .where(survey.c.id == id_)
        .values(answered=number, seen=dict(seen), fault=fault)
        .values(begun_at=begun_at, ended_at=ended_at)
    )


def unsettle(tx: Transaction, path: str) -> None:
    """Let something follow from the next look also where that finds nothing different."""
    row = of(tx, path)
    if not row.unsettled:
        tx.conn.execute(survey.update().where(survey.c.id == row.id).values(unsettled=True))


def settle(tx: Transaction, path: str) -> None:
    """All that follows from the last look is written down."""
    tx.conn.execute(survey.update().where(survey.c.path == path).values(unsettled=False))


def _now(tx: Transaction, id_: str) -> SurveyRow:
    row = tx.conn.execute(selected(survey, SurveyRow, survey.c.id == id_)).one()
    return value(SurveyRow, row)
