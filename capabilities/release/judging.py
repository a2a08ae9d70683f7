"""Judging what indexers offered for a work: identity, policy, rank."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from capabilities.rules.evidence import Identity
from capabilities.rules.found import Found
from capabilities.rules.identity import grade, verdict_for
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.policy import AcquisitionPolicy
from capabilities.rules.ranking import Candidate, rank
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
    now: datetime,
) -> list[Judged]:
    """Every offer, best first; what is another work or breaks a rule is last and says why."""
    runtime = None if work is None else work.runtime_minutes
    weighed: list[tuple[Candidate, Identity]] = []
    for found in offers:
        name = parse(found.title)
        identity = grade(name, found.external_ids, candidates)
        judgement = judge(found, name, identity, policy, runtime_minutes=runtime, now=now)
        weighed.append((Candidate(found, name, judgement), identity))
    identities = {id(candidate): identity for candidate, identity in weighed}
    ranked = rank([candidate for candidate, _ in weighed])
    return [
        _judged(each.candidate, identities[id(each.candidate)], work, each.place) for each in ranked
    ]


def _judged(candidate: Candidate, identity: Identity, work: Work | None, place: int) -> Judged:
    verdict = None if work is None else verdict_for(work, identity)
    reasons = [
        (reason.rule.value, reason.sentence)
        for reason in candidate.judgement.reasons
        if reason.rejects or candidate.judgement.accepted
    ]
    if verdict == "other":
        reasons.insert(0, ("identity", _other(identity)))
    return Judged(
        found=candidate.found,
        name=candidate.name,
        identity=identity,
        verdict=verdict,
        accepted=candidate.judgement.accepted and verdict != "other",
        rank=place,
        reasons=tuple(reasons),
        score=candidate.judgement.score,
    )


def _other(identity: Identity) -> str:
    if identity.work is None:
        return "nothing in the name points at this work"
    return f"it is {identity.work.title} ({identity.work.year}), another work"
