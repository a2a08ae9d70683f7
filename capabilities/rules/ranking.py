"""The order in which acceptable releases are taken, total and explained."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import itemgetter
from typing import Final

from capabilities.rules.found import Found
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.verdicts import Judgement

DEFAULT_PRIORITY: Final = 25
"""Of an indexer; 1 is the best, 50 the last."""
_LAST: Final = 10**9
_NEAR: Final = 200_000_000
"""Bytes; sizes that differ from the preferred one by less are alike."""


class Criterion(StrEnum):
    """What two releases are compared by, the weightiest first."""

    ACCEPTED = "accepted"
    TIER = "tier"
    SCORE = "score"
    REVISION = "revision"
    PRIORITY = "priority"
    PEERS = "peers"
    SIZE = "size"
    AGE = "age"
    GUID = "guid"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A judged offer.

    Attributes:
        priority: of its indexer or site; the lower, the earlier.
    """

    found: Found
    name: ReleaseName
    judgement: Judgement
    priority: int = DEFAULT_PRIORITY


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate at its place.

    Attributes:
        place: 1 is taken first.
        behind: the criterion that put it behind the one before, None for the first.
        sentence: the same for a person.
    """

    candidate: Candidate
    place: int
    behind: Criterion | None
    sentence: str


@dataclass(frozen=True, slots=True, order=True)
class _Key:
    """One field per criterion, in their order; the least is taken first."""

    accepted: bool
    tier: int
    score: int
    revision: int
    priority: int
    peers: tuple[int, int]
    size: int
    age: float
    guid: tuple[str, str, str]


def rank(judged: Sequence[Candidate]) -> tuple[Ranked, ...]:
    """Order candidates, the first to take first, rejected ones last.

    Tier, score, proper or repack, indexer priority, peers, closeness to the preferred size, age,
    and at last the offer's own identity decide, so that the order never depends on the input's.
    """
    keyed = sorted(((_key(one), one) for one in judged), key=itemgetter(0))
    ranked: list[Ranked] = []
    for at, (key, candidate) in enumerate(keyed):
        if not at:
            ranked.append(Ranked(candidate, 1, None, "nothing ranks before it"))
            continue
        before_key, before = keyed[at - 1]
        behind = _difference(before_key, key)
        sentence = f"{behind}: {_said(candidate, behind)}, behind {_said(before, behind)}"
        ranked.append(Ranked(candidate, at + 1, behind, sentence))
    return tuple(ranked)


def _key(one: Candidate) -> _Key:
    found, judgement = one.found, one.judgement
    return _Key(
        accepted=not judgement.accepted,
        tier=_LAST if judgement.place is None else judgement.place,
        score=-judgement.score,
        revision=-_revision(one.name),
        priority=one.priority,
        peers=(-_magnitude(found.seeders), -_magnitude(found.peers)),
        size=_distance(found.size, judgement.preferred_size),
        age=-found.published.timestamp() if found.published else 0.0,
        guid=(found.guid, found.indexer, repr(found)),
    )


def _revision(name: ReleaseName) -> int:
    return name.version + name.real


def _magnitude(count: int | None) -> int:
    """Powers of two, so that a few peers decide nothing; unknown stands between none and one."""
    if count is None:
        return 0
    return count.bit_length() or -1


def _distance(size: int | None, preferred: int | None) -> int:
    if preferred is None:
        return 0
    return _LAST if size is None else abs(size - preferred) // _NEAR


def _difference(before: _Key, key: _Key) -> Criterion:
    """The first criterion in which they differ; the last one where they do not."""
    differing = (one for one in Criterion if getattr(before, one) != getattr(key, one))
    return next(differing, Criterion.GUID)


def _said(one: Candidate, criterion: Criterion) -> str:
    found, judgement = one.found, one.judgement
    said: dict[Criterion, object] = {
        Criterion.ACCEPTED: "accepted" if judgement.accepted else "refused",
        Criterion.TIER: judgement.tier or "no tier",
        Criterion.SCORE: judgement.score,
        Criterion.REVISION: f"revision {_revision(one.name)}",
        Criterion.PRIORITY: f"{found.indexer} at {one.priority}",
        Criterion.PEERS: f"{_known(found.seeders)} seeders and {_known(found.peers)} peers",
        Criterion.SIZE: f"{_known(found.size)} bytes",
        Criterion.AGE: found.published.isoformat() if found.published else "no date",
        Criterion.GUID: "the offer's own identity",
    }
    return str(said[criterion])


def _known(number: int | None) -> str:
    return "unknown" if number is None else str(number)
