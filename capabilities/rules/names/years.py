"""Which four digits of a name are its year, and which are a part of its title."""

from collections.abc import Sequence

from capabilities.rules.names.dating import year_of
from capabilities.rules.names.spans import Span, covered_by, fact_span
from capabilities.rules.names.tables.rows import Strength
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field


def year_span(tokens: Sequence[Token], spans: Sequence[Span], start: int) -> Span | None:
    """The year of the name.

    A year alone in brackets is taken first, then the last one in front of the technical part (the
    first words of a title are never its year), then one right behind another tag.
    """
    taken = covered_by(spans)
    years = {
        at: year
        for at, token in enumerate(tokens)
        if at >= start and at not in taken and (year := year_of(token.low))
    }
    years.pop(start, None)
    if not years:
        return None
    technical = _technical(tokens, spans, start)
    at = (
        next((at for at in years if _alone(tokens, at)), None)
        or max((at for at in years if at < technical), default=None)
        or next((at for at in years if at - 1 in taken), None)
    )
    return None if at is None else _from(tokens, years, at)


def _technical(tokens: Sequence[Token], spans: Sequence[Span], start: int) -> int:
    strong = (s.start for s in spans if s.start > start and s.strength is Strength.STRONG)
    return next(strong, len(tokens))


def _alone(tokens: Sequence[Token], at: int) -> bool:
    bracket = tokens[at].bracket
    if not bracket:
        return False
    before = tokens[at - 1].bracket if at else 0
    after = tokens[at + 1].bracket if at + 1 < len(tokens) else 0
    return bracket not in {before, after}


def _from(tokens: Sequence[Token], years: dict[int, int], at: int) -> Span:
    """The span of a year, or of a run of years such as 2011-2017, which counts from its first."""
    if at - 1 in years and tokens[at].gap.strip() == "-":
        return fact_span(at - 1, at + 1, Field.YEAR, years[at - 1])
    if at + 1 in years and tokens[at + 1].gap.strip() == "-":
        return fact_span(at, at + 2, Field.YEAR, years[at])
    return fact_span(at, at + 1, Field.YEAR, years[at])
