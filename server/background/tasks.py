"""Running business tasks as segments of the engine: attempts, back-off, and an honest end."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta

import structlog

from ledger.faults import StaleWriterError
from ledger.ledger import Ledger
from ledger.segments import owns
from ledger.stores import decisions, tasks
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.stores.tasks import ENDED, TaskRow, TaskState
from ledger.writer import Transaction
from server.background.results import Done, Result, Setback, Wait

MOST_ATTEMPTS = 5
FIRST_PAUSE_S = 5.0
NOBODY_S = 60.0

Attend = Callable[[TaskRow], Awaitable[Result]]

log = structlog.get_logger()


class TaskRunner:
    """Continues tasks, one segment at a time; what a kind of task does is its `Attend`."""

    def __init__(self, ledger: Ledger, kinds: Mapping[str, Attend]) -> None:
        """Take who attends to which kind."""
        self._ledger = ledger
        self._kinds = kinds

    async def segment(self, task: str, epoch: int) -> None:
        """Attend to ``task`` once and write down how it went, unless another epoch took over."""
        row = await self._ledger.read(lambda conn: tasks.by_id(conn, task))
        if row is None or row.state in ENDED:
            return
        try:
            await self._write(epoch, row, lambda tx: _begin(tx, row))
            result = await self._attend(row)
            await self._write(epoch, row, lambda tx: self._end(tx, row, result))
        except StaleWriterError:
            log.info("a task went on elsewhere", task=task)

    def given_up(self, tx: Transaction, task: str, sentence: str) -> None:
        """Let a task be dead whose segments the engine gave up; the engine told the owner."""
        row = tasks.by_id(tx.conn, task)
        if row is None or row.state in ENDED:
            return
        at = self._ledger.now()
        tasks.add_step(tx, task, {"at": at.isoformat(), "error": sentence})
        tasks.change(
            tx, task, state=TaskState.DEAD, last_error=sentence, ended_at=at, next_try_at=None
        )

    async def _attend(self, row: TaskRow) -> Result:
        attend = self._kinds.get(row.kind)
        if attend is None:
            return Wait(NOBODY_S, "What it needs is not configured; see `matinee doctor`.")
        try:
            return await attend(row)
        except Exception:
            log.exception("a task failed unexpectedly", task=row.id, kind=row.kind)
            return Setback("Matinee failed while doing this; the log has the details.")

    async def _write(self, epoch: int, row: TaskRow, work: Callable[[Transaction], None]) -> None:
        def fenced(tx: Transaction) -> None:
            if not owns(tx, "task", row.id, epoch):
                raise StaleWriterError(row.id)
            work(tx)

        await self._ledger.write(fenced)

    def _end(self, tx: Transaction, row: TaskRow, result: Result) -> None:
        at = self._ledger.now()
        match result:
            case Done(step=step):
                tasks.add_step(tx, row.id, {"at": at.isoformat(), "step": step})
                tasks.change(
                    tx,
                    row.id,
                    state=TaskState.SUCCEEDED,
                    ended_at=at,
                    next_try_at=None,
                    last_error=None,
                )
                decisions.close_for(
                    tx, _cause(row), by="system:task", resolution="it was done", at=at
                )
                self._ledger.engine.end(tx, "task", row.id)
            case Wait(after_s=after_s, step=step):
                if step is not None and step != _last_step(row):
                    tasks.add_step(tx, row.id, {"at": at.isoformat(), "step": step})
                tasks.change(
                    tx,
                    row.id,
                    state=TaskState.WAITING,
                    next_try_at=at + timedelta(seconds=after_s),
                )
                self._ledger.engine.suspend(tx, "task", row.id, timeout_s=after_s)
            case Setback():
                self._set_back(tx, row, result)

    def _set_back(self, tx: Transaction, row: TaskRow, result: Setback) -> None:
        at = self._ledger.now()
        attempts = row.attempts + 1
        tasks.add_step(tx, row.id, {"at": at.isoformat(), "error": result.sentence})
        if result.retry and not is_last(row):
            pause = FIRST_PAUSE_S * 2 ** (attempts - 1)
            tasks.change(
                tx,
                row.id,
                state=TaskState.WAITING,
                attempts=attempts,
                last_error=result.sentence,
                next_try_at=at + timedelta(seconds=pause),
            )
            self._ledger.engine.suspend(tx, "task", row.id, timeout_s=pause)
            return
        tasks.change(
            tx,
            row.id,
            state=TaskState.DEAD if result.retry else TaskState.FAILED,
            attempts=attempts,
            last_error=result.sentence,
            ended_at=at,
            next_try_at=None,
        )
        if not result.told:
            decisions.raise_(
                tx,
                NewDecision(
                    DecisionKind.OTHER,
                    _cause(row),
                    f"A background task ({row.kind}) needs you",
                    Severity.HIGH,
                    evidence={"sentence": result.sentence, "attempts": attempts},
                    options=offered(Option.RETRY, Option.DISMISS),
                    subject=row.subject,
                ),
                at,
            )
        self._ledger.engine.end(tx, "task", row.id)


def is_last(row: TaskRow) -> bool:
    """Whether a setback of the attempt that is under way is not tried again."""
    return row.attempts + 1 >= MOST_ATTEMPTS


def _cause(row: TaskRow) -> str:
    return f"task:{row.id}"


def _last_step(row: TaskRow) -> object:
    return row.steps[-1].get("step") if row.steps else None


def _begin(tx: Transaction, row: TaskRow) -> None:
    tasks.change(tx, row.id, state=TaskState.RUNNING)
