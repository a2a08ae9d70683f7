"""Grants: the owner's standing word that acts of one sort may happen.

Each holds within a scope and a day's budget, and only ever becomes smaller.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime, time, timedelta
from typing import Any

import sqlalchemy as sa

from ledger.clock import new_id
from ledger.stores.claims import LEFT_PARTLY, ClaimState
from ledger.stores.rows import one, select, values
from ledger.tables.effects import invocation, owner_grant
from ledger.writer import Transaction

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Scope:
    """What a grant is limited to; None in a field limits nothing.

    Attributes:
        works: ids of works.
        kinds: kinds of works, e.g. ``film``.
        capabilities: ids of capabilities, within the grant's action.
        downloaders: names of download clients.
        folders: names of libraries, as a person calls them.
    """

    works: frozenset[str] | None = None
    kinds: frozenset[str] | None = None
    capabilities: frozenset[str] | None = None
    downloaders: frozenset[str] | None = None
    folders: frozenset[str] | None = None

    @classmethod
    def of(cls, given: Mapping[str, Iterable[str] | None]) -> "Scope":
        """From lists by field name; what is absent or None limits nothing."""
        names = (field.name for field in fields(cls))
        held = {name: given.get(name) for name in names}
        return cls(**{name: None if one is None else frozenset(one) for name, one in held.items()})

    def document(self) -> dict[str, list[str]]:
        """As stored and shown: only the fields that limit, each sorted."""
        held = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: sorted(one) for name, one in held.items() if one is not None}

    def within(self, wider: "Scope") -> bool:
        """Whether everything this allows is allowed by ``wider`` too."""
        for field in fields(self):
            outer: frozenset[str] | None = getattr(wider, field.name)
            inner: frozenset[str] | None = getattr(self, field.name)
            if outer is not None and (inner is None or not inner <= outer):
                return False
        return True


@dataclass(frozen=True, slots=True)
class Terms:
    """The parts of a grant that can be made smaller. Budgets are per UTC day; None is no limit.

    Attributes:
        may_replace: whether acts that replace or move files are covered.
    """

    scope: Scope
    calls_per_day: int | None
    bytes_per_day: int | None
    may_replace: bool
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewGrant:
    """What the owner grants; with a policy, only as long as exactly that version is published."""

    action: str
    terms: Terms
    note: str = ""
    policy_kind: str | None = None
    policy_version: int | None = None


@dataclass(frozen=True, slots=True)
class Grant:
    """A row of the ledger."""

    id: str
    action: str
    scope: dict[str, Any]
    calls_per_day: int | None
    bytes_per_day: int | None
    may_replace: bool
    policy_kind: str | None
    policy_version: int | None
    note: str
    made_by: str
    created_at: datetime
    expires_at: datetime | None
    withdrawn_at: datetime | None
    withdrawn_by: str | None
    reason: str | None

    @property
    def terms(self) -> Terms:
        """What it allows now."""
        return Terms(
            Scope.of(self.scope),
            self.calls_per_day,
            self.bytes_per_day,
            self.may_replace,
            self.expires_at,
        )

    def stands(self, at: datetime) -> bool:
        """Neither withdrawn nor expired; it ends at its expiry to the moment."""
        return self.withdrawn_at is None and (self.expires_at is None or self.expires_at > at)


@dataclass(frozen=True, slots=True)
class Used:
    """What acts under a grant have taken of one day's budgets."""

    calls: int
    bytes: int


def by_id(conn: sa.Connection, id_: str) -> Grant | None:
    """The grant with this id."""
    return one(conn, owner_grant, Grant, id=id_)


def standing(conn: sa.Connection, at: datetime) -> list[Grant]:
    """The grants that are neither withdrawn nor expired, oldest first."""
    rows = conn.execute(
        select(owner_grant, Grant, *_stands(at)).order_by(
            owner_grant.c.created_at, owner_grant.c.id
        )
    )
    return values(Grant, rows)


def listing(
    conn: sa.Connection,
    *,
    standing_at: datetime | None = None,
    limit: int = 100,
    offset: int = 0,
) -> tuple[list[Grant], int]:
    """Grants, newest first, and how many in all; with a moment, only those that stand then."""
    where = [] if standing_at is None else _stands(standing_at)
    rows = conn.execute(
        select(owner_grant, Grant, *where)
        .order_by(owner_grant.c.created_at.desc(), owner_grant.c.id)
        .limit(limit)
        .offset(offset)
    )
    total = conn.execute(sa.select(sa.func.count()).select_from(owner_grant).where(*where))
    return values(Grant, rows), total.scalar_one()


def bound_to(conn: sa.Connection, kind: str, version: int) -> list[Grant]:
    """The grants that were made for one version of a policy and are not withdrawn, oldest first."""
    rows = conn.execute(
        select(
            owner_grant,
            Grant,
            owner_grant.c.policy_kind == kind,
            owner_grant.c.policy_version == version,
            owner_grant.c.withdrawn_at.is_(None),
        ).order_by(owner_grant.c.created_at, owner_grant.c.id)
    )
    return values(Grant, rows)


def add(tx: Transaction, new: NewGrant, by: str, at: datetime, *, id_: str | None = None) -> str:
    """Store a grant, under an id that was announced or a fresh one; returns it."""
    id_ = id_ or new_id("grant")
    tx.conn.execute(
        owner_grant.insert().values(
            id=id_,
            action=new.action,
            policy_kind=new.policy_kind,
            policy_version=new.policy_version,
            note=new.note,
            made_by=by,
            created_at=at,
            **_columns(new.terms),
        )
    )
    return id_


def set_terms(tx: Transaction, id_: str, terms: Terms) -> None:
    """Replace the terms; the caller has made sure that they are no wider."""
    tx.conn.execute(owner_grant.update().where(owner_grant.c.id == id_).values(**_columns(terms)))


def withdraw(tx: Transaction, id_: str, *, by: str, reason: str, at: datetime) -> bool:
    """End a grant for ever; false when it was withdrawn already."""
    done = tx.conn.execute(
        owner_grant.update()
        .where(owner_grant.c.id == id_, owner_grant.c.withdrawn_at.is_(None))
        .values(withdrawn_at=at, withdrawn_by=by, reason=reason)
    )
    return done.rowcount == 1


def used(conn: sa.Connection, id_: str, at: datetime) -> Used:
    """What claims under a grant have taken on the UTC day of ``at``.

    A claim counts from the moment it is written until it is known to have failed and to have left
    nothing behind: what was not done takes nothing, and what was done in part takes all it may.
    """
    day = day_of(at)
    calls, size = conn.execute(
        sa.select(
            sa.func.count(), sa.func.coalesce(sa.func.sum(invocation.c.bytes_reserved), 0)
        ).where(
            invocation.c.authority == id_,
            invocation.c.claimed_at >= day,
            invocation.c.claimed_at < day + DAY,
            sa.or_(
                invocation.c.state != ClaimState.FAILED,
                invocation.c.evidence[LEFT_PARTLY].as_boolean().is_(True),
            ),
        )
    ).one()
    return Used(int(calls), int(size))


def day_of(at: datetime) -> datetime:
    """The moment at which the UTC day of ``at`` began; budgets renew a day after it."""
    return datetime.combine(at.astimezone(UTC).date(), time(), UTC)


def _stands(at: datetime) -> list[sa.ColumnElement[bool]]:
    return [
        owner_grant.c.withdrawn_at.is_(None),
        sa.or_(owner_grant.c.expires_at.is_(None), owner_grant.c.expires_at > at),
    ]


def _columns(terms: Terms) -> dict[str, object]:
    return {
        "scope": terms.scope.document(),
        "calls_per_day": terms.calls_per_day,
        "bytes_per_day": terms.bytes_per_day,
        "may_replace": terms.may_replace,
        "expires_at": terms.expires_at,
    }
