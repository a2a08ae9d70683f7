"""Which candidates an answer shows: those to take and those that wait before all others."""

from collections.abc import Mapping, Sequence

from capabilities.release.candidate_facts import (
    CandidateFacts,
    TakeFacts,
    candidate_facts,
    fitting,
)
from capabilities.release.choice import Selection
from capabilities.release.choice_facts import target_facts
from capabilities.release.judging import Judged


def to_show(ranked: Sequence[Judged], made: Selection | None, most: int) -> list[Judged]:
    """As many as are to be shown, by weight: what is taken, what waits, then the others by rank.

    Args:
        ranked: the best first.
        made: the choice, where there is one.
        most: how many.
    """
    return sorted(ranked, key=lambda each: _weight(each.rank, made))[:most]


def shown_facts(
    kept: Sequence[Judged], made: Selection | None, references: Mapping[int, str]
) -> list[CandidateFacts]:
    """The facts of as many of them as an answer holds, by rank.

    Args:
        kept: as `to_show` made them.
        made: the choice, where there is one.
        references: of each, by its rank.
    """
    facts = fitting([_facts(each, made, references[each.rank]) for each in kept])
    return sorted(facts, key=lambda each: each.rank)


def _weight(rank: int, made: Selection | None) -> int:
    if made is None or rank in made.taken:
        return 0
    return 1 if rank in made.waiting else 2


def _facts(each: Judged, made: Selection | None, reference: str) -> CandidateFacts:
    if made is None:
        return candidate_facts(each, reference)
    take, chosen = None, made.taken.get(each.rank)
    if chosen is not None:
        targets = target_facts(chosen.targets, made.wholes)
        take = TakeFacts(targets=targets, sentence=chosen.sentence)
    return candidate_facts(each, reference, take=take, passed_over=made.passed.get(each.rank))
