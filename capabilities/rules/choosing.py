"""Which releases to take for what is missing: packs or singles, and never two for one target."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from capabilities.rules.pending import undelayed, waits_until
from capabilities.rules.ranking import Candidate, Ranked, rank
from capabilities.rules.reasons import Rule
from capabilities.rules.target_names import THE_FILM, target_names
from capabilities.rules.targets import Target

OVERHEAD: Final = 200_000_000
"""Bytes that one more download is worth: a pack is taken before as many singles of its size."""
NAMED: Final = 4
"""Runs of episodes that a sentence names before it counts."""
_BETTER_THAN: Final = frozenset({Rule.HELD, Rule.IN_FLIGHT})
"""Rules that note of an accepted release that it is better than the copy they know."""
_UNKNOWN_SIZE: Final = 2_000_000_000
"""Bytes taken for one target of a release whose size nobody says."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """One release to be taken.

    Attributes:
        targets: what it is taken for; other files are not fetched, where that is allowed.
    """

    candidate: Candidate
    targets: frozenset[Target]
    sentence: str


@dataclass(frozen=True, slots=True)
class Choice:
    """What is taken and what is not.

    Attributes:
        uncovered: what is missing and in no release that is acceptable.
        passed: accepted releases that are not taken, with the reason, in the order of their rank.
    """

    chosen: tuple[Chosen, ...]
    uncovered: frozenset[Target]
    passed: tuple[tuple[Candidate, str], ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """The release that would be taken for some targets, if it had not to wait for better ones."""

    candidate: Candidate
    targets: frozenset[Target]
    until: datetime


Filter = Callable[[Candidate], bool]


def choose(
    ranked: Sequence[Ranked],
    missing: Collection[Target],
    *,
    whole_only: Collection[str] = (),
) -> Choice:
    """Choose from ranked candidates for what is missing.

    For every target the best tier that has it counts, and of releases for the same targets the
    first in rank. Of those a mix, packs alone and singles alone are worked out, and the one that
    covers most at the least cost is taken: bytes that are fetched, and a little for each download.

    Args:
        ranked: best first; rejected ones are never taken.
        missing: without what is held and what is on its way.
        whole_only: indexers that do not suffer a torrent of which only some files are fetched.
    """
    offers = [one.candidate for one in ranked if one.candidate.judgement.accepted]
    taken: list[Chosen] = []
    left = frozenset(missing)
    for place in sorted({_place(one) for one in offers}):
        of_tier = [one for one in offers if _place(one) == place]
        best = _best(of_tier, left, _covered(taken), frozenset(whole_only))
        taken += best
        left -= _covered(best)
    passed = tuple(_passed(offers, taken, frozenset(missing)))
    return Choice(tuple(taken), left, passed)


def waiting(
    ranked: Sequence[Ranked],
    uncovered: Collection[Target],
    *,
    whole_only: Collection[str] = (),
) -> tuple[Waiting, ...]:
    """What will be taken for the targets that nothing is taken for, by what is known now.

    The arguments are those of `choose`.
    """
    originals: dict[int, tuple[Candidate, datetime]] = {}
    lifted: list[Candidate] = []
    for one in (each.candidate for each in ranked):
        until = waits_until(one.judgement)
        if until is not None:
            lifted.append(replace(one, judgement=undelayed(one.judgement)))
            originals[id(lifted[-1])] = (one, until)
    made = choose(rank(lifted), uncovered, whole_only=whole_only)
    told = ((*originals[id(one.candidate)], one.targets) for one in made.chosen)
    return tuple(Waiting(one, targets, until) for one, until, targets in told)


def _best(
    offers: Sequence[Candidate],
    left: frozenset[Target],
    taken: frozenset[Target],
    whole_only: frozenset[str],
) -> list[Chosen]:
    filters: tuple[Filter, ...] = (_any, _is_pack, _is_single)
    first = _first_of_each(offers, whole_only)
    mixes = [
        _greedy([one for one in first if fits(one)], left, taken, whole_only) for fits in filters
    ]
    return min(
        mixes,
        key=lambda mix: (
            -len(_covered(mix)),
            sum(_cost(one.candidate, one.targets, whole_only) for one in mix),
            len(mix),
        ),
    )


def _first_of_each(offers: Sequence[Candidate], whole_only: frozenset[str]) -> list[Candidate]:
    """The best of those for the same targets; what is taken in part is no rival of what is not."""
    first: dict[tuple[frozenset[Target], bool], Candidate] = {}
    for one in offers:
        first.setdefault((one.judgement.targets, _selectable(one, whole_only)), one)
    return list(first.values())


def _selectable(one: Candidate, whole_only: frozenset[str]) -> bool:
    return one.name.is_season_pack and one.found.indexer not in whole_only


def _any(one: Candidate) -> bool:
    del one
    return True


def _is_pack(one: Candidate) -> bool:
    return one.name.is_season_pack


def _is_single(one: Candidate) -> bool:
    return not one.name.is_season_pack


def _greedy(
    offers: Sequence[Candidate],
    left: frozenset[Target],
    taken: frozenset[Target],
    whole_only: frozenset[str],
) -> list[Chosen]:
    """The cheapest for each target first; among equals the order of rank decides."""
    chosen: list[Chosen] = []
    while left:
        able = [
            (_cost(one, share, whole_only) / len(share), at)
            for at, one in enumerate(offers)
            if (share := _share(one, left, taken, whole_only))
        ]
        if not able:
            break
        cost, at = min(able)
        share = _share(offers[at], left, taken, whole_only)
        said = f"brings {_told(share)} at {cost / 1e9:.2f} GB each"
        chosen.append(Chosen(offers[at], share, said))
        left -= share
        taken |= share
    return chosen


def _share(
    one: Candidate, left: frozenset[Target], taken: frozenset[Target], whole_only: frozenset[str]
) -> frozenset[Target]:
    """What it would be taken for; nothing where it would bring what another one brings too."""
    targets = one.judgement.targets
    rivals = targets & taken and not _selectable(one, whole_only)
    return frozenset() if rivals else targets & left


def _cost(one: Candidate, share: frozenset[Target], whole_only: frozenset[str]) -> float:
    targets, size = one.judgement.targets, one.found.size
    whole = size if size is not None else _UNKNOWN_SIZE * len(targets)
    in_part = _selectable(one, whole_only)
    return OVERHEAD + (whole * len(share) / len(targets) if in_part else whole)


def _passed(
    offers: Sequence[Candidate], taken: Sequence[Chosen], missing: frozenset[Target]
) -> Iterator[tuple[Candidate, str]]:
    titles = {target: one.candidate.found.title for one in taken for target in one.targets}
    mine = {id(one.candidate) for one in taken}
    for one in offers:
        if id(one) in mine:
            continue
        wanted = one.judgement.targets & missing
        if not one.judgement.targets:
            yield one, "nobody knows which episodes it holds"
        elif not wanted:
            better = any(reason.rule in _BETTER_THAN for reason in one.judgement.reasons)
            more = "; it is better than what is there" if better else ""
            yield one, f"nothing of it is missing{more}"
        else:
            by = sorted({titles[target] for target in wanted if target in titles})
            yield one, f"{_told(wanted)} is taken from {by[0]}" if by else "it overlaps with others"


def _covered(chosen: Sequence[Chosen]) -> frozenset[Target]:
    return frozenset[Target]().union(*(one.targets for one in chosen))


def _place(one: Candidate) -> int:
    return one.judgement.place or 0


def _told(targets: Collection[Target]) -> str:
    named = target_names(targets)
    if named == (THE_FILM,):
        return "the film"
    shown = ", ".join(named[:NAMED])
    return f"{shown} and {len(named) - NAMED} more" if len(named) > NAMED else shown
