"""Decisions: what only a person can settle, one open per root cause."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from ledger.clock import new_id
from ledger.stores.rows import one, select, value, values
from ledger.tables.work_to_do import decision
from ledger.writer import Transaction


class DecisionKind(StrEnum):
    """What is asked."""

    APPROVAL_REQUIRED = "approval_required"
    IDENTITY_AMBIGUOUS = "identity_ambiguous"
    IMPORT_UNIDENTIFIED = "import_unidentified"
    DOWNLOAD_FAILED = "download_failed"
    DOWNLOAD_STALLED = "download_stalled"
    CHOOSE_OPTION = "choose_option"
    DANGEROUS_CONTENT = "dangerous_content"
    NO_SPACE = "no_space"
    UPSTREAM_LOGIN = "upstream_login"
    OTHER = "other"


class DecisionState(StrEnum):
    """The life of a decision."""

    OPEN = "open"
    INVESTIGATING = "investigating"
    AWAITING_USER = "awaiting_user"
    RESOLVED = "resolved"
    DISMISSED = "dismissed"


WAITING = (DecisionState.OPEN, DecisionState.INVESTIGATING, DecisionState.AWAITING_USER)


class Severity(StrEnum):
    """How urgent, most urgent first."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Option(StrEnum):
    """What the owner may choose of a decision that carries no act of its own.

    `capabilities.decision.resolve` carries them out.
    """

    RETRY = "retry"
    RE_EVALUATE = "re-evaluate"
    ACCEPT = "accept"
    DISMISS = "dismiss"
    IGNORE = "ignore"
    CHECK = "check"
    DONE = "done"
    NOT_DONE = "not-done"


_TITLES = {
    Option.RETRY: "Try again",
    Option.RE_EVALUATE: "Look at it again",
    Option.ACCEPT: "Accept it as it is",
    Option.DISMISS: "Leave it, and do not ask about it again",
    Option.IGNORE: "Leave it for now",
    Option.CHECK: "Look again whether it was done",
    Option.DONE: "Settle it as done",
    Option.NOT_DONE: "Settle it as not done",
}


def offered(*options: Option) -> list[dict[str, Any]]:
    """Options as a decision holds them, with their usual titles."""
    return [{"id": option.value, "title": _TITLES[option]} for option in options]


@dataclass(frozen=True, slots=True)
class Decision:
    """A row of the ledger."""

    id: str
    kind: DecisionKind
    dedupe_key: str
    severity: Severity
    state: DecisionState
    title: str
    evidence: dict[str, Any]
    options: list[dict[str, Any]]
    approval: str | None
    run: str | None
    subject: str | None
    created_at: datetime
    resolved_at: datetime | None
    resolved_by: str | None
    resolution: str | None


@dataclass(frozen=True, slots=True)
class NewDecision:
    """What is put before the owner; ``dedupe_key`` names the root cause.

    ``lasting``: it is raised again and again while its cause lasts, so that the owner who has
    dismissed it is asked again only after the cause went away and came back.
    """

    kind: DecisionKind
    dedupe_key: str
    title: str
    severity: Severity = Severity.MEDIUM
    evidence: dict[str, Any] = field(default_factory=dict[str, Any])
    options: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    approval: str | None = None
    run: str | None = None
    subject: str | None = None
    lasting: bool = False


def by_id(conn: sa.Connection, id_: str) -> Decision | None:
    """The decision with this id."""
    return one(conn, decision, Decision, id=id_)


def open_for(conn: sa.Connection, dedupe_key: str) -> Decision | None:
    """The open decision of one root cause."""
    row = conn.execute(
        select(
            decision,
            Decision,
            decision.c.dedupe_key == dedupe_key,
            decision.c.state.in_(WAITING),
        )
    ).first()
    return None if row is None else value(Decision, row)


def listing(
    conn: sa.Connection,
    *,
    states: tuple[DecisionState, ...] = WAITING,
    kind: DecisionKind | None = None,
    limit: int = 100,
    offset: int = 0,
) -> tuple[list[Decision], int]:
    """Decisions by severity, then age, and how many there are in all."""
    where: list[sa.ColumnElement[bool]] = [decision.c.state.in_(states)]
    if kind is not None:
        where.append(decision.c.kind == kind)
    urgency = sa.case(
        (decision.c.severity == Severity.HIGH, 0),
        (decision.c.severity == Severity.MEDIUM, 1),
        else_=2,
    )
    rows = conn.execute(
        select(decision, Decision, *where)
        .order_by(urgency, decision.c.created_at)
        .limit(limit)
        .offset(offset)
    )
    total = conn.execute(sa.select(sa.func.count()).select_from(decision).where(*where))
    return values(Decision, rows), total.scalar_one()


def of_run(
    conn: sa.Connection, run: str, kind: DecisionKind, *states: DecisionState
) -> list[Decision]:
    """Decisions of one kind that one run raised, in any of ``states``, oldest first."""
    rows = conn.execute(
        select(
            decision,
            Decision,
            decision.c.run == run,
            decision.c.kind == kind,
            decision.c.state.in_(states),
        ).order_by(decision.c.created_at)
    )
    return values(Decision, rows)


def raise_(tx: Transaction, new: NewDecision, at: datetime) -> str:
    """Open a decision, or give the id of the one that is open for the same root cause."""
    existing = open_for(tx.conn, new.dedupe_key)
    if existing is None and new.lasting:
        existing = _dismissed(tx.conn, new.dedupe_key)
    if existing is not None:
        return existing.id
    id_ = new_id("dec")
    tx.conn.execute(
        decision.insert().values(
            id=id_,
            kind=new.kind,
            dedupe_key=new.dedupe_key,
            severity=new.severity,
            state=DecisionState.AWAITING_USER,
            title=new.title,
            evidence=new.evidence,
            options=new.options,
            approval=new.approval,
            run=new.run,
            subject=new.subject,
            created_at=at,
        )
    )
    return id_


def amend(
    tx: Transaction, id_: str, *, evidence: dict[str, Any], options: list[dict[str, Any]]
) -> None:
    """Say more of a waiting decision, and offer what may be chosen of it by now."""
    tx.conn.execute(
        decision.update()
        .where(decision.c.id == id_, decision.c.state.in_(WAITING))
        .values(evidence=evidence, options=options)
    )


def close(
    tx: Transaction,
    id_: str,
    *,
    by: str,
    resolution: str,
    at: datetime,
    state: DecisionState = DecisionState.RESOLVED,
) -> bool:
    """Close a waiting decision and say by what; false when it was closed already."""
    done = tx.conn.execute(
        decision.update()
        .where(decision.c.id == id_, decision.c.state.in_(WAITING))
        .values(state=state, resolved_by=by, resolution=resolution, resolved_at=at)
    )
    return done.rowcount == 1


def close_for(tx: Transaction, dedupe_key: str, *, by: str, resolution: str, at: datetime) -> None:
    """Close the decision of a root cause that went away by itself, and one that was dismissed."""
    existing = open_for(tx.conn, dedupe_key)
    if existing is not None:
        close(tx, existing.id, by=by, resolution=resolution, at=at)
    tx.conn.execute(
        decision.update()
        .where(decision.c.dedupe_key == dedupe_key)
        .where(decision.c.state == DecisionState.DISMISSED)
        .values(state=DecisionState.RESOLVED)
    )


def _dismissed(conn: sa.Connection, dedupe_key: str) -> Decision | None:
    held = (decision.c.dedupe_key == dedupe_key, decision.c.state == DecisionState.DISMISSED)
    row = conn.execute(select(decision, Decision, *held).limit(1)).first()
    return None if row is None else value(Decision, row)
