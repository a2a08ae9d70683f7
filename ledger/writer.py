"""One thread that does all ledger writes of a SQLite file, many callers in one commit.

Why: with several writing connections SQLite's busy timeout is a sleeping poll, not a queue, and
the asynchronous layers cross threads for every statement. One writer with group commit keeps full
durability (one fsync a commit) and gives every caller its answer only after that commit.
"""

import asyncio
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError, DBAPIError, OperationalError

from ledger.faults import LedgerUnavailableError

T = TypeVar("T")

MOST_IN_ONE_COMMIT = 64


@dataclass(slots=True)
class Transaction:
    """An open write transaction: run statements on ``conn``, never commit it yourself."""

    conn: sa.Connection
    after: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])

    def after_commit(self, act: Callable[[], None]) -> None:
        """Run ``act`` on the event loop once this transaction is durable, never before."""
        self.after.append(act)


@dataclass(slots=True)
class _Job(Generic[T]):
    work: Callable[[Transaction], T]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[T]
    result: T | None = None
    error: BaseException | None = None
    after: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])


class Writer:
    """Runs transactions one after another on its own thread and connection."""

    def __init__(self, engine: sa.Engine) -> None:
        """Take an engine whose ``begin`` is ``BEGIN IMMEDIATE``; the thread starts at once."""
        self._engine = engine
        self._jobs: queue.SimpleQueue[_Job[Any] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="ledger-writer", daemon=True)
        self._closed = False
        self._thread.start()

    async def write(self, work: Callable[[Transaction], T]) -> T:
        """Run ``work`` in a transaction and return its result once that is durable.

        An exception of ``work`` rolls back only its own statements. A caller that is cancelled
        while waiting does not undo the write: whoever needs to know looks at the rows.

        Raises:
            LedgerUnavailableError: the database refused (disk full, locked, closed).
        """
        if self._closed:
            raise LedgerUnavailableError("the ledger is closed")
        loop = asyncio.get_running_loop()
        job = _Job(work=work, loop=loop, future=loop.create_future())
        self._jobs.put(job)
        return await job.future

    def close(self) -> None:
        """Finish what is queued, then stop the thread."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
            self._thread.join()

    def _serve(self) -> None:
        stopping = False
        while not stopping:
            first = self._jobs.get()
            if first is None:
                break
            batch: list[_Job[Any]] = [first]
            while len(batch) < MOST_IN_ONE_COMMIT and not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    stopping = True
                    break
                batch.append(job)
            self._commit(batch)

    def _commit(self, batch: list[_Job[Any]]) -> None:
        try:
            with self._engine.begin() as conn:
                for job in batch:
                    _run(job, conn)
        except DBAPIError as refused:
            sentence = f"the ledger could not be written: {refused.orig}"
            for job in batch:
                job.error = job.error or LedgerUnavailableError(sentence)
        except Exception as broken:  # noqa: BLE001  # the thread must live: later writers wait for it
            for job in batch:
                job.error = job.error or LedgerUnavailableError(f"the writer failed: {broken!r}")
        for job in batch:
            with suppress(RuntimeError):  # its loop was closed, so nobody waits any more
                job.loop.call_soon_threadsafe(_answer, job)


def refuses(error: BaseException) -> bool:
    """Whether ``error`` is the database's own refusal (full, locked, unreadable), not a caller's.

    SQLite tells damage as a plain `DatabaseError`; its subclasses other than `OperationalError`
    are about the statement.
    """
    return type(error) in {OperationalError, DatabaseError}


def _run(job: _Job[Any], conn: sa.Connection) -> None:
    savepoint = conn.begin_nested()
    transaction = Transaction(conn)
    try:
        job.result = job.work(transaction)
        savepoint.commit()
    except BaseException as error:
        if refuses(error):
            raise
        savepoint.rollback()
        job.error = error
    else:
        job.after = transaction.after


def _answer(job: _Job[Any]) -> None:
    """Answer first: an act that fails must not leave the caller waiting.

    The caller goes on only after the acts, since answering merely schedules it.
    """
    if not job.future.cancelled():
        if job.error is not None:
            job.future.set_exception(job.error)
        else:
            job.future.set_result(job.result)
    if job.error is None:
        for act in job.after:
            act()
