"""Policies in numbered versions; one of each kind is published."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from ledger.stores.rows import select, value
from ledger.tables.media import policy
from ledger.writer import Transaction


@dataclass(frozen=True, slots=True)
class PolicyRow:
    """A row of the ledger."""

    kind: str
    version: int
    state: str
    body: dict[str, Any]
    created_at: datetime


def published(conn: sa.Connection, kind: str) -> PolicyRow | None:
    """The published version of one kind."""
    row = conn.execute(
        select(policy, PolicyRow, policy.c.kind == kind, policy.c.state == "published")
    ).first()
    return None if row is None else value(PolicyRow, row)


def publish(tx: Transaction, kind: str, body: Mapping[str, object], at: datetime) -> int:
    """Make ``body`` the next version and retire the one before; returns the version."""
    last = tx.conn.execute(
        sa.select(sa.func.max(policy.c.version)).where(policy.c.kind == kind)
    ).scalar()
    version = (last or 0) + 1
    tx.conn.execute(
        policy.update()
        .where(policy.c.kind == kind, policy.c.state == "published")
        .values(state="retired")
    )
    tx.conn.execute(
        policy.insert().values(
            kind=kind, version=version, state="published", body=dict(body), created_at=at
        )
    )
    return version
