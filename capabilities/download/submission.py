"""Recording that a torrent is with a client: the same rows whether we were told or found out."""

from dataclasses import dataclass

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.download.acquisition import Acquisition
from ledger.ledger import Ledger
from ledger.stores import downloads, events, plans, shelf, tasks
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan, PlanState
from ledger.stores.tasks import TaskState
from ledger.writer import Transaction

TRACK = "track"
SUBMITTED = "submitted"
IN_FLIGHT = "in_flight"
OVER = ("failed", "removed")


@dataclass(frozen=True, slots=True)
class Submission:
    """A torrent that is now with ``client``, by an approved plan; ``id`` names its row."""

    id: str
    plan: Plan
    wanted: Acquisition
    client: str
    hashes: InfoHashes


def record_submission(tx: Transaction, ledger: Ledger, made: Submission) -> None:
    """Write the download, its slots, its plan's state and its tracking task.

    A torrent that is recorded already keeps its row: a second plan for it adopts it, and one that
    had failed or been removed begins anew under this plan.
    """
    plans.move(tx, made.plan.id, PlanState.SUBMITTED)
    known = downloads.by_id(tx.conn, made.id)
    if known is not None and known.state not in OVER:
        return
    if known is None:
        downloads.add(tx, _row(made, ledger))
    else:
        downloads.change(
            tx,
            known.id,
            plan=made.plan.id,
            run=made.plan.run,
            client=made.client,
            state=SUBMITTED,
            last_error=None,
            completed_at=None,
            updated_at=ledger.now(),
        )
    for slot in made.wanted.slots:
        shelf.move_slot(
            tx, made.wanted.work, slot.season, slot.episode, state=IN_FLIGHT, asset_id=None
        )
    _track(tx, ledger, made.id)
    events.append(
        tx,
        "download_submitted",
        {"title": made.wanted.title, "client": made.client, "size": made.wanted.size},
        ledger.now(),
        run=made.plan.run,
    )


def _track(tx: Transaction, ledger: Ledger, download: str) -> None:
    task = tasks.add(tx, TRACK, download, ledger.now())
    if task is not None:
        ledger.engine.start(tx, "task", task)
        return
    for earlier in tasks.of_subject(tx.conn, download):
        tasks.change(tx, earlier.id, state=TaskState.QUEUED, ended_at=None, last_error=None)
        ledger.engine.nudge(tx, "task", earlier.id)


def _row(made: Submission, ledger: Ledger) -> DownloadRow:
    at = ledger.now()
    return DownloadRow(
        id=made.id,
        client=made.client,
        info_hash=made.hashes.key,
        hash_v1=made.hashes.v1,
        hash_v2=made.hashes.v2,
        name=made.wanted.title,
        plan=made.plan.id,
        release=made.wanted.release,
        work=made.wanted.work,
        run=made.plan.run,
        state=SUBMITTED,
        size=made.wanted.size,
        done=0,
        facts={},
        last_error=None,
        created_at=at,
        updated_at=at,
        completed_at=None,
    )
