"""Events: rows first, with a global and a per-run sequence; pushed only after their commit."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from ledger.stores.rows import select, values
from ledger.tables.runs import event
from ledger.writer import Transaction

_ONE_AT_A_TIME = sa.text("SELECT pg_advisory_xact_lock(7220463123)")


@dataclass(frozen=True, slots=True)
class Event:
    """A row of the ledger."""

    seq: int
    run: str | None
    run_seq: int | None
    type: str
    body: dict[str, Any]
    at: datetime


# Built once: the sequence of a run is counted by the database inside the insert.
_TOLD: dict[str, sa.BindParameter[Any]] = {
    "type": sa.bindparam("of_type"),
    "body": sa.bindparam("with_body"),
    "at": sa.bindparam("at_moment"),
}
_NEXT_OF_RUN = (
    sa.select(sa.func.coalesce(sa.func.max(event.c.run_seq), 0) + 1)
    .where(event.c.run == sa.bindparam("of_run"))
    .scalar_subquery()
)
_OF_NONE = event.insert().values(**_TOLD)
_OF_RUN = event.insert().values(run=sa.bindparam("of_run"), run_seq=_NEXT_OF_RUN, **_TOLD)


def append(
    tx: Transaction, type_: str, body: Mapping[str, object], at: datetime, *, run: str | None = None
) -> None:
    """Write one event; ``run_seq`` counts from 1 within its run without a gap."""
    _take_turns(tx)
    told = {"of_type": type_, "with_body": dict(body), "at_moment": at}
    if run is None:
        tx.conn.execute(_OF_NONE, told)
    else:
        tx.conn.execute(_OF_RUN, {**told, "of_run": run})


def _take_turns(tx: Transaction) -> None:
    """Let no other process number an event before this transaction has ended.

    A reader goes on behind the highest number it saw, so a lower one must not turn up later.
    SQLite has one writer anyway.
    """
    if tx.conn.dialect.name == "postgresql":
        tx.conn.execute(_ONE_AT_A_TIME)


def last_seq(conn: sa.Connection, run: str) -> int:
    """The highest per-run sequence written so far; 0 before the first event."""
    found = conn.execute(sa.select(sa.func.max(event.c.run_seq)).where(event.c.run == run)).scalar()
    return found or 0


def of_run(conn: sa.Connection, run: str, *, after: int = 0, limit: int = 200) -> list[Event]:
    """Events of a run behind ``after``, in order."""
    rows = conn.execute(
        select(event, Event, event.c.run == run, event.c.run_seq > after)
        .order_by(event.c.run_seq)
        .limit(limit)
    )
    return values(Event, rows)


def page(conn: sa.Connection, *, after: int = 0, limit: int = 200) -> list[Event]:
    """Events of all runs and of none behind the global sequence ``after``, in order."""
    rows = conn.execute(
        select(event, Event, event.c.seq > after).order_by(event.c.seq).limit(limit)
    )
    return values(Event, rows)
