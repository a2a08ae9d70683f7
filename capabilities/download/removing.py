"""Writing down that a download was removed: its row, its slots, its tasks and its questions."""

from typing import Final

from capabilities.adapters.downloader.port import ClientState
from capabilities.kernel.owing import IMPORT, TRACK
from capabilities.rules.outside_text import cleaned
from capabilities.rules.under_way import ACTIVE
from ledger.ledger import Ledger
from ledger.stores import decisions, downloads, events, tasks
from ledger.stores.decisions import DecisionKind
from ledger.stores.expected import give_back
from ledger.stores.tasks import ENDED, TaskState
from ledger.writer import Transaction

SEEDED: Final = "seeded"
"""What a question whether a download may go is kept apart by, with its id."""
VANISHED: Final = "vanished"
"""The same of one that its client removed before its import."""
_OVER: Final = frozenset({TRACK, IMPORT})
"""Kinds of tasks that are about the torrent; that another release is looked for is not."""
_QUESTIONS: Final = (
    DecisionKind.DOWNLOAD_FAILED.value,
    DecisionKind.DOWNLOAD_STALLED.value,
    DecisionKind.DANGEROUS_CONTENT.value,
    "import",
    SEEDED,
    VANISHED,
)


def record_removal(tx: Transaction, ledger: Ledger, download: str, sentence: str, by: str) -> None:
    """Let nothing wait for it any more; slots that the library fills stay filled.

    Args:
        tx: the transaction that settles the removal.
        ledger: whose it is.
        download: its id.
        sentence: what was done, kept with the row.
        by: who did it.
    """
    row = downloads.by_id(tx.conn, download)
    if row is None:
        return
    at = ledger.now()
    if row.state in ACTIVE:
        give_back(tx, row, ACTIVE)
    downloads.change(
        tx, row.id, state=ClientState.REMOVED.value, last_error=sentence, updated_at=at
    )
    for task in tasks.of_subject(tx.conn, row.id):
        if task.kind not in _OVER:
            continue
        if task.state not in ENDED:
            tasks.add_step(tx, task.id, {"at": at.isoformat(), "step": "its download was removed"})
            tasks.change(tx, task.id, state=TaskState.CANCELLED, ended_at=at, next_try_at=None)
            ledger.engine.cancel(tx, "task", task.id)
        decisions.close_for(tx, f"task:{task.id}", by=by, resolution="removed", at=at)
    for cause in _QUESTIONS:
        decisions.close_for(tx, f"{cause}:{row.id}", by=by, resolution="removed", at=at)
    body = {"title": cleaned(row.name), "client": row.client}
    events.append(tx, "download_removed", body, at, run=row.run)
    if row.run is not None:
        ledger.engine.wake(tx, "run", row.run)
