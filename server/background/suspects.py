"""Stopping a torrent that turns out to be a fake, as soon as its list of files is known."""

from datetime import datetime
from typing import Final

from capabilities.adapters.downloader.port import Transfer
from capabilities.decision.letting_go_on import ACCEPTED
from capabilities.download.acquisition import acquisition
from capabilities.download.failing import Block, Failure, record_failure
from capabilities.rules.fakes import Suspicion, suspicion
from capabilities.rules.holding import Hold
from capabilities.rules.outside_text import cleaned
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import decisions, downloads, plans
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.stores.downloads import DownloadRow
from ledger.writer import Transaction
from server.background.ways_on import let_go_on, remove

STATE: Final = "needs_owner"
LOOKED: Final = "looked"
"""That its files were looked at, under this name among the facts of a download."""


def is_unlooked(row: DownloadRow, transfer: Transfer) -> bool:
    """Whether its files are known, and nobody has looked at their names yet."""
    return bool(transfer.files) and LOOKED not in row.facts and ACCEPTED not in row.facts


def look_at(conn: Snapshot, row: DownloadRow, transfer: Transfer) -> Suspicion | None:
    """What is wrong with it: names of what is fetched, and the size against what was approved."""
    plan = plans.by_id(conn, row.plan)
    wanted = None if plan is None else acquisition(plan)
    announced = None if wanted is None else wanted.size + wanted.size_left_out
    fetched = [file.path for file in transfer.files if file.wanted]
    return suspicion(fetched, sum(file.size for file in transfer.files), announced)


def looked(tx: Transaction, row: DownloadRow) -> None:
    """Write that there is nothing wrong with it."""
    downloads.change(tx, row.id, facts={**row.facts, LOOKED: True})


def stop(tx: Transaction, ledger: Ledger, row: DownloadRow, why: Suspicion, at: datetime) -> None:
    """Write that it stands still, is not taken again by anybody, and that its owner is asked.

    The caller pauses it in its client afterwards, and again whenever it runs.
    """
    sentence = f"It is not what it claims to be: {why.sentence}."
    record_failure(tx, ledger, row, Failure(sentence, STATE, Hold.DANGER, Block.EVERYTHING))
    name = cleaned(row.name)
    evidence: dict[str, object] = {"title": name, "client": row.client}
    if why.files:
        evidence["dangerous"] = {cleaned(path): reason for path, reason in why.files.items()}
    if why.size is not None:
        evidence["size"] = why.size
    new = NewDecision(
        DecisionKind.DANGEROUS_CONTENT,
        f"{DecisionKind.DANGEROUS_CONTENT}:{row.id}",
        f"{name} was stopped. {sentence} It is not fetched any further, and not taken again.",
        Severity.HIGH,
        evidence=evidence,
        options=[remove(row), let_go_on(), *offered(Option.DISMISS)],
        run=row.run,
        subject=row.id,
    )
    decisions.raise_(tx, new, at)
