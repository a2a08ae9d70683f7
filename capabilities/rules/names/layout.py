"""The second pass: where the title stands, and which marked words are tags there."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from capabilities.rules.names.brackets import Lead, leading, opens_square
from capabilities.rules.names.spans import Span, covered_by
from capabilities.rules.names.tables.counting import SUBTITLE_WORDS
from capabilities.rules.names.tables.rows import Fact, Strength
from capabilities.rules.names.tokens import Token, is_east_asian
from capabilities.rules.names.vocabulary import Field
from capabilities.rules.names.years import without_titles, year_in_front, year_span

NUMBERING: Final = (
    Field.SEASON,
    Field.EPISODE,
    Field.AIR_DATE,
    Field.DATE_READING,
    Field.YEAR,
)
_BEFORE_YEAR: Final = (Field.EDITION, Field.REVISION, Field.COMPLETE, Field.THREE_D)
_FRAGMENTS: Final = (Field.LANGUAGE, Field.SUBTITLE, Field.EDITION)
_END: Final = Fact(Field.COMPLETE, "end")
_REAL: Final = (Fact(Field.REVISION, "real"),)
_ARTICLES: Final = frozenset({"the", "a", "an"})


@dataclass(frozen=True)
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

    # read from many places, each for many tokens: worked out once, so that a name of nothing but
    # tags costs no more than its length
    @cached_property
    def covered(self) -> frozenset[int]:
        """The numbers of all tokens that lie in a span."""
        return frozenset(covered_by(self.spans))

    @cached_property
    def strong(self) -> frozenset[int]:
        """The numbers of all tokens that are surely tags, or marks of a revision."""
        return frozenset(
            covered_by(
                one
                for one in self.spans
                if one.strength is Strength.STRONG or one.speaks_of(Field.REVISION)
            )
        )

    @cached_property
    def starting(self) -> dict[int, Span]:
        """The spans by their first token."""
        return {one.start: one for one in self.spans}

    @cached_property
    def ending(self) -> dict[int, Span]:
        """The spans by the token behind them."""
        return {one.end: one for one in self.spans}

    def with_span(self, span: Span) -> "Layout":
        """The layout with one more span; a title ends where it begins, or begins behind it."""
        kept = [one for one in self.spans if one.end <= span.start or one.start >= span.end]
        spans = sorted([*kept, span], key=lambda one: one.start)
        title = range(self.title.start, min(self.title.stop, span.start))
        if span.start == self.title.start:
            title = range(span.end, max(self.title.stop, span.end))
        return Layout(self.lead, title, tuple(spans), self.tail)


def lay_out(tokens: Sequence[Token], marked: Sequence[Span]) -> Layout:
    """Find the zones of a name."""
    lead: Lead = leading(tokens, marked)
    marked = without_titles(tokens, marked, lead.title_start)
    spans = _with_year(tokens, marked, lead.title_start)
    tail = _tail(tokens, spans, lead.title_start)
    boundary = _boundary(tokens, spans, lead.title_start)
    kept = tuple(_kept(tokens, spans, lead.title_start, boundary, tail))
    end = min((one.start for one in kept if one.start >= lead.title_start), default=boundary)
    end = _without_article(tokens, kept, lead.title_start, min(end, boundary))
    return Layout(lead.group, range(lead.title_start, end), kept, tail)


def _without_article(tokens: Sequence[Token], kept: Sequence[Span], start: int, end: int) -> int:
    """The end of the title without the article of ``The Uncut Version``."""
    edition = any(one.start == end and one.speaks_of(Field.EDITION) for one in kept)
    return end - 1 if edition and end - 1 > start and tokens[end - 1].low in _ARTICLES else end


def _with_year(tokens: Sequence[Token], marked: Sequence[Span], start: int) -> list[Span]:
    year = year_span(tokens, marked, start) or year_in_front(tokens, start)
    if year is None:
        return list(marked)
    rest = [one for one in marked if one.end <= year.start or one.start >= year.end]
    return sorted([*rest, year], key=lambda one: one.start)


def _tail(tokens: Sequence[Token], spans: Sequence[Span], start: int) -> int:
    for one in spans:
        if one.start < start or one.speaks_of(*NUMBERING, Field.EXTRA):
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
    titled = _titled(tokens, spans, tail)
    spans = [one for one in spans if one.start not in titled]
    covered = covered_by(spans)
    whole = _is_nothing_but_tags(tokens, spans)
    behind = next((one for one in spans if one.start == boundary), None)
    revisions = frozenset(one.start for one in spans if one.speaks_of(Field.REVISION))
    zone = _Front(tokens, start, boundary, _chain(spans, boundary), behind, revisions)
    return [
        one
        for one in spans
        if one.start < start
        or (one.start >= boundary and _counts_after(tokens, one, covered, tail))
        or (one.start > start and one.end <= boundary and _counts_before(zone, one))
        or (one.start == start and _opens_tags(one))
        or whole
    ]


def _opens_tags(one: Span) -> bool:
    """Whether a span right at the start is a tag: an edition or a depth in front is a title."""
    return one.strength is Strength.STRONG and not one.speaks_of(Field.EDITION, Field.BIT_DEPTH)


def _is_nothing_but_tags(tokens: Sequence[Token], spans: Sequence[Span]) -> bool:
    """Whether the name is nothing but words on languages and editions: ``Extended Cut.mkv``."""
    spoken = all(
        one.speaks_of(*_FRAGMENTS) or tokens[one.start].low in SUBTITLE_WORDS for one in spans
    )
    return spoken and sum(one.end - one.start for one in spans) == len(tokens)


def _titled(tokens: Sequence[Token], spans: Sequence[Span], tail: int) -> set[int]:
    """Where known words begin an episode's title: ``S02E05.Limited.Winter.720p``.

    They do right behind a numbering, written as words of a title are, where more words follow.
    """
    by_start = {one.start: one for one in spans}
    found: set[int] = set()
    for one in spans if tail < len(tokens) else ():
        if not one.speaks_of(Field.EPISODE, Field.AIR_DATE):
            continue
        run: list[int] = []
        at = one.end
        while (word := by_start.get(at)) and _is_worded(tokens, word):
            run.append(at)
            at = word.end
        if at < tail and at not in by_start and not tokens[at].bracket:
            found.update(run)
    return found


def _is_worded(tokens: Sequence[Token], one: Span) -> bool:
    """Whether a weak span is written with one capital letter, outside brackets."""
    first = tokens[one.start]
    return one.strength is not Strength.STRONG and first.text.istitle() and not first.bracket


def _counts_after(tokens: Sequence[Token], one: Span, covered: set[int], tail: int) -> bool:
    if one.strength is Strength.STRONG or one.start >= tail:
        return True
    return one.start - 1 in covered or one.end in covered or tokens[one.start].bracket > 0


@dataclass(frozen=True, slots=True)
class _Front:
    """The part of a name between the title's start and the boundary behind it."""

    tokens: Sequence[Token]
    start: int
    boundary: int
    chain: int
    behind: Span | None
    revisions: frozenset[int]

    def revised(self, at: int) -> bool:
        """Whether a proper or a repack is named from the token on."""
        return at in self.revisions


def _counts_before(front: _Front, one: Span) -> bool:
    """Whether a weak span in front of the boundary belongs to the tags behind it."""
    if _is_eastern_tag(front, one):
        return True
    if one.strength is Strength.FAINT or one.start < front.chain:
        return False
    behind = front.behind
    if one.facts == _REAL and not front.revised(one.end):
        return False
    if behind is not None and behind.speaks_of(*NUMBERING):
        tag = one.speaks_of(*_BEFORE_YEAR) and _END not in one.facts
        return tag or _is_spoken(front, one)
    if one.speaks_of(Field.NETWORK) or _is_named(front, one):
        return False
    return behind is not None or one.end < front.boundary


def _is_eastern_tag(front: _Front, one: Span) -> bool:
    """Whether a word of signs behind a blank says how the film is spoken, written or coded."""
    first = front.tokens[one.start]
    tagged = one.speaks_of(Field.LANGUAGE, Field.SUBTITLE, Field.DYNAMIC_RANGE, Field.OTHER)
    apart = first.gap in {" ", "."} and len(first.low) > len("中文")
    return tagged and apart and is_east_asian(first.low)


def _is_spoken(front: _Front, one: Span) -> bool:
    """Whether a language right before a year is a tag and no word of the title.

    It is where it alone is written in capitals, and in the German habit ``Titel.German.2014``,
    unless an article in front makes it an adjective (*The Good German*).
    """
    if not one.speaks_of(Field.LANGUAGE) or one.start - front.start < 1:
        return False
    said = front.tokens[one.start]
    if said.low == "german":
        few = one.start - front.start <= len(("The", "Good"))
        return not (few and front.tokens[front.start].low in _ARTICLES)
    if said.text.isupper() and len(said.text) > len("ABC"):
        return not all(token.text.isupper() for token in front.tokens[front.start : one.start])
    return False


def _is_named(front: _Front, one: Span) -> bool:
    """Whether an article right in front makes a language the last word of the title."""
    said, before = front.tokens[one.start], front.tokens[one.start - 1]
    return one.speaks_of(Field.LANGUAGE) and before.low in _ARTICLES and not said.text.isupper()


def _chain(spans: Sequence[Span], boundary: int) -> int:
    """Where the spans begin that lie one behind the other up to the boundary."""
    chain = boundary
    for one in reversed(spans):
        if one.end == chain:
            chain = one.start
    return chain
