"""Business tasks: what background work is owed, with every attempt in sight."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from ledger.clock import new_id
from ledger.stores.rows import one, select, values
from ledger.tables.work_to_do import task
from ledger.writer import Transaction


class TaskState(StrEnum):
    """The life of a task."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    DEAD = "dead"
    CANCELLED = "cancelled"


ENDED = (TaskState.SUCCEEDED, TaskState.FAILED, TaskState.DEAD, TaskState.CANCELLED)


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A row of the ledger."""

    id: str
    kind: str
    subject: str
    state: TaskState
    attempts: int
    steps: list[dict[str, Any]]
    last_error: str | None
    next_try_at: datetime | None
    created_at: datetime
    ended_at: datetime | None


def by_id(conn: sa.Connection, id_: str) -> TaskRow | None:
    """The task with this id."""
    return one(conn, task, TaskRow, id=id_)


def of_subject(conn: sa.Connection, subject: str) -> list[TaskRow]:
    """The tasks about one thing."""
    rows = conn.execute(
        select(task, TaskRow, task.c.subject == subject).order_by(task.c.created_at)
    )
    return values(TaskRow, rows)


def unfinished(conn: sa.Connection) -> list[TaskRow]:
    """Tasks that still owe something."""
    rows = conn.execute(
        select(task, TaskRow, task.c.state.not_in(ENDED)).order_by(task.c.created_at)
    )
    return values(TaskRow, rows)


def add(tx: Transaction, kind: str, subject: str, at: datetime) -> str | None:
    """Create a task; None when this subject has one of this kind already."""
    known = tx.conn.execute(
        sa.select(task.c.id).where(task.c.kind == kind, task.c.subject == subject)
    ).scalar()
    if known is not None:
        return None
    id_ = new_id("task")
    tx.conn.execute(
        task.insert().values(
            id=id_,
            kind=kind,
            subject=subject,
            state=TaskState.QUEUED,
            attempts=0,
            steps=[],
            created_at=at,
        )
    )
    return id_


def change(tx: Transaction, id_: str, **columns: object) -> None:
    """Set columns of one task."""
    tx.conn.execute(task.update().where(task.c.id == id_).values(**columns))


def add_step(tx: Transaction, id_: str, step: Mapping[str, object]) -> None:
    """Append to what a task did."""
    steps = tx.conn.execute(sa.select(task.c.steps).where(task.c.id == id_)).scalar_one()
    change(tx, id_, steps=[*steps, dict(step)])
