"""Letting what a decision is about be tried, or looked at, once more."""

from capabilities.download.submission import TRACK, owe
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused
from ledger.ledger import Ledger
from ledger.stores import tasks
from ledger.stores.decisions import Decision, DecisionKind
from ledger.stores.tasks import ENDED, TaskState
from ledger.writer import Transaction

IMPORT = "import"
_TASK_OF = {
    IMPORT: IMPORT,
    DecisionKind.DOWNLOAD_FAILED.value: TRACK,
    DecisionKind.DOWNLOAD_STALLED.value: TRACK,
}
"""From the first word of a root cause to the task that goes on about the same download."""


def again(tx: Transaction, ledger: Ledger, about: Decision) -> None:
    """Let the work behind ``about`` begin anew, durable with the caller's transaction.

    Raises:
        HaltError: refused; there is nothing behind it that could begin anew.
    """
    word, _, rest = about.dedupe_key.partition(":")
    match word:
        case "task":
            begun = _task(tx, ledger, rest)
        case "segment":
            kind, _, subject = rest.partition(":")
            begun = _task(tx, ledger, subject) if kind == "task" else False
            begun = ledger.engine.nudge(tx, kind, subject) or begun
        case _ if word in _TASK_OF:
            owe(tx, ledger, _TASK_OF[word], rest)
            for task in tasks.of_subject(tx.conn, rest):
                ledger.engine.wake(tx, "task", task.id)
            begun = True
        case _:
            begun = False
    if not begun:
        raise HaltError(
            Refused(Code.PRECONDITION, "There is nothing left to try again. Nothing was changed.")
        )


def _task(tx: Transaction, ledger: Ledger, id_: str) -> bool:
    """Begin an ended task anew, with all of its attempts before it; one under way is left alone."""
    row = tasks.by_id(tx.conn, id_)
    if row is None:
        return False
    if row.state in ENDED:
        tasks.change(
            tx,
            id_,
            state=TaskState.QUEUED,
            attempts=0,
            ended_at=None,
            next_try_at=None,
            last_error=None,
        )
    ledger.engine.nudge(tx, "task", id_)
    return True
