"""The durable engine: queue, timer and crash re-dispatch, by DBOS Transact.

One workflow is one *segment* of a run or task, from a wake-up to its next wait or its end. The
truth is in our tables; the engine only sees to it that a segment is started, once, also after a
crash. Starting, suspending and waking happen inside our own transactions, so "the fact is
recorded" and "the work goes on" become durable together. A segment that was cut short is started
again and reads where it stands; nothing is replayed.
"""

import logging
import socket
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Literal

import anyio.to_thread
import sqlalchemy as sa
from dbos import DBOS, DBOSClient, DBOSConfig, DBOSPortableJSONSerializer, EnqueueOptions

from ledger.clock import new_id
from ledger.database import Database, sqlite_url
from ledger.tables.work_to_do import segment
from ledger.writer import Transaction

CONTRACT = "segments-1"
"""Pinned: the library's own version is a hash of the code and would orphan runs in flight."""

Lane = Literal["agent", "background"]
SLOTS: dict[Lane, int] = {"agent": 4, "background": 4}
POLL_S = 0.1
MOST_RECOVERIES = 3

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

    def __init__(self, database: Database) -> None:
        """Build on an opened database; nothing runs before `launch`."""
        self._database = database
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

        DBOS.workflow(name="segment", max_recovery_attempts=MOST_RECOVERIES)(run_segment)
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

    async def close(self, patience_s: int = 5) -> None:
        """Let running segments end within ``patience_s`` seconds, then stop.

        What did not end is taken up by the next start. Runs in a worker thread of anyio, since
        the library closes the loop's own default executor.
        """
        if self._client is not None:
            await anyio.to_thread.run_sync(self._client.destroy)
            await anyio.to_thread.run_sync(
                lambda: DBOS.destroy(
                    destroy_registry=True, workflow_completion_timeout_sec=patience_s
                )
            )
            self._client = None

    def start(self, tx: Transaction, kind: str, subject: str, *, delay_s: float = 0) -> None:
        """Enqueue the first segment of ``subject``, durable with the caller's transaction."""
        state = Standing.WAITING if delay_s > 0 else Standing.QUEUED
        tx.conn.execute(
            segment.insert().values(kind=kind, subject=subject, n=1, epoch=0, state=state)
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
        """Say that nothing more is owed; a later `nudge` starts a new segment."""
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
        def own(tx: Transaction) -> int | None:
            return tx.conn.execute(
                segment.update()
                .where(*_is(kind, subject), segment.c.n == n)
                .values(epoch=segment.c.epoch + 1, state=Standing.RUNNING)
                .returning(segment.c.epoch)
            ).scalar()

        epoch = await self._database.write(own)
        if epoch is None:
            return
        _, handler = self._handlers[kind]
        await handler(subject, epoch)
        await self._database.write(lambda tx: _leave(tx, kind, subject, epoch))


def _is(kind: str, subject: str) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return segment.c.kind == kind, segment.c.subject == subject


def _advance(tx: Transaction, kind: str, subject: str, state: Standing) -> int:
    return tx.conn.execute(
        segment.update()
        .where(*_is(kind, subject))
        .values(n=segment.c.n + 1, state=state)
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
