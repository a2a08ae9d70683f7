"""Titles as people write them, out of the words between the tags."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from capabilities.rules.names import signs
from capabilities.rules.names.brackets import bracket_end
from capabilities.rules.names.layout import Layout
from capabilities.rules.names.spans import covered_by
from capabilities.rules.names.tables.counting import ROMANS, VOLUME_WORDS
from capabilities.rules.names.tokens import Token, is_east_asian
from capabilities.rules.names.vocabulary import Field

_PARTING: Final = re.compile(rf"\s+/\s*|\s*/\s+|\s*[{signs.BARS}]\s*|(?<=\W)/|/(?=\W)")
_LABEL: Final = re.compile(r"(?:(?:劇場版|剧场版|映画)(?:合集)?|Gekijouban(?= |\Z)) ?(?:- )?")
_ARTICLES: Final = frozenset(
    [
        "the",
        "a",
        "an",
        "der",
        "die",
        "das",
        "le",
        "la",
        "les",
        "el",
        "los",
        "las",
        "il",
        "lo",
        "gli",
    ]
)
_BRACKETS: Final = frozenset(signs.BRACKETS)
_COUNTED: Final = (Field.SEASON, Field.EPISODE, Field.YEAR)
_BAR: Final = frozenset("/" + signs.BARS)
_AKA: Final = frozenset({"aka"})
_EDGES: Final = " ._/\\+:&@" + signs.DASHES + signs.COMMAS + signs.BARS + "~" + signs.ORNAMENTS


def titles_of(text: str, tokens: Sequence[Token], layout: Layout) -> tuple[str, ...]:
    """The title first, then what else the name calls the work; no title twice."""
    found: dict[str, None] = {}
    for zone in _zones(tokens, layout):
        for piece in _pieces(text, tokens, zone):
            if title := _in_order(_without_label(written(piece))):
                found.setdefault(title)
    return tuple(found)


def _without_label(title: str) -> str:
    """The title without the word for "film" that anime puts in front of it."""
    return _LABEL.sub("", title).removesuffix("全集").removesuffix("合集").strip() or title


def _in_order(title: str) -> str:
    """``Coast, The`` as people say it."""
    head, comma, article = title.rpartition(",")
    return f"{article.strip()} {head}" if comma and article.strip().lower() in _ARTICLES else title


def _zones(tokens: Sequence[Token], layout: Layout) -> Iterator[range]:
    """The title's own zone, brackets behind it that hold titles too, and one behind a season."""
    yield _behind_label(tokens, layout.title)
    if layout.lead:
        yield from _further_brackets(tokens, layout)
    yield from _behind_season(tokens, layout)
    yield from _behind_marks(tokens, layout)


def _behind_marks(tokens: Sequence[Token], layout: Layout) -> Iterator[range]:
    """The Latin title of ``片名[全24集][国语].Latin.Title.S01``, behind the marks of the first."""
    title = layout.title
    if not title or not is_east_asian(tokens[title.start].low) or tokens[title.start].bracket:
        return
    start = title.stop
    while start < len(tokens) and (tokens[start].bracket or start in layout.covered):
        start += 1
    stop = start
    while stop < len(tokens) and not (tokens[stop].bracket or stop in layout.covered):
        stop += 1
    ending = layout.starting.get(stop)
    counted = title.stop < start < stop and ending and ending.speaks_of(*_COUNTED)
    if counted and tokens[start].text.isascii() and tokens[start].low.isalpha():
        yield range(start, stop)


def _behind_label(tokens: Sequence[Token], zone: range) -> range:
    """The zone without the word for "film" where that stands alone in front of it."""
    labelled = len(zone) > 1 and _LABEL.fullmatch(tokens[zone.start].text)
    return zone[1:] if labelled else zone


def _behind_season(tokens: Sequence[Token], layout: Layout) -> Iterator[range]:
    behind = next((one for one in layout.spans if one.start == layout.title.stop), None)
    if not behind or not behind.speaks_of(Field.SEASON) or behind.end >= len(tokens):
        return
    if not _BAR.isdisjoint(tokens[behind.end].gap):
        following = (one.start for one in layout.spans if one.start > behind.end)
        yield range(behind.end, next(following, len(tokens)))


def _further_brackets(tokens: Sequence[Token], layout: Layout) -> Iterator[range]:
    covered = covered_by(layout.spans)
    at = _own_bracket_end(tokens, layout)
    inside = bool(tokens[layout.title.start].bracket) if layout.title else False
    while inside and at < len(tokens) and tokens[at].bracket:
        end = bracket_end(tokens, at)
        if tokens[at].low in VOLUME_WORDS or not covered.isdisjoint(range(at, end)):
            return
        yield range(at, end)
        at = end


def _own_bracket_end(tokens: Sequence[Token], layout: Layout) -> int:
    """Behind the title and what follows it in its own bracket, such as a season."""
    at = layout.title.stop
    own = tokens[layout.title.start].bracket if layout.title else 0
    while own and at < len(tokens) and tokens[at].bracket == own:
        at += 1
    return at


def _pieces(text: str, tokens: Sequence[Token], zone: range) -> Iterator[str]:
    start = zone.start
    switch = _switch(tokens, zone)
    for at in zone:
        if at == start:
            continue
        if at < start:
            continue
        known_as = _known_as(tokens, at)
        if known_as or _PARTING.fullmatch(tokens[at].gap) or at == switch:
            yield _slice(text, tokens, start, at)
            start = at + known_as
    if start < zone.stop:
        yield _slice(text, tokens, start, zone.stop)


def _known_as(tokens: Sequence[Token], at: int) -> int:
    """How many words from here on mean "also known as": ``aka``, ``a.k.a.``; nought is none."""
    if tokens[at].low in _AKA:
        return 1
    letters = tokens[at : at + 3]
    spelled = [one.low for one in letters] == ["a", "k", "a"]
    return 3 if spelled and all(one.gap == "." for one in letters[1:]) else 0


def _switch(tokens: Sequence[Token], zone: range) -> int | None:
    """Where a title in one script ends and one in another begins, if that happens once."""
    scripts = [
        (at, is_east_asian(tokens[at].low)) for at in zone if not _is_neutral(tokens[at].low)
    ]
    switches = [
        at for (_, before), (at, here) in pairwise(scripts) if before != here and tokens[at].gap
    ]
    return switches[0] if len(switches) == 1 else None


def _is_neutral(low: str) -> bool:
    """Whether the word belongs to no script: digits, Roman numerals, or marks alone."""
    return low.isdecimal() or low in ROMANS or not any(map(str.isalnum, low))


def _slice(text: str, tokens: Sequence[Token], start: int, stop: int) -> str:
    """The text of some tokens, with the bracket that opens right before the first one."""
    begin = tokens[start].start
    opened = tokens[start].gap.endswith(tuple(signs.ROUND_OPENING))
    finish = tokens[stop].start if stop < len(tokens) else len(text)
    return text[begin - opened : finish]


def written(piece: str) -> str:
    """A title as people write it: blanks for separators, edges and lone brackets trimmed."""
    piece = piece.strip(_EDGES).rstrip(signs.OPENING + _EDGES)
    if not _BRACKETS.isdisjoint(piece):
        piece = piece.rstrip(_lone(piece, signs.CLOSING, signs.OPENING))
        piece = piece.lstrip(_lone(piece, signs.OPENING, signs.CLOSING))
    if " " not in piece:
        piece = piece.replace(".", " ")
    return " ".join(piece.replace("_", " ").split()).strip(_EDGES)


def _lone(piece: str, signs_of_one: str, signs_of_other: str) -> str:
    """The brackets of which there are more than of their counterparts."""
    pairs = zip(signs_of_one, signs_of_other, strict=True)
    return "".join(one for one, other in pairs if piece.count(one) > piece.count(other))
