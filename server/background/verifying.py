"""Verifying what was placed: the servers are told and asked until they show it."""

from datetime import datetime, timedelta
from typing import Final

from capabilities.adapters.media_server.port import MediaServers
from capabilities.adapters.shelf.folders import Folders
from capabilities.organize.closing import VERIFYING, cause_of, close
from capabilities.organize.import_plan import organize_plan
from capabilities.organize.second_look import SecondLook
from capabilities.rules.outside_text import cleaned
from capabilities.rules.verification import (
    Verification,
    verification_from,
    verification_json,
)
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import decisions, downloads, plans, shelf
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.stores.plans import Plan
from ledger.stores.shelf import RecordRow
from ledger.stores.tasks import TaskRow
from ledger.writer import Transaction
from server.background.results import Done, Result, Wait

FIRST_PAUSE_S: Final = 5.0
LONGEST_PAUSE_S: Final = 120.0
OWNER_S: Final = 900.0
"""Between looks once the owner was asked: what comes late still closes the record by itself."""
EVIDENCE: Final = 20


class Verifier:
    """Attends to tasks of the kind ``verify``; waiting costs nothing and never gives up."""

    def __init__(self, ledger: Ledger, servers: MediaServers | None) -> None:
        """Take the servers that there are."""
        self._ledger = ledger
        self._servers = servers

    async def attend(self, task: TaskRow) -> Result:
        """Look once; close the record, or say why it stays open and look again later."""
        found = await self._ledger.read(lambda conn: _about(conn, task.subject))
        if found is None:
            return Done("there is nothing left to verify")
        record, plan = found
        seen = verification_from(record.verification or {})
        if not seen.settled:
            seen = await self._look(record, plan, seen)
        now = self._ledger.now()
        settled = await self._ledger.write(lambda tx: self._note(tx, record.id, seen, now))
        if settled:
            return Done("everything that must be true of it is")
        return Wait(_pause_s(seen, now), seen.reason)

    async def _look(self, record: RecordRow, plan: Plan, known: Verification) -> Verification:
        wanted = organize_plan(plan)
        servers = [] if self._servers is None else self._servers.showing(wanted.kind)
        library = f"the library {Folders.name(wanted.kind)}"
        look = SecondLook(wanted, record.placements, library, servers)
        return await look.look(known, self._ledger.now())

    def _note(self, tx: Transaction, record: str, seen: Verification, now: datetime) -> bool:
        """Write down what was seen, unless somebody settled it meanwhile; whether it is settled."""
        row = shelf.record_by_id(tx.conn, record)
        if row is None or row.state != VERIFYING:
            return True
        accepted = verification_from(row.verification or {}).accepted
        if accepted is None:
            shelf.change_record(
                tx, record, verification=verification_json(seen), last_error=seen.reason
            )
        if accepted is not None or seen.settled:
            close(tx, self._ledger, record)
            return True
        downloads.change(tx, row.download, last_error=seen.reason, updated_at=now)
        if seen.needs_owner(now):
            decisions.raise_(tx, _decision(tx, row, seen), now)
        return False


def _about(conn: Snapshot, record: str) -> tuple[RecordRow, Plan] | None:
    row = shelf.record_by_id(conn, record)
    plan = None if row is None else plans.by_id(conn, row.plan)
    return None if row is None or plan is None or row.state != VERIFYING else (row, plan)


def _pause_s(seen: Verification, now: datetime) -> float:
    """Longer after every look, but never past the moment at which the owner is asked."""
    if seen.needs_owner(now):
        return OWNER_S
    pause = min(FIRST_PAUSE_S * 2 ** min(seen.looks - 1, 10), LONGEST_PAUSE_S)
    return min(pause, max((seen.until - now) / timedelta(seconds=1), 1.0))


def _decision(tx: Transaction, row: RecordRow, seen: Verification) -> NewDecision:
    download = downloads.by_id(tx.conn, row.download)
    name = row.id if download is None else cleaned(download.name)
    return NewDecision(
        DecisionKind.OTHER,
        cause_of(row.id),
        f"{name} is in its place, but could not be verified: {seen.reason}",
        Severity.MEDIUM,
        evidence={
            "open": [
                {
                    "check": check.kind.value,
                    "file": cleaned(check.file),
                    "server": check.server,
                    "why": check.why,
                }
                for check in seen.open[:EVIDENCE]
            ]
        },
        options=offered(Option.RE_EVALUATE, Option.ACCEPT, Option.DISMISS),
        lasting=True,
        run=row.run,
        subject=row.id,
    )
