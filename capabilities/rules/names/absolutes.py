"""Bare episode numbers of anime names: ``Title - 05``, ``Title 05 [720p]``, ``[05]``."""

import re
from collections.abc import Sequence
from typing import Final

from capabilities.rules.names import signs
from capabilities.rules.names.brackets import bracket_end
from capabilities.rules.names.layout import Layout
from capabilities.rules.names.sequences import DASHES, LONGEST_RANGE, is_range
from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables.counting import ENDINGS
from capabilities.rules.names.tables.rows import Fact
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field

_NUMBER: Final = re.compile(r"(\d{1,4})(?:v(\d))?(?:end|fin)?")
_LEAST_DIGITS: Final = 2


def absolute_span(tokens: Sequence[Token], layout: Layout) -> Span | None:
    """The bare number of the name, if its shape says that it counts episodes."""
    numbered = any(one.speaks_of(Field.EPISODE, Field.AIR_DATE) for one in layout.spans)
    dashed = _dashed(tokens, layout)
    if dashed or numbered:
        return dashed
    return _bracketed(tokens, layout) or _trailing(tokens, layout)


def _dashed(tokens: Sequence[Token], layout: Layout) -> Span | None:
    """Behind a dash between blanks, or behind a hash, the last such number before the tail."""
    stop = max(layout.title.stop, min(layout.tail, len(tokens)))
    for at in range(stop - 1, layout.title.start, -1):
        if tokens[at].bracket or _taken(layout, at):
            continue
        if _stands_apart(tokens, at) and (span := _number(tokens, at, stop)):
            return span
    return None


def _stands_apart(tokens: Sequence[Token], at: int) -> bool:
    gap = tokens[at].gap
    return (gap.strip(" _." + signs.CLOSING) in DASHES and len(gap) > 1) or tokens[at].text[
        0
    ] == "#"


def _bracketed(tokens: Sequence[Token], layout: Layout) -> Span | None:
    at = layout.title.stop
    while at < len(tokens):
        end = bracket_end(tokens, at)
        if tokens[at].bracket:
            span = _number(tokens, at, end)
            if span and span.end == end and not _taken(layout, at):
                return span
        at = end
    return None


def _taken(layout: Layout, at: int) -> bool:
    return any(one.start <= at < one.end for one in layout.spans)


def _trailing(tokens: Sequence[Token], layout: Layout) -> Span | None:
    """Last word of the title in names of anime shape, or first one behind a season or year."""
    behind = _behind_season(tokens, layout)
    if behind:
        return behind
    at = layout.title.stop - 1
    if at <= layout.title.start or not _anime_shaped(tokens, layout):
        return None
    if at - 1 > layout.title.start and tokens[at].gap == "." and tokens[at - 1].low.isdecimal():
        at -= 1
    least = 1 if any(one.speaks_of(Field.CHECKSUM) for one in layout.spans) else _LEAST_DIGITS
    if len(tokens[at].low) < least or tokens[at].bracket != tokens[layout.title.start].bracket:
        return None
    return _number(tokens, at, layout.title.stop)


def _behind_season(tokens: Sequence[Token], layout: Layout) -> Span | None:
    for one in layout.spans:
        season = one.speaks_of(Field.SEASON) or (layout.lead and one.speaks_of(Field.YEAR))
        if not season or one.end >= len(tokens) or _taken(layout, one.end):
            continue
        if not tokens[one.end].bracket and len(tokens[one.end].low) >= _LEAST_DIGITS:
            return _number(tokens, one.end, len(tokens))
    return None


def _anime_shaped(tokens: Sequence[Token], layout: Layout) -> bool:
    if any(one.speaks_of(Field.YEAR) for one in layout.spans):
        return False
    if any(one.start == layout.title.stop and one.speaks_of(Field.SEASON) for one in layout.spans):
        return False
    follows = layout.title.stop < len(tokens) and tokens[layout.title.stop].bracket
    checked = any(one.speaks_of(Field.CHECKSUM) for one in layout.spans)
    return bool(layout.lead) or (bool(follows) and checked)


def _number(tokens: Sequence[Token], at: int, stop: int) -> Span | None:
    match = _NUMBER.fullmatch(tokens[at].low)
    if not match:
        return None
    first, end = match[1], at + 1
    numbers: list[str] = [str(int(first))]
    if end < stop and tokens[end].gap == "." and re.fullmatch(r"[1-9]", tokens[end].low):
        numbers, end = [f"{int(first)}.{tokens[end].low}"], end + 1
    elif end < stop and (last := _range_end(tokens[end], int(first))):
        numbers, end = [str(one) for one in range(int(first), last + 1)], end + 1
    if end < stop and tokens[end].low in ENDINGS:
        end += 1
    facts = [Fact(Field.ABSOLUTE, number) for number in numbers]
    if match[2]:
        facts.append(Fact(Field.REVISION, f"v{match[2]}"))
    return Span(at, end, tuple(facts))


def _range_end(token: Token, first: int) -> int | None:
    match = _NUMBER.fullmatch(token.low)
    if not match or not is_range(token.gap):
        return None
    return int(match[1]) if first < int(match[1]) <= first + LONGEST_RANGE else None
