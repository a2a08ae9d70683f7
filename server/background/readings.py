"""What a client reports of a download, written down: state, bytes, clock, and news of progress."""

from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from capabilities.adapters.downloader.port import Transfer
from capabilities.rules.outside_text import cleaned
from capabilities.rules.progress import Told, news, percent_of, told_from, told_json
from capabilities.rules.stalling import CLOCK, Look, clock_json, clock_of
from ledger.stores import downloads, events
from ledger.stores.downloads import DownloadRow
from ledger.writer import Transaction

TOLD: Final = "told"
LOST: Final = "lost"
"""How often its client has answered that it is not there, under this name among the facts."""


def reading(tx: Transaction, row: DownloadRow, transfer: Transfer, at: datetime) -> DownloadRow:
    """Write what was seen at ``at``; the row as it is now."""
    size = transfer.wanted_bytes or row.size
    look = Look(
        transfer.state.value,
        transfer.done_bytes,
        transfer.down_rate,
        bool(transfer.files or transfer.wanted_bytes),
    )
    facts = {key: held for key, held in row.facts.items() if key != LOST}
    facts |= {
        "rate": transfer.down_rate,
        "peers": transfer.peers,
        CLOCK: clock_json(clock_of(row.facts).after(look, at)),
        TOLD: told_json(_told(tx, row, transfer, size, at)),
    }
    columns: dict[str, Any] = {
        "state": transfer.state.value,
        "done": transfer.done_bytes,
        "size": size,
        "facts": facts,
        "last_error": transfer.error,
        "updated_at": at,
    }
    downloads.change(tx, row.id, **columns)
    return replace(row, **columns)


def unseen(tx: Transaction, row: DownloadRow) -> None:
    """Let its clock stand still, since its client does not answer."""
    clock = clock_of(row.facts)
    if clock.ran_at is not None:
        downloads.change(tx, row.id, facts={**row.facts, CLOCK: clock_json(clock.unseen())})


def _told(tx: Transaction, row: DownloadRow, transfer: Transfer, size: int, at: datetime) -> Told:
    """Tell whoever waits for it how far it is, if that is news."""
    before = told_from(row.facts.get(TOLD))
    now = news(before, transfer.done_bytes, size, at)
    if now is None:
        return before or Told(percent_of(transfer.done_bytes, size), at)
    body = {
        "title": cleaned(row.name),
        "percent": now.percent,
        "done": transfer.done_bytes,
        "size": size,
        "rate": transfer.down_rate,
    }
    events.append(tx, "download_progress", body, at, run=row.run)
    return now
