"""Titles as people write them, out of the words between the tags."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from capabilities.rules.names import signs
from capabilities.rules.names.brackets import bracket_end
from capabilities.rules.names.layout import Layout
from capabilities.rules.names.spans import covered_by
from capabilities.rules.names.tokens import Token, is_east_asian
from capabilities.rules.names.vocabulary import Field

_PARTING: Final = re.compile(rf"\s+/\s*|\s*/\s+|\s*[{signs.BARS}]\s*|(?<=\W)/|/(?=\W)")
_BAR: Final = frozenset("/" + signs.BARS)
_AKA: Final = frozenset({"aka", "a.k.a", "a.k.a."})
_EDGES: Final = " ._/\\+:&@" + signs.DASHES + signs.COMMAS + signs.BARS + "~" + signs.ORNAMENTS


def titles_of(text: str, tokens: Sequence[Token], layout: Layout) -> tuple[str, ...]:
    """The title first, then what else the name calls the work; no title twice."""
    found: dict[str, None] = {}
    for zone in _zones(tokens, layout):
        for piece in _pieces(text, tokens, zone):
            if written := _written(piece):
                found.setdefault(written)
    return tuple(found)


def _zones(tokens: Sequence[Token], layout: Layout) -> Iterator[range]:
    """The title's own zone, brackets behind it that hold titles too, and one behind a season."""
    yield layout.title
    if layout.lead:
        yield from _further_brackets(tokens, layout)
    yield from _behind_season(tokens, layout)


def _behind_season(tokens: Sequence[Token], layout: Layout) -> Iterator[range]:
    behind = next((one for one in layout.spans if one.start == layout.title.stop), None)
    if not behind or not behind.speaks_of(Field.SEASON) or behind.end >= len(tokens):
        return
    if not _BAR.isdisjoint(tokens[behind.end].gap):
        following = (one.start for one in layout.spans if one.start > behind.end)
        yield range(behind.end, next(following, len(tokens)))


def _further_brackets(tokens: Sequence[Token], layout: Layout) -> Iterator[range]:
    covered = covered_by(layout.spans)
    at = layout.title.stop
    inside = bool(tokens[layout.title.start].bracket) if layout.title else False
    while inside and at < len(tokens) and tokens[at].bracket:
        end = bracket_end(tokens, at)
        if not covered.isdisjoint(range(at, end)):
            return
        yield range(at, end)
        at = end


def _pieces(text: str, tokens: Sequence[Token], zone: range) -> Iterator[str]:
    start = zone.start
    switch = _switch(tokens, zone)
    for at in zone:
        if at == start:
            continue
        if tokens[at].low in _AKA or _PARTING.fullmatch(tokens[at].gap) or at == switch:
            yield _slice(text, tokens, start, at)
            start = at + 1 if tokens[at].low in _AKA else at
    if start < zone.stop:
        yield _slice(text, tokens, start, zone.stop)


def _switch(tokens: Sequence[Token], zone: range) -> int | None:
    """Where a title in one script ends and one in another begins, if that happens once."""
    scripts = [(at, is_east_asian(tokens[at].low)) for at in zone if not tokens[at].low.isdecimal()]
    switches = [
        at for (_, before), (at, here) in pairwise(scripts) if before != here and tokens[at].gap
    ]
    return switches[0] if len(switches) == 1 else None


def _slice(text: str, tokens: Sequence[Token], start: int, stop: int) -> str:
    """The text of some tokens, with the bracket that opens right before the first one."""
    begin = tokens[start].start
    opened = tokens[start].gap.endswith(tuple(signs.ROUND_OPENING))
    finish = tokens[stop].start if stop < len(tokens) else len(text)
    return text[begin - opened : finish]


def _written(piece: str) -> str:
    """Separators of release names turned into blanks, edges and lone brackets trimmed."""
    piece = piece.strip(_EDGES).rstrip(signs.OPENING + _EDGES)
    piece = piece.rstrip(_lone(piece, signs.CLOSING, signs.OPENING))
    piece = piece.lstrip(_lone(piece, signs.OPENING, signs.CLOSING))
    if " " not in piece:
        piece = piece.replace(".", " ")
    return " ".join(piece.replace("_", " ").split()).strip(_EDGES)


def _lone(piece: str, signs_of_one: str, signs_of_other: str) -> str:
    """The brackets of which there are more than of their counterparts."""
    pairs = zip(signs_of_one, signs_of_other, strict=True)
    return "".join(one for one, other in pairs if piece.count(one) > piece.count(other))
