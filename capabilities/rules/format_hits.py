"""What a condition of a custom format hits in a release."""

from collections.abc import Callable, Iterable
from typing import Final

from capabilities.rules.formats import (
    ORIGINAL,
    Condition,
    ConditionKind,
    Modifier,
    ReleaseType,
    Subject,
)
from capabilities.rules.found import Found
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.vocabulary import Field, Source
from capabilities.rules.patterns import hit as hit_by
from capabilities.rules.promotions import promotion_flags
from capabilities.rules.words import contains

GIB: Final = 1024**3
_DISC_WORDS: Final = ("bdmv", "bdiso", "bd25", "bd50", "bd66", "bd100", "complete bluray",
                      "complete uhd bluray", "full bluray", "video_ts", "dvd5", "dvd9")  # fmt: skip
_RAW_WORDS: Final = ("rawhd", "raw hd")
_BESIDE_GERMAN: Final = ("german dl", "german ml")
"""What German releases say where the original language is on them too."""


def hit(condition: Condition, subject: Subject) -> str | None:
    """The word or value that the condition's value hits, whatever its negation; None for none.

    Raises:
        TimeoutError: a pattern took too long, so nobody knows.
    """
    return _LOOKS[condition.kind](condition, subject)


def _words(condition: Condition, subject: Subject) -> str | None:
    return next((one for one in condition.value.split("|") if contains(subject.words, one)), None)


def _pattern(condition: Condition, subject: Subject) -> str | None:
    return hit_by(condition.value, subject.name.text, subject.budget)


def _group_pattern(condition: Condition, subject: Subject) -> str | None:
    group = subject.name.group
    return None if group is None else hit_by(condition.value, group, subject.budget)


def _edition_pattern(condition: Condition, subject: Subject) -> str | None:
    edition = subject.name.said.get(Field.EDITION)
    if edition is None:
        return None
    return hit_by(condition.value, edition, subject.budget)


def _size(condition: Condition, subject: Subject) -> str | None:
    size = None if subject.found is None else subject.found.size
    if size is None:
        return None
    least, most = condition.bounds
    return f"{size / GIB:.2f} GiB" if least < size / GIB <= most else None


def _year(condition: Condition, subject: Subject) -> str | None:
    year = subject.name.year
    least, most = condition.bounds
    return str(year) if year is not None and least <= year <= most else None


def _language(condition: Condition, subject: Subject) -> str | None:
    """A name that says no language is in the original one; that of the work, where known."""
    spoken = set(subject.name.spoken)
    original = (subject.original_language or ORIGINAL).casefold()
    beside = any(contains(subject.words, one) for one in _BESIDE_GERMAN)
    if not spoken or "mul" in spoken or beside:
        spoken |= {original, ORIGINAL}
    elif original in spoken:
        spoken.add(ORIGINAL)
    return next((one for one in condition.options if one in spoken), None)


def _among(
    values: Callable[[Subject], Iterable[str | None]],
) -> Callable[[Condition, Subject], str | None]:
    def look(condition: Condition, subject: Subject) -> str | None:
        options = condition.options
        return next((one for one in values(subject) if one and one.casefold() in options), None)

    return look


def modifiers(subject: Subject) -> Iterable[Modifier]:
    """What sets the release apart within its source; `Modifier.NONE` where nothing does."""
    source = subject.name.source
    if source is Source.REMUX:
        yield Modifier.REMUX
    elif source is Source.SCREENER:
        yield Modifier.SCREENER
    elif source is Source.REGIONAL:
        yield Modifier.REGIONAL
    elif any(contains(subject.words, one) for one in _DISC_WORDS):
        yield Modifier.DISC
    elif any(contains(subject.words, one) for one in _RAW_WORDS):
        yield Modifier.RAW_HD
    else:
        yield Modifier.NONE


def flags(found: Found | None) -> Iterable[str]:
    """What the indexer says of the offer; what it does not say is none of them."""
    if found is None:
        return
    yield from found.flags
    yield from promotion_flags(found.download_factor, found.upload_factor)


def release_type(name: ReleaseName) -> ReleaseType | None:
    """How much of a series it holds; None where it says nothing of one."""
    if name.is_season_pack:
        return ReleaseType.PACK
    episodes = len(name.episodes) or len(name.absolute_episodes)
    if episodes > 1:
        return ReleaseType.MULTIPLE
    return ReleaseType.SINGLE if episodes or name.air_date else None


_LOOKS: Final[dict[ConditionKind, Callable[[Condition, Subject], str | None]]] = {
    ConditionKind.WORDS: _words,
    ConditionKind.PATTERN: _pattern,
    ConditionKind.GROUP_PATTERN: _group_pattern,
    ConditionKind.EDITION_PATTERN: _edition_pattern,
    ConditionKind.SIZE: _size,
    ConditionKind.YEAR: _year,
    ConditionKind.LANGUAGE: _language,
    ConditionKind.RESOLUTION: _among(lambda one: (one.name.resolution,)),
    ConditionKind.SOURCE: _among(lambda one: (one.name.source,)),
    ConditionKind.VIDEO_CODEC: _among(lambda one: (one.name.video_codec,)),
    ConditionKind.DYNAMIC_RANGE: _among(lambda one: one.name.dynamic_ranges),
    ConditionKind.AUDIO: _among(lambda one: one.name.audio),
    ConditionKind.EDITION: _among(lambda one: one.name.editions),
    ConditionKind.GROUP: _among(lambda one: (one.name.group,)),
    ConditionKind.MODIFIER: _among(modifiers),
    ConditionKind.INDEXER_FLAG: _among(lambda one: flags(one.found)),
    ConditionKind.RELEASE_TYPE: _among(lambda one: (release_type(one.name),)),
}
