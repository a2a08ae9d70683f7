"""What an assigned identity changes in the ledger, all at once."""

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.kernel.owing import IMPORT, owe
from capabilities.kernel.unsettled import unsettled_placing
from capabilities.organize.closing import VERIFYING
from capabilities.organize.import_plan import PLAN_TYPE
from capabilities.organize.unidentified import cause_of
from capabilities.rules.assigned_identity import ASSIGNED, Assigned
from ledger.database import Snapshot
from ledger.stores import decisions, downloads, plans, releases, shelf, tasks
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan, PlanState
from ledger.writer import Transaction

ASSIGNED_BY = "assigned_by"
"""On the card of a plan that follows somebody's explicit identity: by whom it was said."""
_OPEN = (PlanState.DRAFT, PlanState.FROZEN, PlanState.CONFLICT)


def assign(
    tx: Transaction, context: Context, row: DownloadRow, assigned: Assigned, plan: Plan
) -> None:
    """Keep the word and the plan that follows from it, and let the import go on by that one.

    Plans before it are superseded, whoever said what about them; the questions are closed.

    Args:
        tx: the transaction that settles the call.
        context: of the call.
        row: the download, with the work that it is by that word.
        assigned: the word.
        plan: frozen from it.

    Raises:
        HaltError: refused; an import claimed its files, or placed them, since that was looked at.
    """
    why = in_the_way(tx.conn, downloads.by_id(tx.conn, row.id) or row)
    if why is not None:
        needs = {"do": "Look at it with download__inspect, and say it again afterwards."}
        raise HaltError(Refused(Code.CONFLICT, f"{why} Nothing was changed.", needs))
    by, at = str(context.actor), context.ledger.now()
    told = {"grade": f"by {by}", "by": by, "work": row.work, ASSIGNED: assigned.stored()}
    releases.identify(tx, row.release, row.work, told)
    for earlier in plans.children(tx.conn, row.plan):
        if earlier.type == PLAN_TYPE and earlier.state in _OPEN:
            plans.move(tx, earlier.id, PlanState.SUPERSEDED)
    plans.add(tx, plan)
    downloads.change(tx, row.id, work=row.work, state="completed", last_error=None, updated_at=at)
    for cause in (f"import:{row.id}", cause_of(row.id)):
        decisions.close_for(tx, cause, by=by, resolution=f"it is {row.work}", at=at)
    owe(tx, context.ledger, IMPORT, row.id)
    for task in tasks.of_subject(tx.conn, row.id):
        context.ledger.engine.wake(tx, "task", task.id)


def in_the_way(conn: Snapshot, row: DownloadRow) -> str | None:
    """Why nobody may say what a download is now, as a sentence; None where nothing is."""
    if row.completed_at is None:
        return "It is not complete yet, so what it holds can still change."
    if unsettled_placing(conn, row.plan) is not None:
        return "Its files are being placed at this moment, or may have been."
    if any(record.state == VERIFYING for record in shelf.records_of(conn, row.id)):
        return "What was placed of it is still being verified; settle that first."
    return None
