"""Writing down that a plan's files stand on the shelf: the last fact of an import."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from capabilities.organize.import_plan import OrganizePlan, organize_plan
from capabilities.organize.placing import VIDEO, OnShelf
from ledger.clock import new_id
from ledger.ledger import Ledger
from ledger.stores import decisions, downloads, events, plans, shelf, tasks
from ledger.stores.plans import Plan, PlanState
from ledger.stores.shelf import AssetRow
from ledger.writer import Transaction

IMPORTED = "imported"
SATISFIED = "satisfied"


def conclude(
    tx: Transaction,
    ledger: Ledger,
    plan: Plan,
    record: str,
    standing: Sequence[OnShelf],
) -> None:
    """Record, assets, slots, download and plan, and the wake-up of the run that waits."""
    at = ledger.now()
    wanted = organize_plan(plan)
    placements = [_placement(one, wanted.folder) for one in standing]
    shelf.change_record(
        tx,
        record,
        state="succeeded",
        ended_at=at,
        placements=placements,
        verification={"files": len(standing), "at": at.isoformat()},
        last_error=None,
    )
    for one in standing:
        if one.file.role == VIDEO:
            _on_shelf(tx, ledger, wanted, record, one)
    downloads.change(tx, wanted.download, state=IMPORTED, last_error=None, updated_at=at)
    plans.move(tx, plan.id, PlanState.DONE)
    row = downloads.by_id(tx.conn, wanted.download)
    run = None if row is None else row.run
    if row is not None:
        plans.move(tx, row.plan, PlanState.DONE)
        _close_decisions(tx, row.id, at)
        for task in tasks.of_subject(tx.conn, row.id):  # one may wait for a placing that took long
            ledger.engine.wake(tx, "task", task.id)
    targets = [one.file.target for one in standing]
    events.append(tx, "imported", {"files": targets, "folder": wanted.folder}, at, run=run)
    if run is not None:
        ledger.engine.wake(tx, "run", run)


def _close_decisions(tx: Transaction, download: str, at: datetime) -> None:
    """Whatever asked the owner about this import is settled by it."""
    causes = [
        f"import:{download}",
        *(f"task:{task.id}" for task in tasks.of_subject(tx.conn, download)),
    ]
    for cause in causes:
        decisions.close_for(tx, cause, by="system:import", resolution="imported", at=at)


def _placement(one: OnShelf, folder: str) -> dict[str, Any]:
    return {
        "source": one.file.source.path,
        "target": one.file.target,
        "folder": folder,
        "role": one.file.role,
        "size": one.size,
        "device": one.device,
        "inode": one.inode,
        "digest": one.digest,
    }


def _on_shelf(
    tx: Transaction, ledger: Ledger, wanted: OrganizePlan, record: str, one: OnShelf
) -> None:
    asset = new_id("asset")
    streams = asdict(one.streams) if one.streams is not None else {}
    if one.streams is not None:
        streams["dynamic_range"] = sorted(one.streams.dynamic_range)
    shelf.put_asset(
        tx,
        AssetRow(
            id=asset,
            path=f"{wanted.folder}/{one.file.target}",
            work=wanted.work,
            season=one.file.season if one.file.episodes else None,
            episode=one.file.episodes[0] if one.file.episodes else None,
            quality=wanted.quality,
            size=one.size,
            device=one.device,
            inode=one.inode,
            streams=streams,
            record=record,
            seen_at=ledger.now(),
        ),
    )
    for episode in one.file.episodes or [0]:
        shelf.move_slot(tx, wanted.work, one.file.season, episode, state=SATISFIED, asset_id=asset)
