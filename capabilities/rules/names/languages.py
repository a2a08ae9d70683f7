"""Which named languages are spoken and which are only written under the picture."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from capabilities.rules.names import signs
from capabilities.rules.names.brackets import bracket_end
from capabilities.rules.names.spans import Span, covered_by, fact_span
from capabilities.rules.names.tables.counting import SUBTITLE_WORDS
from capabilities.rules.names.tables.languages import CODES
from capabilities.rules.names.tables.rows import Fact
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field

_CODES: Final = {code: tag for tag, codes in CODES.items() for code in codes.split()}
_LIST_WORDS: Final = SUBTITLE_WORDS | {"audio", "audios", "audiopack"}
_LISTED: Final = frozenset({"-", "/", "+", ",", ", ", ".", " ", "_", "&", " & ", " + ", ""})
_CLOSING: Final = frozenset(signs.CLOSING)
_SPOKEN: Final = (Field.LANGUAGE,)


def settle_languages(tokens: Sequence[Token], spans: Sequence[Span]) -> list[Span]:
    """Read lists of codes, tell subtitles from speech, and apply the German convention.

    Languages in a row behind "subs", or else right before it, are languages of subtitles. Next to
    German, ``DL`` says that the original is there too, ``ML`` that English is besides.
    """
    if not any(_is_anchor(tokens, one) for one in spans):
        return list(spans)
    settled = _with_codes(tokens, spans)
    for at, one in enumerate(settled):
        if not _says_subtitles(tokens, one):
            continue
        if not _read_behind(tokens, settled, at):
            _read_before(settled, at)
        elif one.speaks_of(Field.SUBTITLE):
            settled[at] = replace(one, facts=())
    return [*settled, *_original(settled)]


def codes_at(tokens: Sequence[Token], at: int) -> Span | None:
    """A bracket that holds nothing but codes of two letters: ``[fr-en]``."""
    bracket = tokens[at].bracket
    if not bracket or tokens[at].low not in _CODES or (at and tokens[at - 1].bracket == bracket):
        return None
    end = bracket_end(tokens, at)
    tags = [_CODES.get(token.low) for token in tokens[at:end]]
    if len(tags) < len(("fr", "en")) or None in tags:
        return None
    return fact_span(at, end, Field.LANGUAGE, *(tag for tag in tags if tag))


def _says_subtitles(tokens: Sequence[Token], one: Span) -> bool:
    return tokens[one.end - 1].low in SUBTITLE_WORDS


def _is_anchor(tokens: Sequence[Token], one: Span) -> bool:
    """Whether codes beside the span are codes of languages."""
    return one.speaks_of(Field.LANGUAGE) or tokens[one.end - 1].low in _LIST_WORDS


def _with_codes(tokens: Sequence[Token], spans: Sequence[Span]) -> list[Span]:
    """The spans with codes of two letters that stand in one list with a language."""
    covered = covered_by(spans)
    found: dict[int, Span] = {}
    for one in spans:
        if _is_anchor(tokens, one):
            _collect_codes(tokens, one, covered, found)
    if not found:
        return list(spans)
    return sorted([*spans, *found.values()], key=lambda one: one.start)


def _collect_codes(
    tokens: Sequence[Token], one: Span, covered: set[int], found: dict[int, Span]
) -> None:
    for first, step in ((one.start - 1, -1), (one.end, 1)):
        at = first
        while 0 <= at < len(tokens) and at not in covered and at not in found:
            gap = tokens[at + 1].gap if step < 0 else tokens[at].gap
            tag = _CODES.get(tokens[at].low)
            if tag is None or not _lists(tokens[at], gap):
                break
            found[at] = fact_span(at, at + 1, Field.LANGUAGE, tag)
            at += step


def _lists(token: Token, gap: str) -> bool:
    """Whether the code is written as one, and the sign beside it makes a list."""
    tight = gap in {"-", "/", "+", ",", "&"}
    return gap.strip(signs.BRACKETS) in _LISTED and (token.text[:1].isupper() or tight)


def _read_behind(tokens: Sequence[Token], spans: list[Span], at: int) -> bool:
    end, read = spans[at].end, False
    for behind in range(at + 1, len(spans)):
        one = spans[behind]
        if one.start != end or not one.speaks_of(*_SPOKEN):
            break
        if not _CLOSING.isdisjoint(tokens[one.start].gap) and not read:
            break
        spans[behind], end, read = _written(one), one.end, True
    return read


def _read_before(spans: list[Span], at: int) -> None:
    end = spans[at].start
    for before in range(at - 1, -1, -1):
        one = spans[before]
        beside = one.speaks_of(Field.OTHER) and end == spans[at].start
        if one.end != end or not (beside or one.speaks_of(*_SPOKEN)):
            break
        spans[before], end = _written(one), one.start


def _written(one: Span) -> Span:
    facts = (Fact(Field.SUBTITLE, f.value) if f.field is Field.LANGUAGE else f for f in one.facts)
    return replace(one, facts=tuple(facts))


def _original(spans: Sequence[Span]) -> list[Span]:
    facts = {fact for one in spans for fact in one.facts}
    if Fact(Field.LANGUAGE, "de") not in facts:
        return []
    for one in spans:
        if Fact(Field.OTHER, "ml") in one.facts:
            return [replace(one, facts=(Fact(Field.LANGUAGE, "en"), _ORIGINAL))]
        if Fact(Field.OTHER, "dl") in one.facts:
            return [replace(one, facts=(_ORIGINAL,))]
    return []


_ORIGINAL: Final = Fact(Field.ORIGINAL, "yes")
