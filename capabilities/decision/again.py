"""Letting what a decision is about be tried, or looked at, once more."""

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.kernel.owing import IMPORT, TRACK, VERIFY, begin_anew, owe
from capabilities.rules.holding import KEPT_BACK, hold_of
from capabilities.rules.stalling import CLOCK, clock_json, clock_of
from capabilities.rules.under_way import ACTIVE
from ledger.ledger import Ledger
from ledger.stores import downloads, tasks
from ledger.stores.decisions import Decision, DecisionKind
from ledger.stores.expected import take_back
from ledger.writer import Transaction

_REMOVED = "removed"
_TASK_OF = {
    IMPORT: IMPORT,
    VERIFY: VERIFY,
    DecisionKind.DOWNLOAD_FAILED.value: TRACK,
    DecisionKind.DOWNLOAD_STALLED.value: TRACK,
}
"""From the first word of a root cause to the task that goes on about the same thing."""


def again(tx: Transaction, ledger: Ledger, about: Decision) -> None:
    """Let the work behind ``about`` begin anew, durable with the caller's transaction.

    Raises:
        HaltError: refused; there is nothing behind it that could begin anew.
    """
    word, _, rest = about.dedupe_key.partition(":")
    match word:
        case "task":
            begun = begin_anew(tx, ledger, rest)
        case "segment":
            kind, _, subject = rest.partition(":")
            begun = begin_anew(tx, ledger, subject) if kind == "task" else False
            begun = ledger.engine.nudge(tx, kind, subject) or begun
        case _ if word in _TASK_OF:
            if word == DecisionKind.DOWNLOAD_STALLED:
                _wait_anew(tx, rest)
            if word == DecisionKind.DOWNLOAD_FAILED:
                _on_its_way_again(tx, rest)
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


def _wait_anew(tx: Transaction, download: str) -> None:
    """Let the patience with a stalled download begin anew, or it is asked about again at once."""
    row = downloads.by_id(tx.conn, download)
    if row is not None:
        clock = clock_of(row.facts).anew()
        downloads.change(tx, row.id, facts={**row.facts, CLOCK: clock_json(clock)})


def _on_its_way_again(tx: Transaction, download: str) -> None:
    """Take back the slots that its failure gave back, or another release is taken as well.

    Where it fails once more they are given back anew. One that was removed, or stands still, is
    not looked at to that end, so what it had stays wanted.
    """
    row = downloads.by_id(tx.conn, download)
    if row is None or row.state == _REMOVED or hold_of(row.facts) in KEPT_BACK:
        return
    take_back(tx, row, ACTIVE)
