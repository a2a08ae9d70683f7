"""Mixes of packs and singles of one quality: which of them brings most, at the best score."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from capabilities.rules.ranking import Candidate
from capabilities.rules.targets import Target

OVERHEAD: Final = 200_000_000
"""Bytes that one more download is worth: a pack is taken before as many singles of its size."""
_UNKNOWN_SIZE: Final = 2_000_000_000
"""Bytes taken for one target of a release whose size nobody says."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A release, and what it would be taken for.

    Attributes:
        share: what of it is missing.
        fetched: bytes, None where nobody says its size.
        at: its place in the order of rank.
    """

    candidate: Candidate
    share: frozenset[Target]
    fetched: int | None
    at: int

    @property
    def targets(self) -> frozenset[Target]:
        """Everything that it is for."""
        return self.candidate.judgement.targets

    @property
    def score(self) -> int:
        """Of its formats."""
        return self.candidate.judgement.score

    @property
    def cost(self) -> int:
        """Bytes, with the little that every download costs; never told to anybody."""
        size = _UNKNOWN_SIZE * len(self.share) if self.fetched is None else self.fetched
        return OVERHEAD + size

    @property
    def cost_of_each(self) -> float:
        """The cost for each of its share."""
        return self.cost / len(self.share)


def best_mix(
    offers: Sequence[Candidate],
    missing: frozenset[Target],
    *,
    held: Collection[Target] = (),
    whole_only: Collection[str] = (),
) -> list[Pick]:
    """What to take of releases of one tier, so that no two of them are for one target.

    Of those for the same targets only the first counts. Of mixes that overlap, the one that covers
    most is taken, then the one of the highest score over all that it covers, then the cheapest.

    Args:
        offers: by rank, the best first.
        missing: what they may be taken for.
        held: what is not fetched of a pack.
        whole_only: indexers that do not suffer a torrent of which only some files are fetched.
    """
    first: dict[frozenset[Target], Pick] = {}
    for at, one in enumerate(offers):
        targets = one.judgement.targets
        share = targets & missing
        if share and targets not in first:
            in_part = one.name.is_season_pack and one.found.indexer not in whole_only
            wanted = targets.difference(held) if in_part else targets
            first[targets] = Pick(one, share, _fetched(one, wanted), at)
    return [pick for group in _overlapping(list(first.values())) for pick in _best(group)]


def _fetched(one: Candidate, wanted: frozenset[Target]) -> int | None:
    size = one.found.size
    return None if size is None else size * len(wanted) // len(one.judgement.targets)


def _overlapping(picks: Sequence[Pick]) -> list[list[Pick]]:
    """The picks in groups: what is in two of them has no target in common."""
    parent: dict[Target, Target] = {}

    def root(target: Target) -> Target:
        while parent[target] != target:
            parent[target] = parent[parent[target]]
            target = parent[target]
        return target

    for pick in picks:
        for target in pick.targets:
            parent.setdefault(target, target)
        some = min(pick.targets)
        for target in pick.targets:
            parent[root(target)] = root(some)
    groups: defaultdict[Target, list[Pick]] = defaultdict(list)
    for pick in picks:
        groups[root(min(pick.targets))].append(pick)
    return list(groups.values())


def _best(group: Sequence[Pick]) -> list[Pick]:
    mixes = [
        _without_overlap(sorted(filter(fits, group), key=order))
        for fits in (_any, _is_pack, _is_single)
        for order in (_cheapest, _largest, _highest, _earliest)
    ]
    return min(mixes, key=_worth)


def _without_overlap(picks: Sequence[Pick]) -> list[Pick]:
    mix, busy = list[Pick](), set[Target]()
    for pick in picks:
        if busy.isdisjoint(pick.targets):
            mix.append(pick)
            busy |= pick.targets
    return mix


def _worth(mix: Sequence[Pick]) -> tuple[int, int, int, int]:
    """The least is the best."""
    return (
        -sum(len(pick.share) for pick in mix),
        -sum(len(pick.share) * pick.score for pick in mix),
        sum(pick.cost for pick in mix),
        len(mix),
    )


def _any(pick: Pick) -> bool:
    del pick
    return True


def _is_pack(pick: Pick) -> bool:
    return pick.candidate.name.is_season_pack


def _is_single(pick: Pick) -> bool:
    return not _is_pack(pick)


def _cheapest(pick: Pick) -> tuple[float, float, int]:
    return (0, pick.cost_of_each, pick.at)


def _largest(pick: Pick) -> tuple[float, float, int]:
    return (-len(pick.share), 0, pick.at)


def _highest(pick: Pick) -> tuple[float, float, int]:
    return (-pick.score, pick.cost_of_each, pick.at)


def _earliest(pick: Pick) -> tuple[float, float, int]:
    """What ends first leaves the most room, as in the scheduling of intervals."""
    return (*max(pick.targets), pick.at)
