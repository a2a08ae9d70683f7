"""Business tasks that are owed: beginning one, and letting one that has ended begin anew."""

from capabilities.kernel.unsettled import retire_failed
from ledger.ledger import Ledger
from ledger.stores import downloads, tasks
from ledger.stores.tasks import ENDED, TaskState
from ledger.writer import Transaction

TRACK = "track"
IMPORT = "import"
VERIFY = "verify"
ADOPT = "adopt"
SURVEY = "survey"
"""No task: the engine's own recurring kind, whose subjects are the looks at libraries."""
NEXT = "next"


def owe(tx: Transaction, ledger: Ledger, kind: str, subject: str) -> None:
    """Let the task of this kind begin, or begin anew where an earlier one has ended."""
    task = tasks.add(tx, kind, subject, ledger.now())
    if task is not None:
        ledger.engine.start(tx, "task", task)
        return
    for earlier in tasks.of_subject(tx.conn, subject):
        if earlier.kind == kind and earlier.state in ENDED:
            begin_anew(tx, ledger, earlier.id)


def begin_anew(tx: Transaction, ledger: Ledger, id_: str) -> bool:
    """Let an ended task begin with all of its attempts before it; one under way is left alone.

    False when there is no such task.
    """
    row = tasks.by_id(tx.conn, id_)
    if row is None:
        return False
    if row.state in ENDED:
        download = downloads.by_id(tx.conn, row.subject) if row.kind == IMPORT else None
        if download is not None:
            retire_failed(tx, download.plan)
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
