"""Custom formats: named conditions on a release, and the score they are worth.

The way conditions combine is the one of Radarr's and Sonarr's custom formats, so that a guide's
formats keep their meaning: kinds are joined by "and", conditions of one kind by "or", and a
required condition must hold in any case.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from capabilities.rules.names.release import ReleaseName
from capabilities.rules.words import contains


class ConditionKind(StrEnum):
    """What a condition looks at."""

    WORDS = "words"
    RESOLUTION = "resolution"
    SOURCE = "source"
    VIDEO_CODEC = "video_codec"
    DYNAMIC_RANGE = "dynamic_range"
    AUDIO = "audio"
    LANGUAGE = "language"
    EDITION = "edition"
    GROUP = "group"


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing a release must, or must not, say; ``value`` is in the vocabulary's spelling."""

    kind: ConditionKind
    value: str
    negate: bool = False
    required: bool = False


@dataclass(frozen=True, slots=True)
class CustomFormat:
    """A name for a set of conditions, and what a match adds to the score."""

    name: str
    conditions: tuple[Condition, ...]
    score: int


def matches(custom: CustomFormat, name: ReleaseName, words: Sequence[str]) -> bool:
    """Whether the release has the format; ``words`` are those of its name."""
    kinds = {condition.kind for condition in custom.conditions}
    return all(_kind_holds(custom, kind, name, words) for kind in kinds)


def _kind_holds(
    custom: CustomFormat, kind: ConditionKind, name: ReleaseName, words: Sequence[str]
) -> bool:
    outcomes = [
        (condition.required, holds(condition, name, words))
        for condition in custom.conditions
        if condition.kind is kind
    ]
    optional = [outcome for required, outcome in outcomes if not required]
    return all(outcome for required, outcome in outcomes if required) and (
        not optional or any(optional)
    )


def holds(condition: Condition, name: ReleaseName, words: Sequence[str]) -> bool:
    """Whether one condition holds."""
    if condition.kind is ConditionKind.WORDS:
        found = contains(words, condition.value)
    else:
        found = condition.value.casefold() in _values(name, condition.kind)
    return found is not condition.negate


def _values(name: ReleaseName, kind: ConditionKind) -> frozenset[str]:
    said: dict[ConditionKind, tuple[str | None, ...]] = {
        ConditionKind.RESOLUTION: (name.resolution,),
        ConditionKind.SOURCE: (name.source,),
        ConditionKind.VIDEO_CODEC: (name.video_codec,),
        ConditionKind.DYNAMIC_RANGE: name.dynamic_ranges,
        ConditionKind.AUDIO: name.audio,
        ConditionKind.LANGUAGE: name.languages,
        ConditionKind.EDITION: name.editions,
        ConditionKind.GROUP: (name.group,),
    }
    return frozenset(value.casefold() for value in said[kind] if value)
