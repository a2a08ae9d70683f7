"""Which release to take after one that failed: the best of those that the same search found."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from capabilities.rules.kept_judgement import objections
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.reasons import Rule
from capabilities.rules.targets import FILM, Target

MOST_IN_PLACE: Final = 3
"""Releases that are taken by themselves for one root cause; what comes after is the owner's."""
PASSING: Final = frozenset({Rule.IN_FLIGHT, Rule.DUPLICATE, Rule.DELAY})
"""What may have spoken against an offer only because the one that failed was on its way."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A release as it was kept by a search.

    Attributes:
        name: as its owner has names read.
        judgement: as `kept_judgement` made it; None where nobody judged it.
        known: whether it was identified as the work already.
    """

    id: str
    title: str
    name: ReleaseName
    info_hash: str | None
    judgement: Mapping[str, Any] | None
    known: bool


@dataclass(frozen=True, slots=True)
class Spent:
    """What is not taken again: everything that was fetched for this root cause.

    Attributes:
        releases: ids.
        hashes: in lower case, all that name those torrents.
    """

    releases: Collection[str]
    hashes: Collection[str]


def next_candidates(
    offers: Iterable[Offer],
    targets: Collection[Target],
    spent: Spent,
    grades: Collection[str],
    now: datetime,
) -> list[Offer]:
    """The offers worth trying, the best first; whoever plans one judges it anew.

    Args:
        offers: what is kept of the work.
        targets: what is missing since the other one failed.
        spent: what was tried.
        grades: of identity that the owner takes unasked.
        now: with its time zone.
    """
    ranked = [
        (_rank(one), one)
        for one in offers
        if one.id not in spent.releases
        and (one.info_hash is None or one.info_hash.lower() not in spent.hashes)
        and _may_hold(one.name, targets)
        and _is_acceptable(one, grades, now)
    ]
    return [one for _, one in sorted(ranked, key=lambda pair: pair[0])]


def _rank(one: Offer) -> int:
    return int((one.judgement or {}).get("rank", 1))


def _is_acceptable(one: Offer, grades: Collection[str], now: datetime) -> bool:
    kept = one.judgement
    if kept is None or kept.get("verdict") == "other":
        return False
    if not one.known and kept.get("grade") not in grades:
        return False
    return all(against.rule in PASSING for against in objections(kept, now, by_hand=False))


def _may_hold(name: ReleaseName, targets: Collection[Target]) -> bool:
    """Whether it may be for something that is missing, by the numbers that its name says."""
    if FILM in targets or not targets:
        return True
    return any(
        (not name.seasons or season in name.seasons)
        and (not name.episodes or episode in name.episodes)
        for season, episode in targets
    )
