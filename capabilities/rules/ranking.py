"""The order in which acceptable releases are taken, total and explained."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log10
from typing import Final, NamedTuple

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


class _Key(NamedTuple):
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


_CRITERIA: Final = tuple(Criterion)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate at its place; why it is there is worked out when it is asked for.

    Attributes:
        place: 1 is taken first.
        before: the candidate that it is behind, None for the first.
    """

    candidate: Candidate
    place: int
    before: Candidate | None
    _key: _Key
    _key_before: _Key | None

    @property
    def behind(self) -> Criterion | None:
        """The criterion that put it behind the one before, None for the first."""
        return None if self._key_before is None else _difference(self._key_before, self._key)

    @property
    def sentence(self) -> str:
        """Why it is at its place, for a person."""
        if (behind := self.behind) is None or self.before is None:
            return "nothing ranks before it"
        return f"{behind}: {_said(self.candidate, behind)}, behind {_said(self.before, behind)}"


def rank(judged: Sequence[Candidate]) -> tuple[Ranked, ...]:
    """Order candidates, the first to take first, rejected ones last.

    Tier, score, proper or repack, indexer priority, peers, closeness to the preferred size (the
    largest where none is preferred), age, and at last the offer's own identity decide, so that the
    order never depends on the input's.
    """
    keys = [_key(one) for one in judged]
    _tell_twins_apart(keys, judged)
    order = sorted(range(len(judged)), key=keys.__getitem__)
    ranked: list[Ranked] = []
    before, key_before = None, None
    for place, at in enumerate(order, start=1):
        one, key = judged[at], keys[at]
        ranked.append(Ranked(one, place, before, key, key_before))
        before, key_before = one, key
    return tuple(ranked)


def _key(one: Candidate) -> _Key:
    found, judgement = one.found, one.judgement
    return _Key(
        not judgement.accepted,
        _LAST if judgement.place is None else judgement.place,
        -judgement.score,
        -_revision(one),
        one.priority,
        (-_magnitude(found.seeders), -_magnitude(found.peers)),
        _distance(found.size, judgement.preferred_size),
        -found.published.timestamp() if found.published else 0.0,
        (found.guid, found.indexer, ""),
    )


def _tell_twins_apart(keys: list[_Key], judged: Sequence[Candidate]) -> None:
    """Write everything that an indexer said into the keys of what else would be alike."""
    seen: dict[_Key, int] = {}
    for at, key in enumerate(keys):
        first = seen.setdefault(key, at)
        if first != at:
            for one in (first, at):
                whole = (*key.guid[:2], repr(judged[one].found))
                keys[one] = key._replace(guid=whole)


def _revision(one: Candidate) -> int:
    return one.name.version + one.name.real if one.judgement.prefers_propers else 0


def _magnitude(count: int | None) -> int:
    """Powers of ten, so that a few peers decide nothing; unknown stands between none and one."""
    if count is None:
        return 0
    return 1 + round(log10(count)) if count > 0 else -1


def _distance(size: int | None, preferred: int | None) -> int:
    """From the preferred size; where none is preferred, the largest comes first."""
    if size is None:
        return _LAST
    return -(size // _NEAR) if preferred is None else abs(size - preferred) // _NEAR


def _difference(before: _Key, key: _Key) -> Criterion:
    """The first criterion in which they differ; the last one where they do not."""
    pairs = zip(_CRITERIA, before, key, strict=True)
    return next((criterion for criterion, one, other in pairs if one != other), Criterion.GUID)


def _said(one: Candidate, criterion: Criterion) -> str:
    found, judgement = one.found, one.judgement
    said: dict[Criterion, object] = {
        Criterion.ACCEPTED: "accepted" if judgement.accepted else "refused",
        Criterion.TIER: judgement.tier or "no tier",
        Criterion.SCORE: judgement.score,
        Criterion.REVISION: f"revision {_revision(one)}",
        Criterion.PRIORITY: f"{found.indexer} at {one.priority}",
        Criterion.PEERS: f"{_known(found.seeders)} seeders and {_known(found.peers)} peers",
        Criterion.SIZE: f"{_known(found.size)} bytes",
        Criterion.AGE: found.published.isoformat() if found.published else "no date",
        Criterion.GUID: "the offer's own identity",
    }
    return str(said[criterion])


def _known(number: int | None) -> str:
    return "unknown" if number is None else str(number)
