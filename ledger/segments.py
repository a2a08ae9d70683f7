"""The rows of segments: where each subject stands with the engine, and who owns it.

Every change is a compare-and-set on the row, so that of several that want the same one does it,
and a segment that was overtaken changes nothing.
"""

from dataclasses import dataclass
from enum import StrEnum

import sqlalchemy as sa

from ledger.stores.rows import columns, select, value
from ledger.tables.runs import agent_run
from ledger.tables.work_to_do import segment, task
from ledger.writer import Transaction

SUBJECTS = {"run": agent_run, "task": task}
"""Kinds whose subjects have rows of their own; their segments go when those rows are gone."""


class Standing(StrEnum):
    """Where a subject stands with the engine."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Segment:
    """A row of the ledger.

    Attributes:
        n: the number of the present segment; what is queued under an earlier one does nothing.
        epoch: the fencing token; it grows whenever a segment begins, and with a cancellation.
        tries: how often this segment began without getting anywhere, and was cut short.
        failures: how often in a row its handler failed.
        priority: lower goes first.
        last_error: why it failed last, while that is not behind it.
    """

    kind: str
    subject: str
    n: int
    epoch: int
    tries: int
    state: Standing
    failures: int
    priority: int
    last_error: str | None


def of(conn: sa.Connection, kind: str, subject: str) -> Segment | None:
    """Where a subject stands."""
    row = conn.execute(select(segment, Segment, *_is(kind, subject))).first()
    return None if row is None else value(Segment, row)


def add(tx: Transaction, kind: str, subject: str, state: Standing, priority: int) -> Segment:
    """Write the first segment of a subject.

    Raises:
        sqlalchemy.exc.IntegrityError: the subject was started before.
    """
    row = tx.conn.execute(
        segment.insert()
        .values(kind=kind, subject=subject, n=1, epoch=0, tries=0, state=state, priority=priority)
        .returning(*columns(segment, Segment))
    ).one()
    return value(Segment, row)


def advance(
    tx: Transaction, kind: str, subject: str, state: Standing, *, progress: bool
) -> Segment:
    """Go on to the next segment; ``progress`` says that the failures so far are behind it.

    Raises:
        sqlalchemy.exc.NoResultFound: the subject was never started.
    """
    fresh: dict[str, object] = {"failures": 0, "last_error": None} if progress else {}
    row = tx.conn.execute(
        segment.update()
        .where(*_is(kind, subject))
        .values(n=segment.c.n + 1, tries=0, state=state, **fresh)
        .returning(*columns(segment, Segment))
    ).one()
    return value(Segment, row)


def begin(tx: Transaction, kind: str, subject: str, n: int) -> Segment | None:
    """Begin segment ``n`` under a new epoch; None when it was overtaken or is over."""
    row = tx.conn.execute(
        segment.update()
        .where(*_is(kind, subject), segment.c.n == n, segment.c.state != Standing.ENDED)
        .values(epoch=segment.c.epoch + 1, tries=segment.c.tries + 1, state=Standing.RUNNING)
        .returning(*columns(segment, Segment))
    ).first()
    return None if row is None else value(Segment, row)


def set_back(
    tx: Transaction, kind: str, subject: str, epoch: int, error: str, *, counts: bool
) -> Segment | None:
    """Put a running segment that failed back to waiting; None when it is no longer this one's.

    A handler that failed was not cut short, so the try that `begin` counted is taken off again.
    """
    row = tx.conn.execute(
        segment.update()
        .where(*_is(kind, subject), segment.c.epoch == epoch, segment.c.state == Standing.RUNNING)
        .values(
            n=segment.c.n + 1,
            state=Standing.WAITING,
            tries=sa.case((segment.c.tries > 0, segment.c.tries - 1), else_=0),
            failures=segment.c.failures + int(counts),
            last_error=error,
        )
        .returning(*columns(segment, Segment))
    ).first()
    return None if row is None else value(Segment, row)


def spare(tx: Transaction, kind: str, subject: str, epoch: int) -> None:
    """Take off the try that `begin` counted: the segment is cut off in good order."""
    tx.conn.execute(
        segment.update()
        .where(*_is(kind, subject), segment.c.epoch == epoch, segment.c.tries > 0)
        .values(tries=segment.c.tries - 1)
    )


def end(tx: Transaction, kind: str, subject: str) -> None:
    """Say that nothing more is owed; what its handler still writes is not refused."""
    tx.conn.execute(
        segment.update()
        .where(*_is(kind, subject))
        .values(state=Standing.ENDED, failures=0, last_error=None)
    )


def give_up(tx: Transaction, kind: str, subject: str, error: str) -> None:
    """Say that nothing more comes of it, and why."""
    tx.conn.execute(
        segment.update().where(*_is(kind, subject)).values(state=Standing.ENDED, last_error=error)
    )


def cancel(tx: Transaction, kind: str, subject: str) -> int | None:
    """End a subject and fence off whoever runs it: the new epoch; None when it had ended."""
    return tx.conn.execute(
        segment.update()
        .where(*_is(kind, subject), segment.c.state != Standing.ENDED)
        .values(state=Standing.ENDED, n=segment.c.n + 1, epoch=segment.c.epoch + 1)
        .returning(segment.c.epoch)
    ).scalar()


def prioritise(tx: Transaction, kind: str, subject: str, priority: int) -> None:
    """Set what the next segments are queued with."""
    tx.conn.execute(segment.update().where(*_is(kind, subject)).values(priority=priority))


def leave(tx: Transaction, kind: str, subject: str, epoch: int) -> bool:
    """End a subject whose segment neither suspended nor ended it; false when it did."""
    done = tx.conn.execute(
        segment.update()
        .where(*_is(kind, subject), segment.c.epoch == epoch, segment.c.state == Standing.RUNNING)
        .values(state=Standing.ENDED, failures=0, last_error=None)
    )
    return done.rowcount == 1


def owns(tx: Transaction, kind: str, subject: str, epoch: int) -> bool:
    """Whether ``epoch`` still owns ``subject``: every later write of a segment asks this first."""
    current = tx.conn.execute(sa.select(segment.c.epoch).where(*_is(kind, subject))).scalar()
    return current == epoch


def progressed(tx: Transaction, kind: str, subject: str, epoch: int) -> None:
    """Note that a segment got somewhere: cuts and failures are counted from here on."""
    tx.conn.execute(
        segment.update()
        .where(*_is(kind, subject), segment.c.epoch == epoch)
        .values(tries=0, failures=0, last_error=None)
    )


def forget(tx: Transaction, limit: int) -> int:
    """Delete ended segments whose subjects' own rows are gone, at most ``limit`` of a kind."""
    gone = 0
    for kind, table in SUBJECTS.items():
        subjects = (
            sa.select(segment.c.subject)
            .where(segment.c.kind == kind, segment.c.state == Standing.ENDED)
            .where(segment.c.subject.not_in(sa.select(table.c.id)))
            .limit(limit)
        )
        held = list(tx.conn.execute(subjects).scalars())
        gone += tx.conn.execute(
            segment.delete().where(segment.c.kind == kind, segment.c.subject.in_(held))
        ).rowcount
    return gone


def _is(kind: str, subject: str) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return segment.c.kind == kind, segment.c.subject == subject
