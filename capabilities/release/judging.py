"""Judging what indexers offered for a work: identity, policy, rank."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal

from capabilities.rules.delaying import dated
from capabilities.rules.evidence import Identity
from capabilities.rules.found import Found
from capabilities.rules.identity import verdict_for
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.outside_text import titled
from capabilities.rules.owned_names import owned_counting, owned_identity, owned_name
from capabilities.rules.policy import AcquisitionPolicy, IdentityPolicy
from capabilities.rules.ranking import DEFAULT_PRIORITY, Candidate, rank
from capabilities.rules.standing import NOTHING_AROUND, Around
from capabilities.rules.time_budget import Budget
from capabilities.rules.verdicts import judge
from capabilities.rules.works import Work

FIRST_IDENTITY: Final = IdentityPolicy()
SEARCH_S: Final = 8.0
"""Of the processor, for all the offers of one search; an ordinary one takes milliseconds."""
Verdict = Literal["same", "other", "unsure"]


@dataclass(frozen=True, slots=True)
class Judged:
    """An offer at its rank; ``verdict`` is None when no work was asked for."""

    found: Found
    name: ReleaseName
    identity: Identity
    verdict: Verdict | None
    accepted: bool
    rank: int
    reasons: tuple[tuple[str, str], ...]
    score: int
    tier: str | None = None

    def stored(self, policy_version: int) -> dict[str, Any]:
        """As kept beside the release, for the plan that may follow."""
        return {
            "accepted": self.accepted,
            "verdict": self.verdict,
            "grade": self.identity.grade.value,
            "rank": self.rank,
            "score": self.score,
            "tier": self.tier,
            "reasons": [{"rule": rule, "sentence": said} for rule, said in self.reasons],
            "policy_version": policy_version,
        }


def judged(
    offers: Sequence[Found],
    work: Work | None,
    candidates: Sequence[Work],
    policy: AcquisitionPolicy,
    *,
    priorities: Mapping[str, int],
    now: datetime,
    around: Around = NOTHING_AROUND,
    by_hand: bool = False,
    identity_policy: IdentityPolicy = FIRST_IDENTITY,
    seconds: float = SEARCH_S,
    crowded: bool = False,
) -> list[Judged]:
    """The offers, best first; what is another work or breaks a rule is last and says why.

    Those that there is no time for are not among them. The indexers take turns, so that slow names
    of one do not use up the time of all.

    Args:
        offers: as the indexers made them.
        work: what was asked for, None where words were.
        candidates: every work that its title may mean.
        policy: what the owner takes.
        priorities: of the indexers, by name.
        now: with its time zone.
        around: what is there of the work already, and what is blocked for it.
        by_hand: whether a person asked, so that nothing waits.
        identity_policy: how the owner has names read.
        seconds: of the processor's time, for all of them.
        crowded: whether there may be more works of its title than the candidates.
    """
    runtime = None if work is None else work.runtime_minutes
    weighed: list[tuple[Candidate, Identity]] = []
    budget = Budget(seconds)
    for offer in _in_turns(offers):
        if not budget.left:
            break
        found = dated(offer, now)
        owned = owned_name(found.title, identity_policy.words)
        name = owned.name
        identity = owned_identity(
            owned, found.external_ids, candidates, identity_policy, crowded=crowded
        )
        judgement = judge(
            found,
            name,
            identity,
            policy,
            runtime_minutes=runtime,
            now=now,
            around=around,
            by_hand=by_hand,
            within=budget,
            counting=owned_counting(identity.work, identity_policy),
        )
        priority = priorities.get(found.indexer, DEFAULT_PRIORITY)
        weighed.append((Candidate(found, name, judgement, priority), identity))
    identities = {id(candidate): identity for candidate, identity in weighed}
    ranked = rank([candidate for candidate, _ in weighed])
    in_order = [_judged(each.candidate, identities[id(each.candidate)], work) for each in ranked]
    # A stable sort: only what is another work moves behind what is taken.
    in_order.sort(key=lambda each: not each.accepted)
    return [replace(each, rank=place) for place, each in enumerate(in_order, start=1)]


def _in_turns(offers: Sequence[Found]) -> list[Found]:
    """The first of every indexer, then the second of every one, and so on."""
    turns: defaultdict[str, int] = defaultdict(int)
    turn_of: list[int] = []
    for offer in offers:
        turn_of.append(turns[offer.indexer])
        turns[offer.indexer] += 1
    return [offers[at] for at in sorted(range(len(offers)), key=turn_of.__getitem__)]


def _judged(candidate: Candidate, identity: Identity, work: Work | None) -> Judged:
    verdict = None if work is None else verdict_for(work, identity)
    reasons = [
        (reason.rule.value, reason.sentence)
        for reason in candidate.judgement.reasons
        if reason.rejects or candidate.judgement.accepted
    ]
    if work is not None and verdict == "other":
        reasons.insert(0, ("identity", _other(work, identity)))
    return Judged(
        found=candidate.found,
        name=candidate.name,
        identity=identity,
        verdict=verdict,
        accepted=candidate.judgement.accepted and verdict != "other",
        rank=0,
        reasons=tuple(reasons),
        score=candidate.judgement.score,
        tier=candidate.judgement.tier,
    )


def _other(work: Work, identity: Identity) -> str:
    if identity.work is None:
        against = [one.sentence for one in identity.speaks_against(work.key)]
        return against[0] if against else "nothing in the name points at this work"
    return f"it is {titled(identity.work.title, identity.work.year)}, another work"
