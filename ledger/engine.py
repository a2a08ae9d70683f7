"""The durable engine: queue, timer, crash re-dispatch and take-over, on either database.

One workflow is one *segment* of a run or task, from a wake-up to its next wait or its end. The
truth is in our tables; the engine only sees to it that a segment is started, once, also after a
crash. Starting, suspending and waking happen inside our own transactions, so "the fact is
recorded" and "the work goes on" become durable together. A segment that was cut short is started
again and reads where it stands; nothing is replayed. What fails or is cut short again and again
without progress is given up, and the owner is told.

Each process is a worker under an identity that it never uses again. It raises a beat; whoever
sees no new one for long enough takes over what it had (see `ledger.takeover`).
"""

import socket
from contextlib import suppress
from datetime import datetime
from functools import partial

import anyio

from ledger import segments
from ledger.attempts import Attempts, GivenUp, Handler, Kind, cause
from ledger.clock import Clock
from ledger.database import Database
from ledger.faults import LedgerUnavailableError
from ledger.forgetting import forget
from ledger.pace import Pace
from ledger.segments import Segment, Standing
from ledger.stores import decisions, workers
from ledger.takeover import Taken, TakeOver
from ledger.transact import Lane, Order, Transact
from ledger.writer import Transaction

ORDINARY = 0


class Engine:
    """Starts, suspends, wakes and recovers segments. One per process (a limit of the library).

    Attributes:
        executor: the identity of this process, new at every start.
        lost: set when another process took this one for dead: nothing is worked on here any
            more, and the process should end.
        silent: ids of live workers that `listen` has heard nothing of for the lease's time.
        pace: how often to call `beat`, and `take_over` or `listen`.
    """

    def __init__(
        self, database: Database, clock: Clock | None = None, pace: Pace | None = None
    ) -> None:
        """Build on an opened database; nothing runs before `launch`."""
        self.pace = pace or Pace()
        self._database = database
        self._clock = clock or Clock()
        self._kinds: dict[str, Kind] = {}
        self._registered = False
        self._be_born()

    def _be_born(self) -> None:
        """Take an identity, and all that knows it."""
        self.executor = self._database.take_identity()
        self.lost = anyio.Event()
        self.silent = frozenset[str]()
        self._used = False
        self._transact = Transact(self._database.location.url, self.executor)
        self._takeover = TakeOver(
            self._database, self._clock, self.pace, self._transact, self.executor
        )
        self._attempts = Attempts(
            self._database,
            self._clock,
            self.pace,
            self.executor,
            self._kinds,
            self._enqueue,
            self.lost.set,
        )

    def handle(
        self,
        kind: str,
        lane: Lane,
        handler: Handler,
        *,
        every_s: float | None = None,
        given_up: GivenUp | None = None,
    ) -> None:
        """Name who continues subjects of ``kind``, also in a process that only connects.

        Args:
            kind: a word without a colon.
            lane: whose slots its segments take.
            handler: called for each segment.
            every_s: makes the kind a recurring one: a subject goes on so many seconds after its
                handler returned, unless that suspended it itself. It is never given up; after
                failures in a row the owner is told, and it goes on at its next turn.
            given_up: called in the transaction that gives a subject up, to write its own row.
        """
        self._kinds[kind] = Kind(lane, handler, every_s, given_up)

    async def connect(self, role: str = "api") -> None:
        """Be able to start, wake and cancel, without working on anything here.

        Raises:
            LedgerUnavailableError: the database could not be reached.
        """
        await self._register(role)
        await self._transact.connect()

    async def launch(self, role: str = "all") -> None:
        """Start working on the running loop, as a worker that is written down beforehand.

        One that has connected before goes on under the same identity.
        """
        if not self._registered:
            await self._register(role)
        await self._transact.launch(self._attempts.run)

    async def beat(self) -> bool:
        """Show that this process lives; false, and its work cut off, when it was buried.

        Also tells segments here that were cancelled or taken over elsewhere.

        Raises:
            LedgerUnavailableError: the beat could not be written; whoever watches counts on.
        """
        alive = not self.lost.is_set() and await self._database.write(
            partial(workers.beat, id_=self.executor)
        )
        if alive:
            await self._attempts.stop_overtaken()
            return True
        self.lost.set()
        await self.stop(patience_s=0)
        return False

    async def take_over(self) -> Taken:
        """Bury workers that have been silent for the lease's time, and take what dead ones left.

        Raises:
            LedgerUnavailableError: the database could not be read or written.
        """
        return await self._takeover.look()

    async def listen(self) -> None:
        """Hear which other workers beat, in a process that takes nothing over; see `silent`.

        Raises:
            LedgerUnavailableError: the database could not be read.
        """
        self.silent = await self._takeover.listen()

    async def recover(self) -> Taken:
        """Take up what every other process left, at once.

        Only for a process that holds the home's lock: it takes without asking who else is alive.
        """
        return await self._takeover.all()

    async def close(self, patience_s: float = 5) -> None:
        """Let running segments end within ``patience_s`` seconds, cut off the others, then stop.

        What was cut off is taken up by the next start, or by another worker.
        """
        await self.stop(patience_s)
        if self._registered:
            self._registered = False
            with suppress(LedgerUnavailableError):
                await self._database.write(
                    lambda tx: workers.end(tx, self.executor, self._clock.now())
                )

    async def stop(self, patience_s: float = 5) -> None:
        """Work at nothing any more, and still hold what only a live worker may; see `close`."""
        await self._attempts.cut_off(patience_s)
        await self._transact.destroy()

    async def _register(self, role: str) -> None:
        if self._used:
            self._be_born()
        me, host = self.executor, socket.gethostname()
        self._used = True
        await self._database.write(
            lambda tx: workers.register(tx, me, role=role, host=host, at=self._clock.now())
        )
        self._registered = True

    def start(
        self,
        tx: Transaction,
        kind: str,
        subject: str,
        *,
        delay_s: float = 0,
        priority: int = ORDINARY,
    ) -> None:
        """Enqueue the first segment of ``subject``, durable with the caller's transaction.

        Among those that wait for a slot, a lower ``priority`` goes first, then the older one.
        """
        state = Standing.WAITING if delay_s > 0 else Standing.QUEUED
        row = segments.add(tx, kind, subject, state, priority)
        self._enqueue(tx, row, delay_s)

    def schedule(self, tx: Transaction, kind: str, subject: str, *, delay_s: float = 0) -> bool:
        """Start a subject of a recurring kind unless it was started before; whether it was now.

        However many processes say so, it is one subject, and each of its turns happens once.
        """
        if segments.of(tx.conn, kind, subject) is not None:
            return False
        self.start(tx, kind, subject, delay_s=delay_s)
        return True

    def suspend(self, tx: Transaction, kind: str, subject: str, *, timeout_s: float) -> None:
        """End this segment: the next starts when woken, or after ``timeout_s`` seconds.

        The caller re-reads, in the same transaction, the fact that it waits for; then no
        wake-up can be lost. A suspended subject holds no slot, no thread and no memory.
        """
        row = segments.advance(tx, kind, subject, Standing.WAITING, progress=True)
        self._enqueue(tx, row, timeout_s)

    def end(self, tx: Transaction, kind: str, subject: str) -> None:
        """Say that nothing more is owed, also after a crash; a `nudge` starts a new segment."""
        segments.end(tx, kind, subject)

    def wake(self, tx: Transaction, kind: str, subject: str) -> bool:
        """Let ``subject`` go on now, if it waits; true for the one call that did so.

        The next segment is enqueued in this very transaction; the one behind the timer finds
        itself overtaken and does nothing.
        """
        row = segments.of(tx.conn, kind, subject)
        if row is None or row.state is not Standing.WAITING:
            return False
        self._requeue(tx, row, progress=False)
        return True

    def nudge(self, tx: Transaction, kind: str, subject: str) -> bool:
        """Like `wake`, and also begins anew what had ended; a running segment is left alone."""
        row = segments.of(tx.conn, kind, subject)
        if row is None or row.state is not Standing.ENDED:
            return self.wake(tx, kind, subject)
        at = self._clock.now()
        decisions.close_for(
            tx, cause(kind, subject), by="system:engine", resolution="it was begun anew", at=at
        )
        self._requeue(tx, row, progress=True)
        return True

    def cancel(self, tx: Transaction, kind: str, subject: str) -> bool:
        """End ``subject``: what has not begun never does; false when it had ended already.

        A running segment no longer owns it from this transaction on. Its task is cancelled at
        once if it runs here, and at its worker's next beat otherwise.
        """
        epoch = segments.cancel(tx, kind, subject)
        if epoch is None:
            return False
        tx.after_commit(lambda: self._attempts.stop(kind, subject, epoch))
        return True

    def prioritise(self, tx: Transaction, kind: str, subject: str, priority: int) -> None:
        """Let ``subject`` go before those of a higher ``priority``, from its place in the queue.

        One that waits for its timer alone keeps the old priority if nobody wakes it.
        """
        segments.prioritise(tx, kind, subject, priority)
        row = segments.of(tx.conn, kind, subject)
        if row is not None and row.state is Standing.QUEUED:
            self._requeue(tx, row, progress=False)

    async def forget(self, before: datetime) -> int:
        """Delete what the engine keeps and nobody needs any more; returns how many rows.

        Workflows that were over before that moment, timers that were overtaken, ended segments
        whose run or task is gone, and workers that were over before it, in small batches.

        Raises:
            LedgerUnavailableError: the database could not be read or written; what is left is
                deleted the next time.
        """
        return await forget(self._database, self._transact, before)

    def _requeue(self, tx: Transaction, row: Segment, *, progress: bool) -> None:
        following = segments.advance(tx, row.kind, row.subject, Standing.QUEUED, progress=progress)
        self._enqueue(tx, following, 0)

    def _enqueue(self, tx: Transaction, row: Segment, delay_s: float) -> None:
        lane = self._kinds[row.kind].lane
        order = Order(row.kind, row.subject, row.n, lane, delay_s, row.priority)
        self._transact.enqueue(tx.conn, order)
