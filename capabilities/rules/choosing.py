"""Which releases to take for what is missing: packs or singles, and never two for one target."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from capabilities.rules.mixes import Pick, best_mix
from capabilities.rules.pending import undelayed, waits_until
from capabilities.rules.ranking import Candidate, Ranked, rank
from capabilities.rules.reasons import Rule
from capabilities.rules.target_names import THE_FILM, target_names
from capabilities.rules.targets import Target

NAMED: Final = 4
"""Runs of episodes that a sentence names before it counts."""
_BETTER_THAN: Final = frozenset({Rule.HELD, Rule.IN_FLIGHT})
"""Rules that note of an accepted release that it is better than the copy they know."""
_GIGABYTE: Final = 10**9


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


def choose(
    ranked: Sequence[Ranked],
    missing: Collection[Target],
    *,
    held: Collection[Target] = (),
    coming: Collection[Target] = (),
    whole_only: Collection[str] = (),
) -> Choice:
    """Choose from ranked candidates for what is missing.

    For every target the best tier that has it counts, and of releases for the same targets the
    first in rank. Between packs and singles of one tier that covers most counts, then the score,
    then the cost: bytes that are fetched, and a little for each download. What overlaps with
    something that is on its way, or is taken, is left until that has come: no plan allows both.

    Args:
        ranked: best first; rejected ones are never taken.
        missing: without what is held and what is on its way.
        held: what stands on the shelf; it is not fetched with the rest of a pack.
        coming: what is on its way.
        whole_only: indexers that do not suffer a torrent of which only some files are fetched.
    """
    offers = [one.candidate for one in ranked if one.candidate.judgement.accepted]
    taken: list[Pick] = []
    busy, left = set(coming), frozenset(missing)
    for place in sorted({_place(one) for one in offers}):
        able = [
            one for one in offers if _place(one) == place and busy.isdisjoint(one.judgement.targets)
        ]
        for pick in best_mix(able, left, held=held, whole_only=whole_only):
            taken.append(pick)
            busy |= pick.targets
            left -= pick.share
    chosen = tuple(Chosen(one.candidate, one.share, _brings(one)) for one in taken)
    passed = tuple(_passed(offers, chosen, frozenset(missing), frozenset(coming)))
    return Choice(chosen, left, passed)


def waiting(
    ranked: Sequence[Ranked],
    uncovered: Collection[Target],
    *,
    held: Collection[Target] = (),
    coming: Collection[Target] = (),
    whole_only: Collection[str] = (),
) -> tuple[Waiting, ...]:
    """What will be taken for the targets that nothing is taken for, by what is known now.

    The arguments are those of `choose`; what is taken now is among what is on its way.
    """
    originals: dict[int, tuple[Candidate, datetime]] = {}
    lifted: list[Candidate] = []
    for one in (each.candidate for each in ranked):
        until = waits_until(one.judgement)
        if until is not None:
            lifted.append(replace(one, judgement=undelayed(one.judgement)))
            originals[id(lifted[-1])] = (one, until)
    made = choose(rank(lifted), uncovered, held=held, coming=coming, whole_only=whole_only)
    told = ((*originals[id(one.candidate)], one.targets) for one in made.chosen)
    return tuple(Waiting(one, targets, until) for one, until, targets in told)


def _brings(pick: Pick) -> str:
    size, fetched = pick.candidate.found.size, pick.fetched
    said = f"brings {_told(pick.share)}"
    if size is None or fetched is None:
        return f"{said}; nobody says its size"
    if fetched < size:
        return f"{said}: about {_gigabytes(fetched)} of its {_gigabytes(size)} GB"
    return f"{said}: {_gigabytes(size)} GB"


def _gigabytes(size: int) -> str:
    return f"{size / _GIGABYTE:.2f}"


def _passed(
    offers: Sequence[Candidate],
    taken: Sequence[Chosen],
    missing: frozenset[Target],
    coming: frozenset[Target],
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
            yield one, "; ".join(_instead(one, wanted, titles, coming))


def _instead(
    one: Candidate,
    wanted: frozenset[Target],
    titles: Mapping[Target, str],
    coming: frozenset[Target],
) -> Iterator[str]:
    """Where what it holds comes from, and what of it could be taken later."""
    on_its_way = one.judgement.targets & coming
    if on_its_way:
        yield f"{_told(on_its_way)} is on its way already"
    covered = wanted & titles.keys()
    if covered:
        by = sorted({titles[target] for target in covered})
        others = f" and {len(by) - 1} more" if len(by) > 1 else ""
        yield f"{_told(covered)} is taken from {by[0]}{others}"
    if wanted > covered:
        told = _told(wanted - covered)
        yield f"{told} can be taken from it when what it overlaps with has come"


def _place(one: Candidate) -> int:
    return one.judgement.place or 0


def _told(targets: Collection[Target]) -> str:
    named = target_names(targets)
    if named == (THE_FILM,):
        return "the film"
    shown = ", ".join(named[:NAMED])
    return f"{shown} and {len(named) - NAMED} more" if len(named) > NAMED else shown
