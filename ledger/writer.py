"""One thread that does all ledger writes of a process, many callers in one commit.

Why: with several writing connections SQLite's busy timeout is a sleeping poll, not a queue, and
the asynchronous layers cross threads for every statement. One writer with group commit keeps full
durability (one fsync a commit) and gives every caller its answer only after that commit. On
PostgreSQL it also keeps the number of transactions that can conflict at one a process.
"""

import asyncio
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
import structlog
from sqlalchemy.exc import DBAPIError

from ledger.faults import LedgerUnavailableError
from ledger.refusals import conflicts, cut, lost, refuses, told

T = TypeVar("T")

MOST_IN_ONE_COMMIT = 64
MOST_TURNS = 3
"""A refused transaction runs alone; only one that was begun in another way can refuse it again."""
NAMELESS = "nameless"
UNWRITTEN = "the ledger could not be written"

log = structlog.get_logger()


@dataclass(slots=True)
class Transaction:
    """An open write transaction: run statements on ``conn``, never commit it yourself.

    Attributes:
        writer: who writes; the audit trail of each is a chain of its own.
    """

    conn: sa.Connection
    after: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    writer: str = NAMELESS

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

    def begin_anew(self) -> None:
        """Forget a run whose transaction was refused."""
        self.result, self.error, self.after = None, None, []


@dataclass(frozen=True, slots=True)
class Manners:
    """Statements with which writers of several processes live together.

    Attributes:
        among: begins a transaction that runs beside those of others; None leaves it to the driver.
        alone: begins one that was refused before; nobody else's runs until it has ended.

    Both may also ask that others hear of the transaction once it is committed.
    """

    among: str | None = None
    alone: str | None = None


_ALONE_ANYWAY = Manners()


class Writer:
    """Runs transactions one after another on its own thread and connection.

    Attributes:
        name: the writer of every transaction that begins from now on.
    """

    def __init__(
        self, engine: sa.Engine, *, manners: Manners = _ALONE_ANYWAY, name: str = NAMELESS
    ) -> None:
        """Take an engine whose transactions are serialisable; the thread starts at once."""
        self._engine = engine
        self._manners = manners
        self.name = name
        self._in_commit = False
        self._jobs: queue.SimpleQueue[_Job[Any] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="ledger-writer", daemon=True)
        self._closed = False
        self._thread.start()

    async def write(self, work: Callable[[Transaction], T]) -> T:
        """Run ``work`` in a transaction and return its result once that is durable.

        An exception of ``work`` rolls back only its own statements. Where another process was
        faster, ``work`` runs again: it must do nothing but read and write through its
        transaction. A caller that is cancelled while waiting does not undo the write: whoever
        needs to know looks at the rows.

        Raises:
            LedgerUnavailableError: the database refused (disk full, locked, closed).
            LedgerUnclearError: the connection was cut in the commit; it may stand.
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
            _answer_all(batch)

    def _commit(self, batch: list[_Job[Any]]) -> None:
        for turn in range(MOST_TURNS):
            try:
                self._transact(batch, self._manners.alone if turn else self._manners.among)
            except DBAPIError as refused:
                unclear = self._in_commit and lost(refused)
                stale = turn == 0 and lost(refused) and not unclear
                if stale or (conflicts(refused) and turn + 1 < MOST_TURNS):
                    continue  # on a new connection, and with nobody else in the way
                _refuse(batch, (cut if unclear else told)(UNWRITTEN, refused))
            except Exception:  # the thread must live: later writers wait for it
                log.exception("the writer failed")
                _refuse(batch, LedgerUnavailableError("the writer failed", "The log has more."))
            return

    def _transact(self, batch: list[_Job[Any]], first: str | None) -> None:
        """Commit the whole batch; one with a failing job runs again, each job on its own ground.

        Savepoints cost as much as the work itself, so they are set only once they are needed.
        """
        for each_alone in (False, True):
            self._in_commit = False
            for job in batch:
                job.begin_anew()
            with self._engine.connect() as conn, conn.begin() as transaction:
                if first is not None:
                    conn.exec_driver_sql(first)
                if self._worked(batch, conn, each_alone=each_alone):
                    self._in_commit = True
                    return
                transaction.rollback()
            if len(batch) == 1:
                return

    def _worked(self, batch: list[_Job[Any]], conn: sa.Connection, *, each_alone: bool) -> bool:
        """Run the jobs; false at the first that fails, unless each has a savepoint of its own."""
        for job in batch:
            savepoint = conn.begin_nested() if each_alone else None
            try:
                _run(job, Transaction(conn, writer=self.name))
            except BaseException as error:
                if refuses(error):
                    raise
                job.error = error
                if savepoint is None:
                    return False
                savepoint.rollback()
            else:
                if savepoint is not None:
                    savepoint.commit()
        return True


def _run(job: _Job[Any], transaction: Transaction) -> None:
    job.result = job.work(transaction)
    job.after = transaction.after


def _refuse(batch: list[_Job[Any]], error: LedgerUnavailableError) -> None:
    """One error for each: an exception that several callers raise would mix up their traces."""
    for job in batch:
        job.error = job.error or type(error)(str(error), error.cure)


def _answer_all(batch: list[_Job[Any]]) -> None:
    """Wake each event loop once for all its callers."""
    for loop in {job.loop for job in batch}:
        with suppress(RuntimeError):  # it was closed, so nobody waits any more
            loop.call_soon_threadsafe(_answer_each, [job for job in batch if job.loop is loop])


def _answer_each(jobs: list[_Job[Any]]) -> None:
    for job in jobs:
        try:
            _answer(job)
        except Exception as error:  # noqa: BLE001  # what follows one commit must not silence others
            job.loop.call_exception_handler({"message": "after a commit", "exception": error})


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
