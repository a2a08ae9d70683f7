"""Running segments: begin under a fence, call the handler, and write down how it went.

A handler that fails gives its slot back and is begun again later, each time after a longer pause;
one that fails or is cut short again and again without progress is given up, and the owner told.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol, TypeVar, cast

import anyio
import structlog

from ledger import segments
from ledger.clock import Clock
from ledger.database import Database
from ledger.faults import LedgerUnavailableError, StaleWriterError
from ledger.pace import Pace
from ledger.segments import Segment, Standing
from ledger.stores import decisions, workers
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.stores.workers import WorkerState
from ledger.tables.work_to_do import segment
from ledger.transact import Lane
from ledger.writer import Transaction

T = TypeVar("T")

CUT_OFF_S = 15
"""How long segments that were cut off at closing may take to write down that they were."""

log = structlog.get_logger()

Handler = Callable[[str, int], Awaitable[None]]
"""Takes the subject (a run's or task's id) and the epoch that fences its writes."""

GivenUp = Callable[[Transaction, str, str], None]
"""Takes the subject that was given up and the sentence that says why; writes its own row."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Who continues subjects of one kind.

    Attributes:
        every_s: subjects of a recurring kind go on so long after each end.
        given_up: called in the transaction that gives a subject up.
    """

    lane: Lane
    handler: Handler
    every_s: float | None = None
    given_up: GivenUp | None = None


class Suspend(Protocol):
    """Queues what a segment row says is next."""

    def __call__(self, tx: Transaction, row: Segment, delay_s: float) -> None:
        """Queue the segment of ``row``, to begin after ``delay_s`` seconds."""
        ...


@dataclass(slots=True)
class _Running:
    kind: str
    subject: str
    epoch: int


@dataclass(slots=True)
class _Here:
    """A task of the library that is at a segment; ``running`` is None until that has begun.

    It is cut off by its scope, never as a task: what a handler shields is then let to its end.
    """

    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    running: _Running | None = None
    overtaken: bool = False

    def tell(self) -> None:
        """Say that another epoch owns the subject."""
        self.overtaken = True
        self.scope.cancel()


@dataclass(slots=True)
class Attempts:
    """The segments that run in this process.

    Attributes:
        lost: called when this worker turns out to have been buried by another one.
    """

    database: Database
    clock: Clock
    pace: Pace
    worker: str
    kinds: dict[str, Kind]
    enqueue: Suspend
    lost: Callable[[], None]
    closing: bool = False
    _tasks: dict[asyncio.Task[object], _Here] = field(
        default_factory=dict[asyncio.Task[object], _Here]
    )

    async def run(self, kind: str, subject: str, n: int) -> None:
        """Until segment ``n`` has ended, suspended, failed or was overtaken.

        A segment that is cut off by closing, or is of a kind that this code does not know, leaves
        as cancelled, so that the library still owes it; one that was told to stop leaves quietly.
        """
        task = cast("asyncio.Task[object]", asyncio.current_task())
        here = self._tasks[task] = _Here()
        try:
            with here.scope:
                await self._attempt(here, kind, subject, n)
        except StaleWriterError:
            log.info("a segment was overtaken", kind=kind, subject=subject)
        finally:
            self._tasks.pop(task, None)
        if here.scope.cancelled_caught and not here.overtaken:
            raise asyncio.CancelledError

    def stop(self, kind: str, subject: str, epoch: int) -> None:
        """Tell a segment of ``subject`` that runs here before ``epoch`` that it is overtaken."""
        for here in self._tasks.values():
            running = here.running
            if running is None or (running.kind, running.subject) != (kind, subject):
                continue
            if running.epoch < epoch:
                here.tell()

    async def stop_overtaken(self) -> None:
        """Tell every segment here whose subject another epoch owns by now."""
        all_here = self._tasks.values()
        running = [(here, here.running) for here in all_here if here.running is not None]
        if not running:
            return
        subjects = {held.subject for _, held in running}
        rows = await self.database.read(
            lambda conn: conn.execute(
                segment.select().where(segment.c.subject.in_(subjects))
            ).fetchall()
        )
        epochs = {(row.kind, row.subject): row.epoch for row in rows}
        for here, held in running:
            if epochs.get((held.kind, held.subject)) != held.epoch:
                here.tell()

    async def cut_off(self, patience_s: float) -> None:
        """Let what runs here end within ``patience_s`` seconds, then cut it off."""
        self.closing = True
        if not self._tasks:
            return
        tasks = dict(self._tasks)
        _, late = await asyncio.wait(tasks, timeout=patience_s)
        for task in late:
            tasks[task].scope.cancel()
        if late:
            await asyncio.wait(late, timeout=CUT_OFF_S)

    async def _attempt(self, here: _Here, kind: str, subject: str, n: int) -> None:
        known = self.kinds.get(kind)
        if known is None:
            log.warning("a segment is left to newer code", kind=kind, subject=subject)
        if known is None or self.closing:
            raise asyncio.CancelledError
        begun = await self._written(lambda tx: self._begin(tx, kind, subject, n))
        if begun is None:
            if self.closing:
                raise asyncio.CancelledError
            return
        here.running = _Running(kind, subject, begun.epoch)
        try:
            await known.handler(subject, begun.epoch)
        except asyncio.CancelledError:
            with suppress(LedgerUnavailableError), anyio.CancelScope(shield=True):
                await self.database.write(lambda tx: segments.spare(tx, kind, subject, begun.epoch))
            raise
        except StaleWriterError:
            raise
        except LedgerUnavailableError as away:
            log.warning("a segment could not write", kind=kind, subject=subject, why=str(away))
            await self._written(partial(self._set_back, begun=begun, error=str(away), counts=False))
        except Exception as error:
            log.exception("a segment failed", kind=kind, subject=subject)
            # The words of an error of any kind may hold an address or a secret.
            why = f"It failed with {type(error).__name__}; the log has the details."
            await self._written(partial(self._set_back, begun=begun, error=why, counts=True))
        else:
            await self._written(lambda tx: self._leave(tx, begun))

    async def _written(self, work: Callable[[Transaction], T]) -> T:
        """Write what must be written before the slot is free, for as long as it takes."""
        said = False
        while True:
            try:
                with anyio.CancelScope(shield=True):
                    return await self.database.write(work)
            except LedgerUnavailableError as away:
                if self.closing:
                    raise asyncio.CancelledError from away
                if not said:
                    log.warning("a segment waits for the ledger", why=str(away))
                said = True
            await asyncio.sleep(self.pace.away_s)

    def _begin(self, tx: Transaction, kind: str, subject: str, n: int) -> Segment | None:
        """Begin segment ``n``; None when it is overtaken, over, given up, or not ours to begin."""
        me = workers.by_id(tx.conn, self.worker)
        if me is not None and me.state is not WorkerState.ALIVE:
            tx.after_commit(self._buried)
            return None
        begun = segments.begin(tx, kind, subject, n)
        most = self.pace.most_recoveries + 1
        if begun is None or begun.tries <= most:
            return begun
        what = f"was cut short {most} times in a row"
        if self.kinds[kind].every_s is None:
            self._give_up(tx, begun, f"A {kind} {what} and is stopped")
        else:
            following = segments.advance(tx, kind, subject, Standing.WAITING, progress=False)
            self._put_off(tx, following, what)
        return None

    def _buried(self) -> None:
        self.closing = True
        self.lost()

    def _set_back(self, tx: Transaction, begun: Segment, error: str, *, counts: bool) -> None:
        kind, subject = begun.kind, begun.subject
        row = segments.set_back(tx, kind, subject, begun.epoch, error, counts=counts)
        if row is None:
            return
        if row.failures < self.pace.most_failures:
            self.enqueue(tx, row, self.pace.pause_s(max(1, row.failures)))
            return
        what = f"failed {row.failures} times in a row"
        if self.kinds[kind].every_s is None:
            self._give_up(tx, row, f"A {kind} {what} and is stopped")
        else:
            self._put_off(tx, row, what)

    def _put_off(self, tx: Transaction, row: Segment, what: str) -> None:
        """Let a recurring subject go on at its next turn, and tell the owner."""
        self._raise(tx, row, f"A recurring {row.kind} {what}")
        self.enqueue(tx, row, self.kinds[row.kind].every_s or 0)

    def _leave(self, tx: Transaction, begun: Segment) -> None:
        kind, subject = begun.kind, begun.subject
        every_s = self.kinds[kind].every_s
        if not segments.leave(tx, kind, subject, begun.epoch) or every_s is None:
            return
        at = self.clock.now()
        decisions.close_for(
            tx, cause(kind, subject), by="system:engine", resolution="it worked again", at=at
        )
        row = segments.advance(tx, kind, subject, Standing.WAITING, progress=True)
        self.enqueue(tx, row, every_s)

    def _give_up(self, tx: Transaction, row: Segment, title: str) -> None:
        error = row.last_error or "The process that worked on it ended each time."
        segments.give_up(tx, row.kind, row.subject, error)
        self._raise(tx, row, title)
        given_up = self.kinds[row.kind].given_up
        if given_up is not None:
            given_up(tx, row.subject, f"{title}. {error}")

    def _raise(self, tx: Transaction, row: Segment, title: str) -> None:
        sentence = row.last_error or "The log says why."
        decisions.raise_(
            tx,
            NewDecision(
                DecisionKind.OTHER,
                cause(row.kind, row.subject),
                title,
                Severity.HIGH,
                evidence={"kind": row.kind, "sentence": f"{sentence} Ask again to try again."},
                options=offered(Option.RETRY, Option.DISMISS),
                subject=row.subject,
            ),
            self.clock.now(),
        )


def cause(kind: str, subject: str) -> str:
    """The root cause under which a decision about a given up subject is filed."""
    return f"segment:{kind}:{subject}"
