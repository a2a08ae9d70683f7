"""Policies in numbered versions: one of each kind is published, and one may be a draft."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from ledger.stores.rows import select, value, values
from ledger.tables.media import policy
from ledger.writer import Transaction


class PolicyState(StrEnum):
    """The life of a version."""

    DRAFT = "draft"
    PUBLISHED = "published"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class PolicyRow:
    """A row of the ledger.

    Attributes:
        by: who wrote it; None for what a new home was given.
        from_version: the earlier version that it goes back to, where it does.
    """

    kind: str
    version: int
    state: str
    body: dict[str, Any]
    created_at: datetime
    by: str | None
    published_at: datetime | None
    from_version: int | None


def published(conn: sa.Connection, kind: str) -> PolicyRow | None:
    """The published version of one kind."""
    return _one(conn, policy.c.kind == kind, policy.c.state == PolicyState.PUBLISHED)


def draft(conn: sa.Connection, kind: str) -> PolicyRow | None:
    """The draft of one kind, where there is one."""
    return _one(conn, policy.c.kind == kind, policy.c.state == PolicyState.DRAFT)


def version_of(conn: sa.Connection, kind: str, version: int) -> PolicyRow | None:
    """One version, whatever its state."""
    return _one(conn, policy.c.kind == kind, policy.c.version == version)


def history(conn: sa.Connection, kind: str, *, limit: int) -> tuple[list[PolicyRow], int]:
    """Versions of one kind, newest first, and how many in all."""
    rows = conn.execute(
        select(policy, PolicyRow, policy.c.kind == kind)
        .order_by(policy.c.version.desc())
        .limit(limit)
    )
    total = conn.execute(
        sa.select(sa.func.count()).select_from(policy).where(policy.c.kind == kind)
    )
    return values(PolicyRow, rows), total.scalar_one()


def publish(tx: Transaction, kind: str, body: Mapping[str, object], at: datetime) -> int:
    """Make ``body`` the next version and retire the one before; returns the version."""
    version = next_version(tx.conn, kind)
    _retire(tx, kind)
    tx.conn.execute(
        policy.insert().values(
            kind=kind,
            version=version,
            state=PolicyState.PUBLISHED,
            body=dict(body),
            created_at=at,
            published_at=at,
        )
    )
    return version


def keep_draft(
    tx: Transaction,
    kind: str,
    body: Mapping[str, object],
    at: datetime,
    *,
    by: str,
    from_version: int | None = None,
) -> PolicyRow:
    """Store ``body`` as the draft of its kind, in place of an earlier one.

    It has a number of its own: what somebody saw under the earlier one's is not this.
    """
    version = next_version(tx.conn, kind)
    tx.conn.execute(
        policy.delete().where(policy.c.kind == kind, policy.c.state == PolicyState.DRAFT)
    )
    row = PolicyRow(kind, version, PolicyState.DRAFT, dict(body), at, by, None, from_version)
    held = {name: getattr(row, name) for name in PolicyRow.__dataclass_fields__}
    tx.conn.execute(policy.insert().values(**held))
    return row


def publish_draft(tx: Transaction, kind: str, version: int, at: datetime) -> bool:
    """Publish a draft and retire the version before; false when it is no draft any more."""
    row = version_of(tx.conn, kind, version)
    if row is None or row.state != PolicyState.DRAFT:
        return False
    _retire(tx, kind)
    tx.conn.execute(
        policy.update()
        .where(policy.c.kind == kind, policy.c.version == version)
        .values(state=PolicyState.PUBLISHED, published_at=at)
    )
    return True


def _one(conn: sa.Connection, *where: sa.ColumnElement[bool]) -> PolicyRow | None:
    row = conn.execute(select(policy, PolicyRow, *where)).first()
    return None if row is None else value(PolicyRow, row)


def next_version(conn: sa.Connection, kind: str) -> int:
    """The number after the last one that was ever given."""
    last = conn.execute(
        sa.select(sa.func.max(policy.c.version)).where(policy.c.kind == kind)
    ).scalar()
    return (last or 0) + 1


def _retire(tx: Transaction, kind: str) -> None:
    tx.conn.execute(
        policy.update()
        .where(policy.c.kind == kind, policy.c.state == PolicyState.PUBLISHED)
        .values(state=PolicyState.RETIRED)
    )
