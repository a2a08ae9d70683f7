"""Runs of the agent: their state, their conversation, and what they were told meanwhile."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from ledger.clock import new_id
from ledger.stores.rows import one, select, values
from ledger.tables.runs import agent_message, agent_run, artifact, run_inbox
from ledger.writer import Transaction


class RunState(StrEnum):
    """The state a person sees."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    BUDGET_EXCEEDED = "budget_exceeded"


OVER = (RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED, RunState.BUDGET_EXCEEDED)


class Phase(StrEnum):
    """Which durable step a run is in."""

    DRIVE = "drive"
    SETTLE = "settle"
    FINALIZE = "finalize"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Run:
    """A row of the ledger."""

    id: str
    goal: str
    actor: str
    principal: str
    trigger: str
    state: RunState
    phase: Phase
    options: dict[str, Any]
    plan: dict[str, Any] | None
    usage: dict[str, Any]
    report: dict[str, Any] | None
    reason: str | None
    abort_asked: bool
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a run's conversation; ``seq`` counts from 1."""

    run: str
    seq: int
    role: str
    body: dict[str, Any]
    at: datetime


@dataclass(frozen=True, slots=True)
class Incoming:
    """Words sent to a run, not yet read by it."""

    id: str
    run: str
    sender: str
    words: str
    at: datetime


def by_id(conn: sa.Connection, id_: str) -> Run | None:
    """The run with this id."""
    return one(conn, agent_run, Run, id=id_)


def listing(
    conn: sa.Connection,
    *,
    principal: str | None = None,
    states: tuple[RunState, ...] = (),
    limit: int = 20,
    offset: int = 0,
) -> tuple[list[Run], int]:
    """Runs, newest first, and how many there are in all; ``principal`` limits to one caller's."""
    where: list[sa.ColumnElement[bool]] = []
    if principal is not None:
        where.append(agent_run.c.principal == principal)
    if states:
        where.append(agent_run.c.state.in_(states))
    rows = conn.execute(
        select(agent_run, Run, *where)
        .order_by(agent_run.c.created_at.desc())
        .limit(limit)
        .offset(offset)
    )
    total = conn.execute(sa.select(sa.func.count()).select_from(agent_run).where(*where))
    return values(Run, rows), total.scalar_one()


def add(
    tx: Transaction,
    *,
    id_: str,
    goal: str,
    actor: str,
    principal: str,
    trigger: str,
    options: Mapping[str, object],
    at: datetime,
) -> None:
    """Create a queued run for a goal."""
    tx.conn.execute(
        agent_run.insert().values(
            id=id_,
            goal=goal,
            actor=actor,
            principal=principal,
            trigger=trigger,
            state=RunState.QUEUED,
            phase=Phase.DRIVE,
            options=dict(options),
            usage={},
            abort_asked=False,
            created_at=at,
        )
    )


def change(tx: Transaction, id_: str, **columns: object) -> None:
    """Set columns of one run."""
    tx.conn.execute(agent_run.update().where(agent_run.c.id == id_).values(**columns))


def messages(conn: sa.Connection, run: str) -> list[Message]:
    """The conversation, in order."""
    rows = conn.execute(
        select(agent_message, Message, agent_message.c.run == run).order_by(agent_message.c.seq)
    )
    return values(Message, rows)


def add_message(
    tx: Transaction, run: str, role: str, body: Mapping[str, object], at: datetime
) -> int:
    """Append to the conversation; returns the message's sequence."""
    highest = sa.func.coalesce(sa.func.max(agent_message.c.seq), 0)
    following = sa.select(highest + 1).where(agent_message.c.run == run).scalar_subquery()
    return tx.conn.execute(
        agent_message.insert()
        .values(run=run, seq=following, role=role, body=dict(body), at=at)
        .returning(agent_message.c.seq)
    ).scalar_one()


def tell(tx: Transaction, run: str, sender: str, words: str, at: datetime) -> str:
    """Leave words for a run: durable once accepted, read at its next step."""
    id_ = new_id("msg")
    tx.conn.execute(run_inbox.insert().values(id=id_, run=run, sender=sender, words=words, at=at))
    return id_


def unread(conn: sa.Connection, run: str) -> list[Incoming]:
    """What a run has not read yet, oldest first."""
    rows = conn.execute(
        select(run_inbox, Incoming, run_inbox.c.run == run, run_inbox.c.read_at.is_(None)).order_by(
            run_inbox.c.at
        )
    )
    return values(Incoming, rows)


def mark_read(tx: Transaction, id_: str, at: datetime) -> None:
    """A message has become part of the conversation."""
    tx.conn.execute(run_inbox.update().where(run_inbox.c.id == id_).values(read_at=at))


def add_artifact(
    tx: Transaction, kind: str, run: str, body: Mapping[str, object], at: datetime
) -> str:
    """Keep a finished document, e.g. a goal report."""
    id_ = new_id("art")
    tx.conn.execute(
        artifact.insert().values(id=id_, kind=kind, run=run, body=dict(body), created_at=at)
    )
    return id_
