"""The audit trail: one row for every call that reached authorisation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from ledger.stores import audit_chain
from ledger.stores.rows import select, values
from ledger.tables.effects import audit
from ledger.writer import Transaction


@dataclass(frozen=True, slots=True)
class Entry:
    """Who did what, with what outcome, by which authority; ``summary`` is redacted."""

    at: datetime
    actor: str
    action: str
    capability: str | None = None
    outcome: str | None = None
    authority: str | None = None
    invocation: str | None = None
    run: str | None = None
    summary: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class AuditRow:
    """An entry as stored; a row older than the chains has no chain, link and hash."""

    seq: int
    at: datetime
    actor: str
    action: str
    capability: str | None
    outcome: str | None
    authority: str | None
    invocation: str | None
    run: str | None
    summary: dict[str, Any]
    chain: str | None
    link: int | None
    hash: str | None


def write(tx: Transaction, *entries: Entry) -> None:
    """Append entries to the chain of whoever writes."""
    if entries:
        rows = [
            {name: getattr(entry, name) for name in Entry.__dataclass_fields__} for entry in entries
        ]
        tx.conn.execute(audit.insert(), audit_chain.linked(tx, rows))


def newest(
    conn: sa.Connection, *, limit: int = 100, run: str | None = None, before: int | None = None
) -> list[AuditRow]:
    """The newest rows first, those of one run or of all; only below the sequence ``before``."""
    where = [] if run is None else [audit.c.run == run]
    where += [] if before is None else [audit.c.seq < before]
    rows = conn.execute(select(audit, AuditRow, *where).order_by(audit.c.seq.desc()).limit(limit))
    return values(AuditRow, rows)
