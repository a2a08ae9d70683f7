"""The last pass: spans into one release name."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.sequences import numbers_of
from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables.rows import Fact, Strength
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import (
    AudioCodec,
    Container,
    DynamicRange,
    Edition,
    Field,
    Resolution,
    Source,
    VideoCodec,
)
from capabilities.rules.works import WorkKind

_BROADCAST: Final = Fact(Field.SOURCE, Source.TV)
_STRUCTURE: Final = (Field.SEASON, Field.EPISODE, Field.ABSOLUTE, Field.AIR_DATE)
Values = dict[Field, list[str]]


@dataclass(frozen=True, slots=True)
class Words:
    """What the passes found.

    Attributes:
        text: the name as it was given, cut to the parser's limit.
        body: the cleaned name without its suffix, of which the tokens are cut.
    """

    text: str
    body: str
    tokens: Sequence[Token]
    spans: Sequence[Span]
    titles: tuple[str, ...]
    episode_title: str | None
    group: str | None
    website: str | None
    part: int | None


def collect(words: Words, container: Container | None) -> ReleaseName:
    """Put the facts of all spans into their fields; the first of two rival facts holds."""
    values, said = _gathered(words.body, words.tokens, words.spans)
    named = _named(words, values, said)
    return _picture_and_sound(named, values, container or _container(values))


def _named(words: Words, values: Values, said: dict[Field, str]) -> ReleaseName:
    """What the name says of the work, and of who released it."""
    revisions = values.get(Field.REVISION, [])
    date_said, year = _first(values, Field.AIR_DATE), _first(values, Field.YEAR)
    return ReleaseName(
        text=words.text,
        title=words.titles[0] if words.titles else "",
        alternative_titles=words.titles[1:],
        kind=_kind(values),
        year=int(year) if year else None,
        country=_first(values, Field.COUNTRY),
        seasons=_numbers(values, Field.SEASON),
        episodes=_numbers(values, Field.EPISODE) or _counted(values),
        absolute_episodes=_absolutes(values),
        part=words.part,
        air_date=date.fromisoformat(date_said) if date_said else None,
        air_date_readings=tuple(map(date.fromisoformat, values.get(Field.DATE_READING, []))),
        episode_title=words.episode_title,
        complete=Field.COMPLETE in values,
        extra=_first(values, Field.EXTRA),
        editions=tuple(map(Edition, _unique(values, Field.EDITION))),
        proper=any(one.startswith("proper") for one in revisions),
        repack=any(one.startswith("repack") for one in revisions),
        real=revisions.count("real"),
        version=_version(revisions),
        group=words.group,
        network=_first(values, Field.NETWORK),
        website=words.website,
        checksum=_first(values, Field.CHECKSUM),
        external_ids=dict(one.split(":", 1) for one in values.get(Field.EXTERNAL_ID, [])),
        said=said,
    )


def _picture_and_sound(
    name: ReleaseName, values: Values, container: Container | None
) -> ReleaseName:
    resolution, codec = _first(values, Field.RESOLUTION), _first(values, Field.VIDEO_CODEC)
    depth = _first(values, Field.BIT_DEPTH)
    return replace(
        name,
        container=container,
        resolution=Resolution(resolution) if resolution else None,
        source=_source(values.get(Field.SOURCE, [])),
        video_codec=VideoCodec(codec) if codec else None,
        bit_depth=int(depth) if depth else None,
        dynamic_ranges=tuple(map(DynamicRange, _unique(values, Field.DYNAMIC_RANGE))),
        three_d=Field.THREE_D in values,
        audio=tuple(map(AudioCodec, _unique(values, Field.AUDIO))),
        channels=_first(values, Field.CHANNELS),
        dubbed=Field.DUBBED in values,
        languages=_unique(values, Field.LANGUAGE),
        original_language=Field.ORIGINAL in values,
        subtitle_languages=_unique(values, Field.SUBTITLE),
        hardcoded_subtitles=Field.HARDCODED in values,
    )


def _gathered(
    text: str, tokens: Sequence[Token], spans: Sequence[Span]
) -> tuple[Values, dict[Field, str]]:
    values: Values = {}
    said: dict[Field, str] = {}
    for one in sorted(spans, key=_unsure):
        words = text[tokens[one.start].start : tokens[one.end - 1].end]
        for fact in one.facts:
            values.setdefault(fact.field, []).append(fact.value)
            said.setdefault(fact.field, words)
    return values, said


def _unsure(one: Span) -> bool:
    """Whether a span is a bare "TV", which any other word on the source overrules."""
    return one.strength is not Strength.STRONG and _BROADCAST in one.facts


def _container(values: Values) -> Container | None:
    named = _first(values, Field.CONTAINER)
    return Container(named) if named else None


def _first(values: Values, field: Field) -> str | None:
    found = values.get(field)
    return found[0] if found else None


def _unique(values: Values, field: Field) -> tuple[str, ...]:
    found = values.get(field)
    return tuple(dict.fromkeys(found)) if found else ()


def _numbers(values: Values, field: Field) -> tuple[int, ...]:
    found = values.get(field)
    return numbers_of(found) if found else ()


def _counted(values: Values) -> tuple[int, ...]:
    """All episodes of a name that says nothing but how many they are; a season is a whole one."""
    count = _first(values, Field.EPISODE_COUNT)
    counted = count and not any(field in values for field in _STRUCTURE)
    return tuple(range(1, int(count) + 1)) if count and counted else ()


def _absolutes(values: Values) -> tuple[float, ...]:
    found = {float(one) for one in values.get(Field.ABSOLUTE, ())}
    return tuple(int(one) if one.is_integer() else one for one in sorted(found))


def _kind(values: Values) -> WorkKind | None:
    if Field.EPISODE_COUNT in values or any(field in values for field in _STRUCTURE):
        return WorkKind.SERIES
    return WorkKind.FILM if Field.YEAR in values and Field.COMPLETE not in values else None


def _source(found: Sequence[str]) -> Source | None:
    """A remux keeps its name beside the disc it came from; where a film came from yields to how."""
    if Source.REMUX in found:
        return Source.REMUX
    kinds = [one for one in found if one not in _YIELDING]
    return Source((kinds or found)[0]) if found else None


_YIELDING = frozenset({Source.WEB, Source.PPV, Source.REGIONAL, Source.VOD})


def _version(revisions: Sequence[str]) -> int:
    numbers = [int(one[-1]) for one in revisions if one[0] == "v"]
    numbers += [int(one[-1]) + 1 for one in revisions if one[-1] in "23" and one[0] != "v"]
    again = any(one in {"proper", "repack"} for one in revisions)
    return max([*numbers, 2 if again else 1])
