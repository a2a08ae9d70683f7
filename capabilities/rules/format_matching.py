"""Whether a release has a custom format, and why: condition by condition."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from capabilities.rules.format_hits import hit
from capabilities.rules.formats import Condition, CustomFormat, Subject


class Match(StrEnum):
    """Whether a release has a format; a pattern that takes too long can leave it open."""

    YES = "yes"
    NO = "no"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Tried:
    """One condition, tried.

    Attributes:
        holds: with its negation taken into account.
        token: the word or value it hit, None where it hit nothing.
        undecided: it took too long; then it does not hold, negated or not.
    """

    condition: Condition
    holds: bool
    token: str | None
    undecided: bool = False


@dataclass(frozen=True, slots=True)
class Explained:
    """A format, tried on a release: each of its conditions, and what they come to."""

    custom: CustomFormat
    match: Match
    tried: tuple[Tried, ...]

    @property
    def matches(self) -> bool:
        """Whether the release has it for certain."""
        return self.match is Match.YES

    @property
    def undecided(self) -> bool:
        """Whether a condition that took too long leaves it open."""
        return self.match is Match.UNDECIDED


@dataclass(frozen=True, slots=True)
class Scored:
    """A format that counts for a release.

    Attributes:
        undecided: nobody knows whether it has it; it counts, because it is worth less than 0.
    """

    custom: CustomFormat
    undecided: bool = False


def explain(custom: CustomFormat, subject: Subject) -> Explained:
    """Try every condition of a format, those too that no longer matter."""
    tried = tuple(_tried(condition, subject) for condition in custom.conditions)
    return Explained(custom, _combined(tried), tried)


def match(custom: CustomFormat, subject: Subject) -> Match:
    """Whether the release has the format."""
    tried: list[Tried] = []
    for condition in sorted(custom.conditions, key=lambda one: not one.required):
        one = _tried(condition, subject)
        if condition.required and not one.holds and not one.undecided:
            return Match.NO
        tried.append(one)
    return _combined(tried)


def matches(custom: CustomFormat, subject: Subject) -> bool:
    """Whether the release has the format for certain."""
    return match(custom, subject) is Match.YES


@dataclass(frozen=True, slots=True)
class FormatVerdict:
    """What the formats of a policy come to for a release.

    What is undecided counts against the release: a name that makes a pattern slow must not get rid
    of the format that would refuse it, nor earn one that would not be there.

    Attributes:
        counted: what makes up the score.
        passed_over: formats that nobody could decide about and that would be worth something.
    """

    counted: tuple[Scored, ...]
    passed_over: tuple[CustomFormat, ...]

    @property
    def score(self) -> int:
        """The sum of what counts."""
        return sum(one.custom.score for one in self.counted)


def judged(formats: Sequence[CustomFormat], subject: Subject) -> FormatVerdict:
    """Which of the formats count for a release."""
    counted: list[Scored] = []
    passed_over: list[CustomFormat] = []
    for custom in formats:
        found = match(custom, subject)
        if found is Match.YES:
            counted.append(Scored(custom))
        elif found is Match.UNDECIDED and custom.score < 0:
            counted.append(Scored(custom, undecided=True))
        elif found is Match.UNDECIDED:
            passed_over.append(custom)
    return FormatVerdict(tuple(counted), tuple(passed_over))


def _tried(condition: Condition, subject: Subject) -> Tried:
    try:
        token = hit(condition, subject)
    except TimeoutError:
        return Tried(condition, holds=False, token=None, undecided=True)
    return Tried(condition, (token is not None) is not condition.negate, token)


def _combined(tried: Sequence[Tried]) -> Match:
    """What holds either way is decided, whatever the undecided conditions would say."""
    if _all_kinds(tried, undecided_hold=False):
        return Match.YES
    return Match.UNDECIDED if _all_kinds(tried, undecided_hold=True) else Match.NO


def _all_kinds(tried: Sequence[Tried], *, undecided_hold: bool) -> bool:
    """Of each kind: every required one holds, and at least one of them all."""
    for kind in {one.condition.kind for one in tried}:
        of_kind = [
            (one.condition.required, one.holds or (one.undecided and undecided_hold))
            for one in tried
            if one.condition.kind is kind
        ]
        if not any(holds for _, holds in of_kind):
            return False
        if not all(holds for required, holds in of_kind if required):
            return False
    return bool(tried)
