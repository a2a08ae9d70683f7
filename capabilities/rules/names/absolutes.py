"""Bare episode numbers of anime names: ``Title - 05``, ``Title 05 [720p]``, ``[05]``."""

from collections.abc import Sequence
from typing import Final

from capabilities.rules.names import signs
from capabilities.rules.names.brackets import bracket_end
from capabilities.rules.names.counts import NUMBER, count_at
from capabilities.rules.names.layout import Layout
from capabilities.rules.names.sequences import (
    DASHES,
    only,
    run_facts,
)
from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables.counting import ENDINGS, LIST_WORDS, PART_WORDS
from capabilities.rules.names.tokens import Token, is_east_asian, parts_fields
from capabilities.rules.names.vocabulary import Field

_HUNDRED: Final = 100
_LEAST_DIGITS: Final = 2


def absolute_span(tokens: Sequence[Token], layout: Layout) -> Span | None:
    """The bare number of the name, if its shape says that it counts episodes."""
    numbered = any(one.speaks_of(Field.EPISODE, Field.AIR_DATE) for one in layout.spans)
    dashed = _dashed(tokens, layout)
    if dashed or numbered:
        return dashed
    return (
        _rounded(tokens, layout)
        or _bracketed(tokens, layout)
        or _trailing(tokens, layout)
        or _amid(tokens, layout)
    )


def _dashed(tokens: Sequence[Token], layout: Layout) -> Span | None:
    """Behind a dash between blanks, or behind a hash, the last such number before the tail."""
    stop = max(layout.title.stop, min(layout.tail, len(tokens)))
    for at in range(stop - 1, layout.title.start, -1):
        if tokens[at].bracket or at in layout.covered:
            continue
        if _stands_apart(tokens, at) and (span := count_at(tokens, at, stop)):
            whole = _from_number_before(tokens, at, stop) or span
            return _with_second(tokens, whole, grouped=bool(layout.lead))
    return None


def _with_second(tokens: Sequence[Token], first: Span, *, grouped: bool) -> Span:
    """``16-20 (191-195)``: the season's own numbers, then the absolute ones."""
    at = first.end
    if at >= len(tokens) or not tokens[at].bracket or tokens[at].gap.strip(" _.") not in {"(", "["}:
        return first
    second = count_at(tokens, at, len(tokens))
    if second and len(first.facts) == 1:
        alone = bracket_end(tokens, at) == second.end and not grouped
        return _with_season(first, second) if alone else first
    if not second or len(second.facts) != len(first.facts) or bracket_end(tokens, at) != second.end:
        return first
    if float(second.facts[0].value) <= float(first.facts[0].value):
        return first
    own = run_facts(Field.EPISODE, [only(int(fact.value)) for fact in first.facts])
    return Span(first.start, second.end, (*own, *second.facts))


def _with_season(first: Span, second: Span) -> Span:
    """``101 (01)``: the number in brackets tells that the one before begins with the season."""
    whole, episode = float(first.facts[0].value), float(second.facts[0].value)
    season, rest = divmod(whole, _HUNDRED)
    if len(second.facts) > 1 or not season or rest != episode:
        return first
    facts = (
        *run_facts(Field.SEASON, [only(int(season))]),
        *run_facts(Field.EPISODE, [only(int(episode))]),
    )
    return Span(first.start, second.end, facts)


def _from_number_before(tokens: Sequence[Token], at: int, stop: int) -> Span | None:
    """The whole range of ``- 01 - 12``, or of ``Title 01 - 12``, of which the number is the end."""
    before = tokens[at - 1].low
    if not NUMBER.fullmatch(before) or not (_stands_apart(tokens, at - 1) or before[0] == "0"):
        return None
    span = count_at(tokens, at - 1, stop)
    return span if span and span.end > at else None


def _rounded(tokens: Sequence[Token], layout: Layout) -> Span | None:
    """A range alone in round brackets at the end of the title, or one number behind a group."""
    last = layout.title.stop - 1
    if last <= layout.title.start or not tokens[last].bracket:
        return None
    first = last
    while first > layout.title.start and tokens[first - 1].bracket == tokens[last].bracket:
        first -= 1
    if first == layout.title.start:
        return None
    span = count_at(tokens, first, last + 1)
    ranged = span is not None and len(span.facts) > 1
    return span if span and span.end == last + 1 and (ranged or layout.lead) else None


def _stands_apart(tokens: Sequence[Token], at: int) -> bool:
    gap = tokens[at].gap
    return (gap.strip(" _." + signs.CLOSING) in DASHES and len(gap) > 1) or tokens[at].text[
        0
    ] == "#"


def _bracketed(tokens: Sequence[Token], layout: Layout) -> Span | None:
    at = layout.title.stop
    if span := _between_brackets(tokens, layout):
        return span
    while at < len(tokens):
        end = bracket_end(tokens, at)
        if tokens[at].bracket:
            first = at + 1 if tokens[at].low == "tv" and at + 1 < end else at
            span = count_at(tokens, first, end)
            if span and first not in layout.covered and _fills(tokens, span, end):
                return span
        at = end
    return None


def _between_brackets(tokens: Sequence[Token], layout: Layout) -> Span | None:
    """``[Group][Title] 05 [720p]``."""
    at, start = layout.title.stop, layout.title.start
    if at >= len(tokens) or tokens[at].bracket or not tokens[start].bracket or not layout.lead:
        return None
    stop = bracket_end(tokens, at)
    span = count_at(tokens, at, stop) if len(tokens[at].low) >= _LEAST_DIGITS else None
    return span if span and span.end == stop else None


def _fills(tokens: Sequence[Token], span: Span, end: int) -> bool:
    """Whether a number fills its bracket, alone or with the episode's title in another script."""
    return span.end == end or (
        is_east_asian(tokens[span.end].low) and tokens[span.end].gap in {"_", " "}
    )


def _trailing(tokens: Sequence[Token], layout: Layout) -> Span | None:
    """Last word of the title in names of anime shape, or first one behind a season or year."""
    behind = _behind_season(tokens, layout)
    if behind:
        return behind
    at = layout.title.stop - 1
    if ranged := _trailing_range(tokens, layout):
        return ranged
    if at <= layout.title.start or not _anime_shaped(tokens, layout):
        return None
    if at - 1 > layout.title.start and tokens[at].gap == "." and _is_halved(tokens, at):
        at -= 1
    if tokens[at].low in ENDINGS and at - 1 > layout.title.start:
        at -= 1
    least = 1 if any(one.speaks_of(Field.CHECKSUM) for one in layout.spans) else _LEAST_DIGITS
    if (
        tokens[at - 1].low in PART_WORDS
        or len(tokens[at].low) < least
        or tokens[at].bracket != tokens[layout.title.start].bracket
    ):
        return None
    return count_at(tokens, at, layout.title.stop)


def _is_halved(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word is the second half of ``12.5``."""
    return tokens[at].low.isdecimal() and tokens[at - 1].low.isdecimal()


def _amid(tokens: Sequence[Token], layout: Layout) -> Span | None:
    """``[Group] Title 01 Episode``: a number with a nought in front, or one before a dash."""
    if not layout.lead:
        return None
    for at in range(layout.title.start + 1, layout.title.stop - 1):
        low = tokens[at].low
        dashed = parts_fields(tokens[at + 1].gap) and len(low) >= _LEAST_DIGITS
        halved = tokens[at].gap == "." and tokens[at - 1].low.isdecimal()
        apart = tokens[at].gap in {" ", "_", "."} and not halved
        if low.isdecimal() and apart and (low[0] == "0" or dashed):
            return count_at(tokens, at, layout.title.stop) if int(low) else None
    return None


def _trailing_range(tokens: Sequence[Token], layout: Layout) -> Span | None:
    """``Title 13-16`` and ``Title_1-13_(…)``; a year elsewhere makes it a part of the title."""
    first = layout.title.stop - 2
    if first <= layout.title.start or tokens[first + 1].gap not in DASHES:
        return None
    if any(one.speaks_of(Field.YEAR, Field.SEASON) for one in layout.spans):
        return None
    if first - 3 > layout.title.start and tokens[first - 1].low in LIST_WORDS:
        whole = count_at(tokens, first - 3, layout.title.stop)
        if whole and whole.end == layout.title.stop:
            return whole
    span = count_at(tokens, first, layout.title.stop)
    return span if span and len(span.facts) > 1 and span.end == layout.title.stop else None


def _behind_season(tokens: Sequence[Token], layout: Layout) -> Span | None:
    for one in layout.spans:
        season = one.speaks_of(Field.SEASON) or (layout.lead and one.speaks_of(Field.YEAR))
        if not season or one.end >= len(tokens) or one.end in layout.covered:
            continue
        if not tokens[one.end].bracket and len(tokens[one.end].low) >= _LEAST_DIGITS:
            return count_at(tokens, one.end, len(tokens))
    return None


def _anime_shaped(tokens: Sequence[Token], layout: Layout) -> bool:
    if any(one.speaks_of(Field.YEAR) for one in layout.spans):
        return False
    if any(one.start == layout.title.stop and one.speaks_of(Field.SEASON) for one in layout.spans):
        return False
    follows = layout.title.stop < len(tokens) and tokens[layout.title.stop].bracket
    checked = any(one.speaks_of(Field.CHECKSUM) for one in layout.spans)
    return bool(layout.lead) or (bool(follows) and checked)
