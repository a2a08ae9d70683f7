"""Whether custom formats can be had by anything, and what their scores can reach."""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from capabilities.rules.formats import (
    PATTERNS,
    RANGES,
    Condition,
    ConditionKind,
    CustomFormat,
    IndexerFlag,
    Modifier,
    ReleaseType,
)
from capabilities.rules.names.vocabulary import (
    AudioCodec,
    DynamicRange,
    Edition,
    Resolution,
    Source,
    VideoCodec,
)
from capabilities.rules.patterns import Examiner, too_many, unreadable
from capabilities.rules.problems import Problem
from capabilities.rules.satisfiable_numbers import MOST_SCORE, within
from capabilities.rules.words import words_of

_VOCABULARY: Final[dict[ConditionKind, type[StrEnum]]] = {
    ConditionKind.RESOLUTION: Resolution,
    ConditionKind.SOURCE: Source,
    ConditionKind.VIDEO_CODEC: VideoCodec,
    ConditionKind.DYNAMIC_RANGE: DynamicRange,
    ConditionKind.AUDIO: AudioCodec,
    ConditionKind.EDITION: Edition,
    ConditionKind.MODIFIER: Modifier,
    ConditionKind.INDEXER_FLAG: IndexerFlag,
    ConditionKind.RELEASE_TYPE: ReleaseType,
}
_SINGLE_KINDS: Final = frozenset(
    {
        ConditionKind.RESOLUTION,
        ConditionKind.SOURCE,
        ConditionKind.VIDEO_CODEC,
        ConditionKind.GROUP,
        ConditionKind.MODIFIER,
        ConditionKind.RELEASE_TYPE,
    }
)


def format_problems(formats: Sequence[CustomFormat], least_score: int | None) -> Iterator[Problem]:
    """Formats that something can have, and a least score that they can reach."""
    for place, custom in enumerate(formats):
        field = f"formats.{place}"
        if not custom.name or not custom.conditions:
            why = f'format "{custom.name}" lacks a name or a condition'
            yield Problem(field, why, "give it both, or take it out")
        yield from within(f"{field}.score", custom.score, -MOST_SCORE, MOST_SCORE)
        for condition in custom.conditions:
            yield from _condition(field, custom, condition)
        yield from _together(field, custom)
    for name, count in Counter(custom.name for custom in formats).items():
        if count > 1:
            yield Problem("formats", f'two formats are named "{name}"', "give each its own name")
    if least_score is not None and least_score > (reach := reachable(formats)):
        why = f"a score of {least_score} is required, the formats reach {reach}"
        yield Problem("least_score", why, f"lower it to {reach}, or score a format higher")


def slow_patterns(formats: Sequence[CustomFormat]) -> Iterator[Problem]:
    """Expressions that are too many, or take too long on some names; asked before one is saved."""
    if (many := too_many(_patterns(formats))) is not None:
        cure = "take formats out, or lists of names out of their expressions"
        yield Problem("formats", many, cure)
        return
    examiner = Examiner()
    for place, custom in enumerate(formats):
        for condition in custom.conditions:
            if condition.kind not in PATTERNS:
                continue
            if (wrong := examiner.flaw(condition.value)) is not None:
                why = f'format "{custom.name}": {condition.kind} "{condition.value[:80]}": {wrong}'
                yield Problem(f"formats.{place}", why, "write it more simply, or take it out")


def _patterns(formats: Sequence[CustomFormat]) -> list[str]:
    held = (one for custom in formats for one in custom.conditions)
    return [one.value for one in held if one.kind in PATTERNS]


def reachable(formats: Sequence[CustomFormat]) -> int:
    """The highest score that a release with every good format has."""
    return sum(custom.score for custom in formats if custom.score > 0)


def _condition(field: str, custom: CustomFormat, condition: Condition) -> Iterator[Problem]:
    what = f'format "{custom.name}": {condition.kind} "{condition.value[:80]}"'
    vocabulary = _VOCABULARY.get(condition.kind)
    if vocabulary is not None:
        strange = set(condition.options) - set(vocabulary)
        if strange:
            known = ", ".join(vocabulary)
            yield Problem(field, f"{what} is nothing a name can say", f"choose among {known}")
    elif condition.kind in PATTERNS:
        if (wrong := unreadable(condition.value)) is not None:
            yield Problem(field, f"{what}: {wrong}", "correct the expression, or take it out")
    elif condition.kind in RANGES:
        if not _is_range(condition):
            yield Problem(field, f"{what} is no range", "write least..most, e.g. 2..8")
    elif not words_of(condition.value):
        yield Problem(field, f"{what} has no letters or digits; it hits nothing", "take it out")


def _is_range(condition: Condition) -> bool:
    try:
        least, most = condition.bounds
    except ValueError:
        return False
    return 0 <= least <= most


def _together(field: str, custom: CustomFormat) -> Iterator[Problem]:
    required = [one for one in custom.conditions if one.required]
    stated = {(one.kind, one.value, one.negate) for one in required}
    wanted: dict[ConditionKind, list[set[str]]] = {}
    for one in required:
        if (one.kind, one.value, not one.negate) in stated and not one.negate:
            why = f'format "{custom.name}" requires {one.value} and its absence'
            yield Problem(field, why, "take one of the two out")
        if not one.negate and one.kind in _SINGLE_KINDS:
            wanted.setdefault(one.kind, []).append(set(one.options))
    for kind, options in wanted.items():
        if not options[0].intersection(*options[1:]):
            why = f'format "{custom.name}" requires two values of {kind} at once'
            yield Problem(field, why, "keep one of them, or make them optional")
