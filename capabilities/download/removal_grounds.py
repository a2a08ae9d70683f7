"""What of ours speaks against a removal: files that are still to be organised."""

from datetime import datetime

from capabilities.download.removal import Bar
from capabilities.kernel.owing import IMPORT, VERIFY
from capabilities.kernel.unsettled import unsettled_placing
from ledger.database import Snapshot
from ledger.stores import approvals, plans, shelf, tasks
from ledger.stores.approvals import OPEN
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import PlanState
from ledger.stores.tasks import ENDED


def still_needed(conn: Snapshot, row: DownloadRow, at: datetime) -> Bar | None:
    """Why its files are still to be organised, where they are."""
    if unsettled_placing(conn, row.plan) is not None:
        return Bar(
            "Its files are being placed in the library, or may have been.",
            "Wait until that is over; `matinee claims` tells how it stands.",
        )
    for record in shelf.records_of(conn, row.id):
        if _open(conn, record.id, VERIFY):
            return Bar(
                "What was placed of it is still being verified.",
                "Wait until it is, or cancel that task.",
            )
    if _open(conn, row.id, IMPORT):
        return Bar(
            "Its files are still to be placed in the library.",
            "Wait until they are, or cancel its import with task__cancel.",
        )
    for plan in plans.children(conn, row.plan):
        waiting = approvals.of_plan(conn, plan.id, *OPEN)
        if plan.state is PlanState.FROZEN and any(one.expires_at > at for one in waiting):
            return Bar(
                "A plan for placing its files waits for the owner, or was approved.",
                "Carry that plan out, or decline it.",
            )
    return None


def _open(conn: Snapshot, subject: str, kind: str) -> bool:
    about = tasks.of_subject(conn, subject)
    return any(task.kind == kind and task.state not in ENDED for task in about)
