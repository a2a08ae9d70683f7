"""Workers: the processes at work on this ledger, each under an identity of its own.

A worker raises its beat; whoever watches and sees no new one for long enough buries it by
compare-and-set on the beat that was seen, so that one of many watchers does.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa

from ledger.stores.rows import one, select, values
from ledger.tables.workers import worker
from ledger.writer import Transaction


class WorkerState(StrEnum):
    """The life of a worker; only a live one may hold anything."""

    ALIVE = "alive"
    ENDED = "ended"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Worker:
    """A row of the ledger."""

    id: str
    role: str
    host: str
    state: WorkerState
    beat: int
    started_at: datetime
    ended_at: datetime | None


def by_id(conn: sa.Connection, id_: str) -> Worker | None:
    """The worker with this identity."""
    return one(conn, worker, Worker, id=id_)


def alive(conn: sa.Connection) -> list[Worker]:
    """Every worker that neither ended nor was buried, oldest first."""
    rows = conn.execute(
        select(worker, Worker, worker.c.state == WorkerState.ALIVE).order_by(
            worker.c.started_at, worker.c.id
        )
    )
    return values(Worker, rows)


def is_alive(conn: sa.Connection, id_: str) -> bool:
    """Whether a worker is known and neither ended nor was buried."""
    found = by_id(conn, id_)
    return found is not None and found.state is WorkerState.ALIVE


def register(tx: Transaction, id_: str, *, role: str, host: str, at: datetime) -> None:
    """Add a worker before it begins; an identity is used once and never again."""
    tx.conn.execute(
        worker.insert().values(
            id=id_, role=role, host=host, state=WorkerState.ALIVE, beat=0, started_at=at
        )
    )


def beat(tx: Transaction, id_: str) -> bool:
    """Raise the beat of a live worker; false when it was buried, and must stop."""
    done = tx.conn.execute(
        worker.update()
        .where(worker.c.id == id_, worker.c.state == WorkerState.ALIVE)
        .values(beat=worker.c.beat + 1)
    )
    return done.rowcount == 1


def bury(tx: Transaction, id_: str, seen: int, at: datetime) -> bool:
    """Say that a worker is dead whose beat is still ``seen``; true for the one who did."""
    done = tx.conn.execute(
        worker.update()
        .where(worker.c.id == id_, worker.c.state == WorkerState.ALIVE, worker.c.beat == seen)
        .values(state=WorkerState.DEAD, ended_at=at)
    )
    return done.rowcount == 1


def end(tx: Transaction, id_: str, at: datetime) -> None:
    """Say that a worker stopped in good order."""
    tx.conn.execute(
        worker.update()
        .where(worker.c.id == id_, worker.c.state == WorkerState.ALIVE)
        .values(state=WorkerState.ENDED, ended_at=at)
    )


def forget(tx: Transaction, before: datetime) -> int:
    """Delete workers that were over before a moment; returns how many."""
    done = tx.conn.execute(
        worker.delete().where(worker.c.state != WorkerState.ALIVE, worker.c.ended_at < before)
    )
    return done.rowcount
