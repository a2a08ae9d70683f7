"""The last fact of an import: its record is closed and its slots are satisfied."""

from typing import Final

from capabilities.organize.filling import filling
from capabilities.organize.import_plan import OrganizePlan, organize_plan
from ledger.ledger import Ledger
from ledger.stores import decisions, downloads, events, plans, shelf
from ledger.stores.plans import PlanState
from ledger.stores.shelf import RecordRow
from ledger.writer import Transaction

VERIFYING: Final = "verifying"
"""The state of a record whose files stand and of which not all is true yet that must be."""
IMPORTING: Final = "importing"
IMPORTED: Final = "imported"
SATISFIED: Final = "satisfied"


def cause_of(record: str) -> str:
    """What a decision about a record that cannot be closed is kept apart by."""
    return f"verify:{record}"


def close(tx: Transaction, ledger: Ledger, record: str) -> None:
    """Record, slots, download and plan, and the wake-up of the run that waits.

    Only a record that is being verified is closed; any other one is left as it is.
    """
    row = shelf.record_by_id(tx.conn, record)
    plan = None if row is None else plans.by_id(tx.conn, row.plan)
    if row is None or plan is None or row.state != VERIFYING:
        return
    wanted, at = organize_plan(plan), ledger.now()
    shelf.change_record(tx, record, state="succeeded", ended_at=at, last_error=None)
    _satisfy(tx, wanted)
    downloads.change(tx, wanted.download, state=IMPORTED, last_error=None, updated_at=at)
    decisions.close_for(tx, cause_of(record), by="system:verify", resolution="verified", at=at)
    _tell(tx, ledger, wanted, row)


def _satisfy(tx: Transaction, wanted: OrganizePlan) -> None:
    held = {asset.path: asset.id for asset in shelf.assets(tx.conn, work=wanted.work)}
    for file in filling(wanted):
        asset = held.get(f"{wanted.folder}/{file.target}")
        for episode in file.episodes or [0]:
            shelf.move_slot(tx, wanted.work, file.season, episode, state=SATISFIED, asset_id=asset)


def _tell(tx: Transaction, ledger: Ledger, wanted: OrganizePlan, record: RecordRow) -> None:
    row = downloads.by_id(tx.conn, wanted.download)
    run = None if row is None else row.run
    if row is not None:
        plans.move(tx, row.plan, PlanState.DONE)
    targets = [str(one["target"]) for one in record.placements]
    body = {"files": targets, "folder": wanted.folder}
    events.append(tx, "imported", body, ledger.now(), run=run)
    if run is not None:
        ledger.engine.wake(tx, "run", run)
