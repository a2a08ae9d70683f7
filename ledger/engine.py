"""The durable engine: queue, timer and crash re-dispatch, by DBOS Transact.

One workflow is one *segment* of a run or task, from a wake-up to its next wait or its end. The
truth is in our tables; the engine only sees to it that a segment is started, once, also after a
crash. Starting, suspending and waking happen inside our own transactions, so "the fact is
recorded" and "the work goes on" become durable together. A segment that was cut short is started
again and reads where it stands; nothing is replayed. One that is cut short again and again
without progress is given up, and the owner is told.
"""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Literal

import anyio.to_thread
import sqlalchemy as sa
import structlog
from dbos import DBOS, DBOSClient, DBOSConfig, DBOSPortableJSONSerializer, EnqueueOptions

from ledger.clock import Clock, new_id
from ledger.database import Database, sqlite_url
from ledger.faults import StaleWriterError
from ledger.stores import decisions
from ledger.stores.decisions import DecisionKind, NewDecision, Severity
from ledger.tables.work_to_do import segment
from ledger.writer import Transaction

CONTRACT = "segments-1"
"""Pinned: the library's own version is a hash of the code and would orphan runs in flight."""

Lane = Literal["agent", "background"]
SLOTS: dict[Lane, int] = {"agent": 4, "background": 4}
POLL_S = 0.1
MOST_RECOVERIES = 3
PAUSE_S = 5.0
CUT_OFF_S = 15
"""How long segments that were cut off at closing may take to write down that they were."""

log = structlog.get_logger()

Handler = Callable[[str, int], Awaitable[None]]
"""Takes the subject (a run's or task's id) and the epoch that fences its writes."""


class Standing(StrEnum):
    """Where a subject stands with the engine."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    ENDED = "ended"


class Engine:
    """Starts, suspends, wakes and recovers segments. One per process (a limit of the library)."""

    def __init__(
        self, database: Database, clock: Clock | None = None, *, pause_s: float = PAUSE_S
    ) -> None:
        """Build on an opened database; nothing runs before `launch`.

        A segment whose handler failed is tried again after ``pause_s`` seconds.
        """
        self._database = database
        self._clock = clock or Clock()
        self._pause_s = pause_s
        self._running: set[asyncio.Task[object]] = set()
        self._launched = False
        self._closing = False
        self.executor = f"{socket.gethostname()}-{new_id('x')[2:10]}"
        self._handlers: dict[str, tuple[Lane, Handler]] = {}
        self._client: DBOSClient | None = None

    def handle(self, kind: str, lane: Lane, handler: Handler) -> None:
        """Name who continues subjects of ``kind``; to be called before `launch`."""
        self._handlers[kind] = (lane, handler)

    async def launch(self) -> None:
        """Start working on the running loop.

        Must be called inside the loop that owns our streams and locks: launched outside, the
        library would run workflows on a second loop in another thread.
        """
        self._closing = False
        self._launched = True
        logging.getLogger("dbos").setLevel(logging.WARNING)
        config = DBOSConfig(
            name="matinee",
            system_database_url=sqlite_url(self._database.path),
            application_version=CONTRACT,
            executor_id=self.executor,
            serializer=DBOSPortableJSONSerializer(),
            max_executor_threads=16,
            notification_listener_polling_interval_sec=1.0,
            log_level="WARNING",
        )
        DBOS(config=config)

        async def run_segment(kind: str, subject: str, n: int) -> None:
            await self._run_segment(kind, subject, n)

        DBOS.workflow(name="segment")(run_segment)
        DBOS.launch()
        self._client = DBOSClient(
            system_database_url=sqlite_url(self._database.path),
            serializer=DBOSPortableJSONSerializer(),
        )
        for lane, slots in SLOTS.items():
            await DBOS.register_queue_async(
                lane, worker_concurrency=slots, polling_interval_sec=POLL_S
            )

    async def recover(self) -> list[str]:
        """Take up what every earlier process of this home left; returns the workflow ids.

        Only for a process that holds the home's lock: it takes without asking who else is alive.
        """
        left = await DBOS.list_workflows_async(
            status="PENDING", load_input=False, load_output=False
        )
        ids = [flow.workflow_id for flow in left if flow.executor_id != self.executor]
        for flow in left:
            if flow.workflow_id in ids:
                await DBOS.resume_workflow_async(flow.workflow_id, queue_name=flow.queue_name)
        return ids

    async def close(self, patience_s: float = 5) -> None:
        """Let running segments end within ``patience_s`` seconds, cut off the others, then stop.

        What was cut off is taken up by the next start. The library is stopped in a worker thread
        of anyio, since it closes the loop's own default executor.
        """
        self._closing = True
        if self._running:
            _, late = await asyncio.wait(self._running, timeout=patience_s)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=CUT_OFF_S)
        if self._client is not None:
            await anyio.to_thread.run_sync(self._client.destroy)
            self._client = None
        if self._launched:
            self._launched = False
            await anyio.to_thread.run_sync(lambda: DBOS.destroy(destroy_registry=True))

    def start(self, tx: Transaction, kind: str, subject: str, *, delay_s: float = 0) -> None:
        """Enqueue the first segment of ``subject``, durable with the caller's transaction."""
        state = Standing.WAITING if delay_s > 0 else Standing.QUEUED
        tx.conn.execute(
            segment.insert().values(kind=kind, subject=subject, n=1, epoch=0, tries=0, state=state)
        )
        self._enqueue(tx, kind, subject, 1, delay_s)

    def suspend(self, tx: Transaction, kind: str, subject: str, *, timeout_s: float) -> None:
        """End this segment: the next starts when woken, or after ``timeout_s`` seconds.

        The caller re-reads, in the same transaction, the fact that it waits for; then no
        wake-up can be lost. A suspended subject holds no slot, no thread and no memory.
        """
        n = _advance(tx, kind, subject, Standing.WAITING)
        self._enqueue(tx, kind, subject, n, timeout_s)

    def end(self, tx: Transaction, kind: str, subject: str) -> None:
        """Say that nothing more is owed, also after a crash; a `nudge` starts a new segment."""
        tx.conn.execute(segment.update().where(*_is(kind, subject)).values(state=Standing.ENDED))

    def wake(self, tx: Transaction, kind: str, subject: str) -> bool:
        """Let ``subject`` go on now, if it waits; true for the one call that did so.

        The next segment is enqueued in this very transaction; the one behind the timer finds
        itself overtaken and does nothing.
        """
        return self._go_on(tx, kind, subject, {Standing.WAITING})

    def nudge(self, tx: Transaction, kind: str, subject: str) -> bool:
        """Like `wake`, and also begins anew what had ended; a running segment is left alone."""
        return self._go_on(tx, kind, subject, {Standing.WAITING, Standing.ENDED})

    def _go_on(self, tx: Transaction, kind: str, subject: str, when: set[Standing]) -> bool:
        state = tx.conn.execute(sa.select(segment.c.state).where(*_is(kind, subject))).scalar()
        if state not in when:
            return False
        n = _advance(tx, kind, subject, Standing.QUEUED)
        self._enqueue(tx, kind, subject, n, 0)
        return True

    def _enqueue(self, tx: Transaction, kind: str, subject: str, n: int, delay_s: float) -> None:
        if self._client is None:
            raise RuntimeError("the engine has not been launched")
        lane, _ = self._handlers[kind]
        options = EnqueueOptions(
            workflow_name="segment",
            queue_name=lane,
            workflow_id=f"{kind}:{subject}:{n}",
            app_version=CONTRACT,
        )
        if delay_s > 0:
            options["delay_seconds"] = delay_s
        self._client.enqueue_in_transaction(tx.conn, options, kind, subject, n)

    async def _run_segment(self, kind: str, subject: str, n: int) -> None:
        """Until the segment has ended, was overtaken or given up; cut off, it stays owed."""
        task = asyncio.current_task()
        if task is not None:
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        while not self._closing:
            try:
                await self._attempt(kind, subject, n)
            except StaleWriterError:
                log.info("a segment was overtaken", kind=kind, subject=subject)
                return
            except Exception:
                log.exception("a segment failed", kind=kind, subject=subject)
                await asyncio.sleep(self._pause_s)
            else:
                return
        raise asyncio.CancelledError

    async def _attempt(self, kind: str, subject: str, n: int) -> None:
        epoch = await self._database.write(lambda tx: self._own(tx, kind, subject, n))
        if epoch is None:
            return
        _, handler = self._handlers[kind]
        try:
            await handler(subject, epoch)
        except asyncio.CancelledError:
            await self._database.write(lambda tx: progressed(tx, kind, subject, epoch))
            raise
        await self._database.write(lambda tx: _leave(tx, kind, subject, epoch))

    def _own(self, tx: Transaction, kind: str, subject: str, n: int) -> int | None:
        """Begin segment ``n`` under a new epoch; None when it is overtaken, over or given up."""
        row = tx.conn.execute(
            segment.update()
            .where(*_is(kind, subject), segment.c.n == n, segment.c.state != Standing.ENDED)
            .values(epoch=segment.c.epoch + 1, tries=segment.c.tries + 1, state=Standing.RUNNING)
            .returning(segment.c.epoch, segment.c.tries)
        ).first()
        if row is None:
            return None
        if row.tries <= MOST_RECOVERIES + 1:
            return row.epoch
        self.end(tx, kind, subject)
        decisions.raise_(
            tx,
            NewDecision(
                DecisionKind.OTHER,
                f"segment:{kind}:{subject}",
                f"A {kind} was cut short {MOST_RECOVERIES + 1} times in a row and is stopped",
                Severity.HIGH,
                evidence={"kind": kind, "sentence": "The log says why. Nudge it to try again."},
                subject=subject,
            ),
            self._clock.now(),
        )
        return None


def _is(kind: str, subject: str) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return segment.c.kind == kind, segment.c.subject == subject


def _advance(tx: Transaction, kind: str, subject: str, state: Standing) -> int:
    return tx.conn.execute(
        segment.update()
        .where(*_is(kind, subject))
        .values(n=segment.c.n + 1, tries=0, state=state)
        .returning(segment.c.n)
    ).scalar_one()


def _leave(tx: Transaction, kind: str, subject: str, epoch: int) -> None:
    tx.conn.execute(
        segment.update()
        .where(
            *_is(kind, subject),
            segment.c.epoch == epoch,
            segment.c.state == Standing.RUNNING,
        )
        .values(state=Standing.ENDED)
    )


def owns(tx: Transaction, kind: str, subject: str, epoch: int) -> bool:
    """Whether ``epoch`` still owns ``subject``: every later write of a segment asks this first."""
    current = tx.conn.execute(
        sa.select(segment.c.epoch).where(segment.c.kind == kind, segment.c.subject == subject)
    ).scalar()
    return current == epoch


def progressed(tx: Transaction, kind: str, subject: str, epoch: int) -> None:
    """Note that a segment got somewhere: being cut short is counted from here on."""
    tx.conn.execute(
        segment.update().where(*_is(kind, subject), segment.c.epoch == epoch).values(tries=0)
    )
