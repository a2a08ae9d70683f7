"""What the published policy says of one release for the work that is meant, as of now."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from anyio import to_thread

from capabilities.download.drafting import Known
from capabilities.download.grounds import Grounds
from capabilities.kernel.context import Context
from capabilities.rules.by_hand import BY_HAND
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.found import Found
from capabilities.rules.identity import accepts, verdict_for
from capabilities.rules.owned_names import OwnedName, owned_counting, owned_identity, owned_name
from capabilities.rules.pending import on_one_clock, undelayed, waits_until
from capabilities.rules.ranking import Candidate
from capabilities.rules.reasons import Reason, Rule, rejects
from capabilities.rules.stored import found_from
from capabilities.rules.time_budget import Budget
from capabilities.rules.verdicts import Circumstances, Judgement, judge
from ledger.stores import releases

RIVALS: Final = 60
"""Offers that the last search found besides a release, of which an older one may end its wait."""
RIVALS_S: Final = 3.0
"""Of the processor, to judge them."""
_BY_POLICY: Final = "policy"
_OTHER: Final = rejects(Rule.IDENTITY, "", "nothing in the name points at this work")


@dataclass(frozen=True, slots=True)
class _Case:
    """A release that is meant for a work, and what both are judged by at a moment."""

    known: Known
    by: Grounds
    now: datetime

    @property
    def by_evidence(self) -> bool:
        """Whether nobody but the evidence says which work it is."""
        record = self.known.row.identity
        return record is not None and record.get("by", _BY_POLICY) == _BY_POLICY

    def owned(self, title: str) -> OwnedName:
        """A title as its owner has names read."""
        return owned_name(title, self.known.identity.words)

    def identity(self, owned: OwnedName, found: Found) -> Identity:
        """What an offer is, of the one work that is meant."""
        by, policy = self.by, self.known.identity
        return owned_identity(owned, found.external_ids, [by.work], policy, orders=by.orders)

    def judge(
        self, found: Found, owned: OwnedName, identity: Identity, within: Budget | None = None
    ) -> Judgement:
        """What the policy says of an offer."""
        given = Circumstances(
            runtime_minutes=self.by.work.runtime_minutes,
            now=self.now,
            around=self.by.around,
            within=within,
            counting=owned_counting(self.by.work, self.known.identity, self.by.orders),
        )
        return judge(found, owned.name, identity, self.by.policy, given)


async def judged(found: Found, known: Known, by: Grounds, context: Context) -> Judgement:
    """Judge it as a search for its work would; nothing waits for the owner.

    Args:
        found: the offer, with the size and the info-hash that count.
        known: what it was identified as, and by whom.
        by: everything as it stands now.
        context: whose clock counts.
    """
    case = _Case(known, by, context.ledger.now())
    judgement = await to_thread.run_sync(_judged, found, case)
    if context.actor.decides:
        return undelayed(judgement)
    if waits_until(judgement) is None:
        return judgement
    since = known.row.found_at
    rows = await context.ledger.read(
        lambda conn: releases.found_for(conn, known.work_id, since=since, limit=RIVALS)
    )
    # What somebody gave by hand is as old as its giver likes.
    offers = [row for row in rows if row.id != known.row.id and row.indexer != BY_HAND]
    mine, rivals = (
        Candidate(found, known.name, judgement),
        [found_from(row.found) for row in offers],
    )
    return await to_thread.run_sync(_on_one_clock, mine, rivals, case)


def _judged(found: Found, case: _Case) -> Judgement:
    owned = case.owned(case.known.row.title)
    identity = Identity(Grade.A, case.by.work)  # whatever its owner says, it is that
    if case.by_evidence:
        identity = case.identity(owned, found)
    judgement = case.judge(found, owned, identity)
    against = tuple(_against(identity, case))
    reasons = (*against, *judgement.reasons)
    return replace(judgement, reasons=reasons, accepted=judgement.accepted and not against)


def _against(identity: Identity, case: _Case) -> list[Reason]:
    """Why it is not taken for the work any more, where it once was by evidence."""
    if verdict_for(case.by.work, identity) == "other":
        return [_OTHER]
    grade = str((case.known.row.identity or {}).get("grade"))
    if not case.by_evidence or grade in case.known.identity.accepted:
        return []
    return [rejects(Rule.IDENTITY, grade, f"it is known by grade {grade} only, which is not taken")]


def _on_one_clock(mine: Candidate, rivals: Sequence[Found], case: _Case) -> Judgement:
    """The judgement by the clock of the oldest acceptable offer for the same."""
    candidates, budget = [mine], Budget(RIVALS_S)
    for rival in rivals:
        if not budget.left:
            break
        owned = case.owned(rival.title)
        identity = case.identity(owned, rival)
        if accepts(case.known.identity, identity):
            judgement = case.judge(rival, owned, identity, budget)
            candidates.append(Candidate(rival, owned.name, judgement))
    return on_one_clock(candidates, case.by.policy, case.now)[0].judgement
