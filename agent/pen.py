"""The one way a segment writes: fenced, so that an overtaken one changes nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TypeVar

from agent.events import EventType
from ledger.engine import Engine
from ledger.faults import StaleWriterError
from ledger.ledger import Ledger
from ledger.segments import owns, progressed
from ledger.stores import events, runs
from ledger.stores.runs import Message, Phase, Run, RunState
from ledger.writer import Transaction

T = TypeVar("T")

KIND = "run"
"""What the engine calls the subjects that are runs."""


@dataclass(frozen=True)
class Page:
    """One fenced transaction.

    Attributes:
        id: the run's.
        epoch: the fencing token of the segment that writes.
        at: the moment that the rows written here bear.
    """

    tx: Transaction
    engine: Engine
    id: str
    epoch: int
    at: datetime

    @cached_property
    def run(self) -> Run:
        """The run's row, read when it is first asked for."""
        run = runs.by_id(self.tx.conn, self.id)
        if run is None:
            raise StaleWriterError(f"{self.id} is gone")
        return run

    def tell(self, type_: EventType, **body: object) -> None:
        """Write an event of the run."""
        events.append(self.tx, type_, body, self.at, run=self.id)

    def keep(self, role: str, **body: object) -> Message:
        """Append to the conversation."""
        seq = runs.add_message(self.tx, self.id, role, body, self.at)
        return Message(self.id, seq, role, body, self.at)

    def progressed(self) -> None:
        """The segment got somewhere: how often it is cut short is counted anew."""
        progressed(self.tx, KIND, self.id, self.epoch)

    def change(self, **columns: object) -> None:
        """Set columns of the run."""
        runs.change(self.tx, self.id, **columns)

    def move(self, state: RunState, phase: Phase, reason: str | None = None) -> None:
        """Change state and phase; whoever follows the run hears of a change."""
        before = (self.run.state, self.run.reason)
        self.change(state=state, phase=phase, reason=reason)
        if (state, reason) != before:
            self.tell(EventType.RUN_STATUS, state=state, reason=reason)

    def suspend(self, timeout_s: float) -> None:
        """End this segment; the run goes on when it is woken, or after ``timeout_s`` seconds."""
        self.engine.suspend(self.tx, KIND, self.id, timeout_s=timeout_s)

    def end(self) -> None:
        """Nothing more is owed."""
        self.engine.end(self.tx, KIND, self.id)


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
            if not owns(tx, KIND, self.run, self.epoch):
                raise StaleWriterError(f"segment {self.epoch} no longer owns {self.run}")
            return work(Page(tx, self.ledger.engine, self.run, self.epoch, self.ledger.now()))

        return await self.ledger.write(fenced)
