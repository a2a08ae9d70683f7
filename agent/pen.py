"""The one way a segment writes: fenced, so that an overtaken one changes nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from agent.events import EventType
from ledger.engine import Engine, owns, progressed
from ledger.faults import StaleWriterError
from ledger.ledger import Ledger
from ledger.stores import events, runs
from ledger.stores.runs import Message, Phase, Run, RunState
from ledger.writer import Transaction

T = TypeVar("T")

KIND = "run"
"""What the engine calls the subjects that are runs."""


@dataclass(frozen=True, slots=True)
class Page:
    """One fenced transaction.

    Attributes:
        epoch: the fencing token of the segment that writes.
        run: the run's row as this transaction found it.
        at: the moment that the rows written here bear.
    """

    tx: Transaction
    engine: Engine
    epoch: int
    run: Run
    at: datetime

    def tell(self, type_: EventType, **body: object) -> None:
        """Write an event of the run."""
        events.append(self.tx, type_, body, self.at, run=self.run.id)

    def keep(self, role: str, **body: object) -> Message:
        """Append to the conversation: the segment got somewhere."""
        progressed(self.tx, KIND, self.run.id, self.epoch)
        seq = runs.add_message(self.tx, self.run.id, role, body, self.at)
        return Message(self.run.id, seq, role, body, self.at)

    def change(self, **columns: object) -> None:
        """Set columns of the run."""
        runs.change(self.tx, self.run.id, **columns)

    def move(self, state: RunState, phase: Phase, reason: str | None = None) -> None:
        """Change state and phase; whoever follows the run hears of a change."""
        self.change(state=state, phase=phase, reason=reason)
        if (state, reason) != (self.run.state, self.run.reason):
            self.tell(EventType.RUN_STATUS, state=state, reason=reason)

    def suspend(self, timeout_s: float) -> None:
        """End this segment; the run goes on when it is woken, or after ``timeout_s`` seconds."""
        self.engine.suspend(self.tx, KIND, self.run.id, timeout_s=timeout_s)

    def end(self) -> None:
        """Nothing more is owed."""
        self.engine.end(self.tx, KIND, self.run.id)


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes for one segment of one run; ``epoch`` is the segment's fencing token."""

    ledger: Ledger
    run: str
    epoch: int

    async def write(self, work: Callable[[Page], T]) -> T:
        """Run ``work`` in one transaction, durable when this returns.

        Raises:
            StaleWriterError: another segment owns the run now, or it is gone; nothing is written.
            LedgerUnavailableError: nothing could be written.
        """

        def fenced(tx: Transaction) -> T:
            run = runs.by_id(tx.conn, self.run)
            if run is None or not owns(tx, KIND, self.run, self.epoch):
                raise StaleWriterError(f"segment {self.epoch} no longer owns {self.run}")
            return work(Page(tx, self.ledger.engine, self.epoch, run, self.ledger.now()))

        return await self.ledger.write(fenced)
