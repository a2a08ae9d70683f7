"""Recording that a torrent is with a client: the same rows whether we were told or found out."""

from dataclasses import dataclass

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.download.acquisition import Acquisition, WantedSlot
from capabilities.kernel.owing import TRACK, owe
from capabilities.rules.outside_text import cleaned
from capabilities.rules.under_way import ACTIVE
from ledger.ledger import Ledger
from ledger.stores import downloads, events, plans, shelf
from ledger.stores.copies import IN_FLIGHT, SATISFIED
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan, PlanState
from ledger.writer import Transaction

SUBMITTED = "submitted"
_BEGINS_ANEW = (
    "client",
    "name",
    "plan",
    "release",
    "work",
    "run",
    "state",
    "size",
    "done",
    "facts",
    "last_error",
    "updated_at",
    "completed_at",
)


@dataclass(frozen=True, slots=True)
class Submission:
    """A torrent that is now with ``client``, by an approved plan; ``id`` names its row.

    ``adopted``: the client had it already.
    """

    id: str
    plan: Plan
    wanted: Acquisition
    client: str
    hashes: InfoHashes
    adopted: bool


def record_submission(tx: Transaction, ledger: Ledger, made: Submission) -> None:
    """Write the download, its slots, its plan's state and its tracking task.

    A torrent that is recorded already keeps its row: a second plan for one that is under way
    adopts it, and any other one begins anew under this plan.
    """
    plans.move(tx, made.plan.id, PlanState.SUBMITTED)
    known = downloads.by_id(tx.conn, made.id)
    if known is not None and known.state in ACTIVE and made.adopted:
        return
    row = _row(made, ledger)
    if known is None:
        downloads.add(tx, row)
    else:
        begun = {name: getattr(row, name) for name in _BEGINS_ANEW}
        downloads.change(tx, known.id, **begun)
    for slot in made.wanted.slots:
        _expect(tx, made.wanted, slot)
    owe(tx, ledger, TRACK, made.id)
    events.append(
        tx,
        "download_submitted",
        {"title": cleaned(made.wanted.title), "client": made.client, "size": made.wanted.size},
        ledger.now(),
        run=made.plan.run,
    )


def _expect(tx: Transaction, wanted: Acquisition, slot: WantedSlot) -> None:
    """Say that something is on its way to a slot.

    One that something stands in stays filled. Where that is to be replaced, its revision rises all
    the same: another plan for the slot is stale then.
    """
    season, episode = slot.season, slot.episode
    now = shelf.slot_for(tx.conn, wanted.work, season, episode)
    if now is None or now.state != SATISFIED:
        shelf.move_slot(tx, wanted.work, season, episode, state=IN_FLIGHT, asset_id=None)
    elif wanted.may_replace:
        shelf.move_slot(tx, wanted.work, season, episode, state=SATISFIED, asset_id=now.asset)


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
