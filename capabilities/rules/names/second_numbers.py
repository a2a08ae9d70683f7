"""Numbers beside a numbering: absolute ones next to season and episode."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from capabilities.rules.names.layout import Layout
from capabilities.rules.names.sequences import DASHES, LONGEST_RANGE, numbers_of
from capabilities.rules.names.spans import Span, fact_span
from capabilities.rules.names.tables.rows import Fact
from capabilities.rules.names.tokens import Token, is_tight
from capabilities.rules.names.vocabulary import Field

_NUMBER: Final = re.compile(r"\d{2,4}")
_PER_SEASON: Final = range(8, 31)
"""Episodes; a number that makes earlier seasons shorter or longer is the end of a title."""
_SHORT: Final = re.compile(r"\d\d")


def with_second_numbers(tokens: Sequence[Token], layout: Layout) -> Layout:
    """Read ``S05E53 - Ep.129``, ``S10E14 214`` and ``313-315.S16E03-05``: both ways to count."""
    main = next((one for one in layout.spans if _is_whole(one)), None)
    if main is None:
        return layout
    spans = tuple(_as_absolute(one) if one is not main else one for one in layout.spans)
    layout = replace(layout, spans=spans)
    second = _behind(tokens, layout, main) or _before(tokens, layout, main)
    return layout.with_span(second) if second else layout


def _is_whole(one: Span) -> bool:
    return one.speaks_of(Field.SEASON) and one.speaks_of(Field.EPISODE)


def _as_absolute(one: Span) -> Span:
    """An episode without a season, next to one with a season, counts through all of them."""
    if not one.speaks_of(Field.EPISODE) or one.speaks_of(Field.SEASON):
        return one
    return replace(one, facts=tuple(_counted_through(one)))


def _counted_through(one: Span) -> Iterator[Fact]:
    for fact in one.facts:
        if fact.field is Field.EPISODE:
            yield from (Fact(Field.ABSOLUTE, str(number)) for number in numbers_of([fact.value]))
        else:
            yield fact


def _behind(tokens: Sequence[Token], layout: Layout, main: Span) -> Span | None:
    listed = _list(tokens, layout, main)
    if listed > main.end and _is_closed(tokens, layout, listed):
        last = _episodes(main)[-1]
        more = f"{last + 1}-{last + listed - main.end}"
        return Span(main.end, listed, (Fact(Field.EPISODE, more),))
    run, end = _run(tokens, main.end)
    if not run or main.end in layout.covered or not _is_closed(tokens, layout, end):
        return None
    episodes = _episodes(main)
    return _absolute(main.end, end, run) if _fits(run, episodes) else None


def _list(tokens: Sequence[Token], layout: Layout, main: Span) -> int:
    """Where a list such as ``S02E05.06.07`` ends, each number one more than the one before."""
    last, end = _episodes(main)[-1], main.end
    while end < len(tokens) and end not in layout.covered:
        low = tokens[end].low
        if not (_SHORT.fullmatch(low) and is_tight(tokens[end].gap) and int(low) == last + 1):
            break
        last, end = last + 1, end + 1
    return end


def _before(tokens: Sequence[Token], layout: Layout, main: Span) -> Span | None:
    if main.start != layout.title.stop:
        return None
    for start in (main.start - 2, *([main.start - 1] if layout.lead else [])):
        run, end = _run(tokens, start) if start > layout.title.start else (range(0), 0)
        likely = start == main.start - 2 or (run and _is_likely(run[0], main))
        if end == main.start and likely and _fits(run, _episodes(main)):
            return _absolute(start, end, run)
    return None


def _is_likely(number: int, main: Span) -> bool:
    """Whether a number may count through the seasons in front of the one that is named."""
    season = numbers_of([fact.value for fact in main.facts if fact.field is Field.SEASON])[0]
    return season > 1 and (number - _episodes(main)[0]) // (season - 1) in _PER_SEASON


def _run(tokens: Sequence[Token], at: int) -> tuple[range, int]:
    if at >= len(tokens) or not _NUMBER.fullmatch(tokens[at].low):
        return range(0), at
    first, end = int(tokens[at].low), at + 1
    if end < len(tokens) and tokens[end].gap in DASHES and _NUMBER.fullmatch(tokens[end].low):
        last = int(tokens[end].low)
        if first < last <= first + LONGEST_RANGE:
            return range(first, last + 1), end + 1
    return range(first, first + 1), end


def _fits(run: range, episodes: Sequence[int]) -> bool:
    return len(run) == len(episodes) and run[0] > episodes[-1]


def _is_closed(tokens: Sequence[Token], layout: Layout, end: int) -> bool:
    """Whether nothing follows that could be an episode's title beginning with the number."""
    return end == len(tokens) or tokens[end].gap.strip() in DASHES or end in layout.covered


def _episodes(main: Span) -> tuple[int, ...]:
    return numbers_of([fact.value for fact in main.facts if fact.field is Field.EPISODE])


def _absolute(start: int, end: int, run: range) -> Span:
    return fact_span(start, end, Field.ABSOLUTE, *run)
