"""A name taken to pieces: which words of it say what, and which pass of the parser found them."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from capabilities.rules.names.counters import counter_at
from capabilities.rules.names.dating import date_at
from capabilities.rules.names.eastern_languages import tongues_at
from capabilities.rules.names.languages import codes_at
from capabilities.rules.names.marking import mark
from capabilities.rules.names.numbering import number_at
from capabilities.rules.names.parsing import passed
from capabilities.rules.names.patterns import pattern_at
from capabilities.rules.names.spans import Span
from capabilities.rules.names.tokens import Token, words
from capabilities.rules.names.vocabulary import Field


class PartKind(StrEnum):
    """What sort of thing a part says; what it is coloured by."""

    TITLE = "title"
    TIME = "time"
    NUMBERS = "numbers"
    PICTURE = "picture"
    SOUND = "sound"
    LANGUAGE = "language"
    GROUP = "group"
    EDITION = "edition"
    OTHER = "other"


_KINDS: Final = {
    Field.YEAR: PartKind.TIME,
    Field.AIR_DATE: PartKind.TIME,
    Field.SEASON: PartKind.NUMBERS,
    Field.EPISODE: PartKind.NUMBERS,
    Field.ABSOLUTE: PartKind.NUMBERS,
    Field.COMPLETE: PartKind.NUMBERS,
    Field.EPISODE_COUNT: PartKind.NUMBERS,
    Field.RESOLUTION: PartKind.PICTURE,
    Field.SOURCE: PartKind.PICTURE,
    Field.VIDEO_CODEC: PartKind.PICTURE,
    Field.BIT_DEPTH: PartKind.PICTURE,
    Field.DYNAMIC_RANGE: PartKind.PICTURE,
    Field.THREE_D: PartKind.PICTURE,
    Field.AUDIO: PartKind.SOUND,
    Field.CHANNELS: PartKind.SOUND,
    Field.LANGUAGE: PartKind.LANGUAGE,
    Field.SUBTITLE: PartKind.LANGUAGE,
    Field.DUBBED: PartKind.LANGUAGE,
    Field.EDITION: PartKind.EDITION,
    Field.REVISION: PartKind.EDITION,
}
_PASSES: Final[tuple[tuple[str, Callable[[Sequence[Token], int], Span | None]], ...]] = (
    ("dates", date_at),
    ("counters", counter_at),
    ("numbers", number_at),
    ("languages", codes_at),
    ("languages", tongues_at),
)
_ONE: Final = re.compile(r"(\d+)-\1")
"""A range of one number."""


@dataclass(frozen=True, slots=True)
class NamePart:
    """Some words of a name.

    Attributes:
        start: first character in the name's body.
        end: the character behind the last one.
        says: what it says, such as ``resolution 1080p``.
        found_by: the pass of the parser.
    """

    start: int
    end: int
    kind: PartKind
    says: tuple[str, ...]
    found_by: str


@dataclass(frozen=True, slots=True)
class Pieces:
    """A name's body and its parts, in order, none overlapping.

    Attributes:
        body: the cleaned name without its suffix; read from its end where it was spelled backwards.
    """

    body: str
    parts: tuple[NamePart, ...]


def pieces(text: str) -> Pieces:
    """Take a name to pieces, as `parse` reads it."""
    read = passed(text)
    if read is None:
        return Pieces("", ())
    marked = mark(read.tokens)
    found = _joined([_part(read.tokens, span, span in marked) for span in read.spans])
    for title in read.titles:
        found += _words_part(read.tokens, title, PartKind.TITLE, "title", found)
    if read.episode_title:
        said = "episode title"
        found += _words_part(read.tokens, read.episode_title, PartKind.TITLE, said, found)
    for name, said in (("group", read.group), ("website", read.website)):
        found += _text_part(read.body, name, said, found)
    return Pieces(read.body, tuple(sorted(found, key=lambda part: part.start)))


def _joined(parts: list[NamePart]) -> list[NamePart]:
    """The parts, those of the same words as one; of two that overlap the first."""
    kept: list[NamePart] = []
    for part in sorted(parts, key=lambda part: (part.start, -part.end)):
        last = kept[-1] if kept else None
        if last is None or last.end <= part.start:
            kept.append(part)
        elif (last.start, last.end) == (part.start, part.end):
            kept[-1] = replace(last, says=(*last.says, *part.says))
    return kept


def _part(tokens: Sequence[Token], span: Span, in_first_pass: bool) -> NamePart:
    kind = next((_KINDS[fact.field] for fact in span.facts if fact.field in _KINDS), None)
    says = tuple(dict.fromkeys(f"{_plain(fact.field)} {_value(fact.value)}" for fact in span.facts))
    return NamePart(
        tokens[span.start].start,
        tokens[span.end - 1].end,
        kind or PartKind.OTHER,
        says,
        _pass(tokens, span) if in_first_pass else "its place",
    )


def _pass(tokens: Sequence[Token], span: Span) -> str:
    for name, at in _PASSES:
        if _is(at(tokens, span.start), span):
            return name
    by_pattern = _is(pattern_at(tokens, span.start), span)
    return "patterns" if by_pattern else f"tables, {span.strength.value}"


def _is(found: Span | None, span: Span) -> bool:
    return found is not None and (found.end, found.facts) == (span.end, span.facts)


def _plain(field: Field) -> str:
    return field.value.replace("_", " ")


def _words_part(
    tokens: Sequence[Token], text: str, kind: PartKind, says: str, found: Sequence[NamePart]
) -> Iterator[NamePart]:
    """The first run of words that is this text, and of which no other part is made."""
    wanted = words(text)
    for at in range(len(tokens) - len(wanted) + 1) if wanted else ():
        run = tokens[at : at + len(wanted)]
        free = all(run[-1].end <= part.start or part.end <= run[0].start for part in found)
        if free and tuple(token.low for token in run) == wanted:
            yield NamePart(run[0].start, run[-1].end, kind, (f"{says} {text}",), "what is left")
            return


def _text_part(
    body: str, name: str, said: str | None, found: Sequence[NamePart]
) -> Iterator[NamePart]:
    """The last place of a text of which no other part is made."""
    at = body.rfind(said) if said else -1
    end = at + len(said or "")
    if at >= 0 and all(end <= part.start or part.end <= at for part in found):
        yield NamePart(at, end, PartKind.GROUP, (f"{name} {said}",), "groups")


def _value(value: str) -> str:
    return _ONE.sub(r"\1", value)
