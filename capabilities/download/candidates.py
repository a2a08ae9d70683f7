"""What a work's last searches found besides a download that failed, and what was tried already."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from capabilities.download.acquisition import acquisition
from capabilities.rules.by_hand import BY_HAND
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.next_candidates import Offer, Spent, next_candidates
from capabilities.rules.owned_names import owned_name
from capabilities.rules.targets import Target
from capabilities.rules.usable_policy import usable_identity
from ledger.database import Snapshot
from ledger.stores import downloads, plans, policies, releases
from ledger.stores.downloads import DownloadRow
from ledger.stores.releases import ReleaseRow

NEXT_PLAN: Final = "next_plan"
"""The name under which the plan of what took its place is among the facts of a download."""
NEXT_TAKEN: Final = "next_taken"
"""That it was taken and not just offered, likewise."""
OFFERS: Final = 60
LATELY: Final = timedelta(days=30)
"""How old an offer may be; what an indexer listed earlier is hardly there any more."""


@dataclass(frozen=True, slots=True)
class Cause:
    """One root cause: everything that was fetched for it, the one that failed last first.

    Attributes:
        by_hand: the owner picked the first one, so nothing is picked in its place without them.
        targets: what it was for.
    """

    rows: tuple[DownloadRow, ...]
    by_hand: bool
    targets: frozenset[Target]

    @property
    def replaced(self) -> int:
        """How many were taken in place of the first one."""
        return len(self.rows) - 1


def cause_of(conn: Snapshot, row: DownloadRow) -> Cause:
    """Everything that led to a download, back to what was chosen first."""
    before = {
        str(one.facts[NEXT_PLAN]): one
        for one in downloads.listing(conn, work=row.work)
        if NEXT_PLAN in one.facts
    }
    rows = [row]
    while (earlier := before.pop(rows[-1].plan, None)) is not None:
        rows.append(earlier)
    return Cause(tuple(rows), _is_by_hand(conn, rows[-1]), _targets(conn, row))


def others(conn: Snapshot, row: DownloadRow, now: datetime) -> list[Offer]:
    """The releases that could be taken in its place, the best first."""
    cause = cause_of(conn, row)
    policy = usable_identity(policies.published(conn, "identity"))
    kept = releases.found_for(conn, row.work, since=now - LATELY, limit=OFFERS)
    hashes = {
        name.lower()
        for one in cause.rows
        for name in (one.info_hash, one.hash_v1, one.hash_v2)
        if name is not None
    }
    spent = Spent({one.release for one in cause.rows}, hashes)
    grades = {grade.value for grade in policy.accepted}
    offers = [_offer(one, row.work, policy) for one in kept if one.indexer != BY_HAND]
    return next_candidates(offers, cause.targets, spent, grades, now)


def _offer(row: ReleaseRow, work: str, policy: IdentityPolicy) -> Offer:
    name = owned_name(row.title, policy.words).name
    known = (row.identity or {}).get("work") == work
    return Offer(row.id, row.title, name, row.info_hash, row.judgement, known)


def _is_by_hand(conn: Snapshot, row: DownloadRow) -> bool:
    plan = plans.by_id(conn, row.plan)
    release = releases.by_id(conn, row.release)
    given = release is not None and release.indexer == BY_HAND
    return given or (plan is not None and plan.created_by.startswith("owner:"))


def _targets(conn: Snapshot, row: DownloadRow) -> frozenset[Target]:
    plan = plans.by_id(conn, row.plan)
    slots = [] if plan is None else acquisition(plan).slots
    return frozenset((slot.season, slot.episode) for slot in slots)


def with_next(row: DownloadRow, plan: str, *, taken: bool) -> dict[str, Any]:
    """The facts of a download that another one takes the place of, or may."""
    return {**row.facts, NEXT_PLAN: plan, NEXT_TAKEN: taken}


def taken_in_place(row: DownloadRow) -> str | None:
    """The plan of what was taken in its place by itself; None where nothing was."""
    plan = row.facts.get(NEXT_PLAN)
    return str(plan) if plan is not None and row.facts.get(NEXT_TAKEN) is True else None
