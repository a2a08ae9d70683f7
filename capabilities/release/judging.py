"""Judging what indexers offered for a work: identity, policy, rank."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from capabilities.rules.evidence import Identity
from capabilities.rules.found import Found
from capabilities.rules.identity import grade, verdict_for
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.outside_text import titled
from capabilities.rules.policy import AcquisitionPolicy
from capabilities.rules.ranking import DEFAULT_PRIORITY, Candidate, rank
from capabilities.rules.verdicts import judge
from capabilities.rules.works import Work

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

    def stored(self, policy_version: int) -> dict[str, Any]:
        """As kept beside the release, for the plan that may follow."""
        return {
            "accepted": self.accepted,
            "verdict": self.verdict,
            "grade": self.identity.grade.value,
            "rank": self.rank,
            "score": self.score,
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
) -> list[Judged]:
    """Every offer, best first; what is another work or breaks a rule is last and says why.

    Args:
        offers: as the indexers made them.
        work: what was asked for, None where words were.
        candidates: every work that its title may mean.
        policy: what the owner takes.
        priorities: of the indexers, by name.
        now: with its time zone.
    """
    runtime = None if work is None else work.runtime_minutes
    weighed: list[tuple[Candidate, Identity]] = []
    for found in offers:
        name = parse(found.title)
        identity = grade(name, found.external_ids, candidates)
        judgement = judge(found, name, identity, policy, runtime_minutes=runtime, now=now)
        priority = priorities.get(found.indexer, DEFAULT_PRIORITY)
        weighed.append((Candidate(found, name, judgement, priority), identity))
    identities = {id(candidate): identity for candidate, identity in weighed}
    ranked = rank([candidate for candidate, _ in weighed])
    in_order = [_judged(each.candidate, identities[id(each.candidate)], work) for each in ranked]
    # A stable sort: only what is another work moves behind what is taken.
    in_order.sort(key=lambda each: not each.accepted)
    return [replace(each, rank=place) for place, each in enumerate(in_order, start=1)]


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
    )


def _other(work: Work, identity: Identity) -> str:
    if identity.work is None:
        against = [one.sentence for one in identity.speaks_against(work.key)]
        return against[0] if against else "nothing in the name points at this work"
    return f"it is {titled(identity.work.title, identity.work.year)}, another work"
