"""What is told of a choice: what is missing, what is taken for it, what waits."""

from collections.abc import Collection, Mapping
from typing import Final

from pydantic import BaseModel

from capabilities.release.choice import UNCERTAIN, Selection
from capabilities.rules.choosing import Waiting
from capabilities.rules.delaying import whole_minute
from capabilities.rules.missing import Missing
from capabilities.rules.outside_text import cleaned
from capabilities.rules.target_names import target_names
from capabilities.rules.targets import Target

NAMES_SHOWN: Final = 20
NAMES_SPOKEN: Final = 4
"""Of the targets, in the sentence of an answer."""
WAITING_SHOWN: Final = 8
REMARKS_SHOWN: Final = 4


class TargetFacts(BaseModel):
    """Films and episodes: how many, and their names in runs such as S01E01-E08, or S02."""

    count: int
    names: list[str]
    left_out: int


class MissingFacts(BaseModel):
    """What has aired and is neither on the shelf nor on its way.

    ``open``: more may still be missing later; ``remarks`` say why.
    """

    targets: TargetFacts
    open: bool
    remarks: list[str]
    remarks_left_out: int


class WaitingFacts(BaseModel):
    """A release that is taken for these at that time, unless a better one comes before."""

    release: str
    targets: TargetFacts
    until: str


class ChoiceFacts(BaseModel):
    """What the search is to bring home; candidates with ``take`` are what brings it.

    ``uncovered``: missing, and neither taken nor waiting. ``takes_left_out``: taken ones that this
    answer has no room for. ``uncertain``: acceptable ones that may be another work. ``unknown``:
    what was asked for and the metadata source of the work does not know.
    """

    missing: MissingFacts
    uncovered: TargetFacts
    waiting: list[WaitingFacts]
    waiting_left_out: int
    takes: int
    takes_left_out: int
    uncertain: int
    unknown: str | None = None


def target_facts(targets: Collection[Target], wholes: Mapping[int, int]) -> TargetFacts:
    """The targets, named as far as there is room; ``wholes`` as in `target_names`."""
    names = target_names(targets, wholes)
    return TargetFacts(
        count=len(targets),
        names=list(names[:NAMES_SHOWN]),
        left_out=max(len(names) - NAMES_SHOWN, 0),
    )


def choice_facts(
    made: Selection, references: Mapping[int, str], shown: Collection[int]
) -> ChoiceFacts:
    """The choice.

    Args:
        made: the choice.
        references: by rank, of the offers that are kept.
        shown: ranks of the candidates in the answer.
    """
    wholes = made.wholes
    kept = [(references[at], one) for at, one in made.waiting.items() if at in references]
    return ChoiceFacts(
        missing=_missing(made.missing, wholes),
        uncovered=target_facts(made.uncovered, wholes),
        waiting=[_waiting(name, one, wholes) for name, one in kept[:WAITING_SHOWN]],
        waiting_left_out=len(made.waiting) - len(kept[:WAITING_SHOWN]),
        takes=len(made.taken),
        takes_left_out=len(set(made.taken) - set(shown)),
        uncertain=sum(why == UNCERTAIN for why in made.passed.values()),
        unknown=made.unknown,
    )


def choice_sentence(facts: ChoiceFacts) -> str:
    """The choice in one or two sentences."""
    missing = facts.missing
    if facts.unknown is not None:
        return f"Nothing is known to be missing: {facts.unknown}."
    if not missing.targets.count:
        return " ".join(["Nothing of it is missing now.", *_because(missing)])
    told = [f"Missing: {_named(missing.targets)}."]
    if facts.takes:
        told.append(f"{facts.takes} to take, see take.")
    if facts.waiting or facts.waiting_left_out:
        many = len(facts.waiting) + facts.waiting_left_out
        told.append(f"{many} of the releases wait for better ones.")
    if facts.uncovered.count:
        told.append(f"Nothing to take for {_named(facts.uncovered)}.")
        if facts.uncertain:
            told.append(f"{facts.uncertain} may be another work; identity__resolve settles that.")
    return " ".join(told)


def _because(missing: MissingFacts) -> list[str]:
    return [f"More may come: {missing.remarks[0]}."] if missing.open and missing.remarks else []


def _named(targets: TargetFacts) -> str:
    named = ", ".join(targets.names[:NAMES_SPOKEN])
    return named if len(targets.names) <= NAMES_SPOKEN else f"{named} and more"


def _missing(made: Missing, wholes: Mapping[int, int]) -> MissingFacts:
    return MissingFacts(
        targets=target_facts(made.targets, wholes),
        open=made.open,
        remarks=[cleaned(one) for one in made.remarks[:REMARKS_SHOWN]],
        remarks_left_out=max(len(made.remarks) - REMARKS_SHOWN, 0),
    )


def _waiting(reference: str, one: Waiting, wholes: Mapping[int, int]) -> WaitingFacts:
    return WaitingFacts(
        release=reference,
        targets=target_facts(one.targets, wholes),
        until=whole_minute(one.until).isoformat(timespec="minutes"),
    )
