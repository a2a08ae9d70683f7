"""The second pass: where the title stands, and which marked words are tags there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from capabilities.rules.names.brackets import Lead, leading, opens_square
from capabilities.rules.names.spans import Span, covered_by
from capabilities.rules.names.tables.rows import Strength
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field
from capabilities.rules.names.years import year_span

NUMBERING: Final = (Field.SEASON, Field.EPISODE, Field.AIR_DATE, Field.YEAR)
_BEFORE_YEAR: Final = (Field.EDITION, Field.REVISION, Field.COMPLETE)


@dataclass(frozen=True, slots=True)
class Layout:
    """A name in zones, in token numbers.

    Attributes:
        lead: the bracket in front that holds a group's name, or an empty range.
        title: from where to where the title stands.
        spans: the spans that count as tags, in order.
        tail: first token of the technical part.
    """

    lead: range
    title: range
    spans: tuple[Span, ...]
    tail: int


def lay_out(tokens: Sequence[Token], marked: Sequence[Span]) -> Layout:
    """Find the zones of a name."""
    lead: Lead = leading(tokens, marked)
    spans = _with_year(tokens, marked, lead.title_start)
    tail = _tail(tokens, spans, lead.title_start)
    boundary = _boundary(tokens, spans, lead.title_start)
    kept = tuple(_kept(tokens, spans, lead.title_start, boundary, tail))
    end = min((one.start for one in kept if one.start >= lead.title_start), default=boundary)
    return Layout(lead.group, range(lead.title_start, min(end, boundary)), kept, tail)


def _with_year(tokens: Sequence[Token], marked: Sequence[Span], start: int) -> list[Span]:
    year = year_span(tokens, marked, start)
    if year is None:
        return list(marked)
    rest = [one for one in marked if one.end <= year.start or one.start >= year.end]
    return sorted([*rest, year], key=lambda one: one.start)


def _tail(tokens: Sequence[Token], spans: Sequence[Span], start: int) -> int:
    for one in spans:
        if one.start < start or one.speaks_of(*NUMBERING):
            continue
        if one.strength is Strength.STRONG:
            return one.start
    return len(tokens)


def _boundary(tokens: Sequence[Token], spans: Sequence[Span], start: int) -> int:
    strong = (s.start for s in spans if s.start > start and s.strength is Strength.STRONG)
    tagged = _tagged_bracket(tokens, spans, start)
    return min(next(strong, len(tokens)), _title_bracket_end(tokens, start), tagged)


def _tagged_bracket(tokens: Sequence[Token], spans: Sequence[Span], start: int) -> int:
    """Where the first round bracket with a tag in it opens, behind the first word."""
    for one in spans:
        if one.start > start and (bracket := tokens[one.start].bracket):
            opening = one.start
            while opening > start and tokens[opening - 1].bracket == bracket:
                opening -= 1
            if opening > start and _is_tag(tokens, one, opening):
                return opening
    return len(tokens)


def _is_tag(tokens: Sequence[Token], one: Span, opening: int) -> bool:
    if one.strength is Strength.STRONG:
        return True
    whole = one.end == len(tokens) or tokens[one.end].bracket != tokens[opening].bracket
    return one.start == opening and whole


def _title_bracket_end(tokens: Sequence[Token], start: int) -> int:
    inside = tokens[start].bracket if start < len(tokens) and opens_square(tokens[start]) else 0
    for at in range(start + 1, len(tokens)):
        token = tokens[at]
        if inside and token.bracket != inside:
            return at
        if not inside and token.bracket and opens_square(token):
            return at
    return len(tokens)


def _kept(
    tokens: Sequence[Token], spans: Sequence[Span], start: int, boundary: int, tail: int
) -> list[Span]:
    covered = covered_by(spans)
    return [
        one
        for one in spans
        if one.start < start
        or (one.start >= boundary and _counts_after(tokens, one, covered, tail))
        or (one.start > start and one.end <= boundary and _counts_before(spans, one, boundary))
        or (one.start == start and one.strength is Strength.STRONG)
    ]


def _counts_after(tokens: Sequence[Token], one: Span, covered: set[int], tail: int) -> bool:
    if one.strength is Strength.STRONG or one.start >= tail:
        return True
    return one.start - 1 in covered or one.end in covered or tokens[one.start].bracket > 0


def _counts_before(spans: Sequence[Span], one: Span, boundary: int) -> bool:
    """Whether a weak span in front of the boundary belongs to the tags behind it."""
    if one.strength is Strength.FAINT or not _reaches(spans, one, boundary):
        return False
    behind = next((s for s in spans if s.start == boundary), None)
    if behind is not None and behind.speaks_of(*NUMBERING):
        return one.speaks_of(*_BEFORE_YEAR)
    if one.speaks_of(Field.NETWORK):
        return False
    return behind is not None or _is_run(spans, one, boundary)


def _reaches(spans: Sequence[Span], one: Span, boundary: int) -> bool:
    """Whether spans lie one behind the other from this one up to the boundary."""
    chain = boundary
    for other in reversed(spans):
        if other.end == chain and other.start >= one.start:
            chain = other.start
    return chain == one.start


def _is_run(spans: Sequence[Span], one: Span, boundary: int) -> bool:
    """At the end of a name without strong tags, two weak ones in a row are tags."""
    return sum(1 for other in spans if one.start <= other.start < boundary) > 1
