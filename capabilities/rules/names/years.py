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
    if any(one.start == technical and one.speaks_of(Field.SEASON) for one in spans):
        years = {
            at: year
            for at, year in years.items()
            if not _is_amid(tokens, range(at + 1, technical), taken)
        }
    at = (
        next((at for at in years if _alone(tokens, at)), None)
        or next((at for at in years if _heads_list(tokens, at)), None)
        or max((at for at in years if at < technical), default=None)
        or next(
            (at for at in years if at - 1 in taken and not _begins_words(tokens, at, spans)), None
        )
    )
    return None if at is None else _from(tokens, years, at)


def without_titles(tokens: Sequence[Token], spans: Sequence[Span], start: int) -> list[Span]:
    """The spans without those that only look like numbering and are titles.

    The ``Episode 5`` of a film is one where no season is named, more of the title follows, and
    then a year; so are the first words where the whole numbering comes behind: ``4x4.S02E05``.
    """
    whole = [one for one in spans if one.speaks_of(Field.SEASON) and one.speaks_of(Field.EPISODE)]
    if len(whole) > 1 and whole[0].start == start and "x" in tokens[start].low:
        return [one for one in spans if one is not whole[0]]
    if spans and _is_group(tokens, spans):
        return list(spans[:-1])
    if whole:
        return [one for one in spans if one is whole[0] or not _is_series(tokens, one)]
    if any(one.speaks_of(Field.SEASON, Field.AIR_DATE) for one in spans):
        return list(spans)
    taken = covered_by(spans)
    return [one for one in spans if not _is_chapter(tokens, one, taken)]


def _is_group(tokens: Sequence[Token], spans: Sequence[Span]) -> bool:
    """Whether the name ends in a group that looks like a season: ``…DD5.1-S56``."""
    last, before = spans[-1], spans[:-1]
    ends = last.end == len(tokens) or tokens[last.end].bracket > 0
    alone = ends and last.end == last.start + 1 and tokens[last.start].gap == "-"
    if not alone or not last.speaks_of(Field.SEASON) or last.speaks_of(Field.EPISODE):
        return False
    technical = any(one.speaks_of(Field.RESOLUTION, Field.VIDEO_CODEC) for one in before)
    return technical and before[-1].end == last.start


def _is_series(tokens: Sequence[Token], one: Span) -> bool:
    """Whether the span is the *Series 7* of a title, beside a season and an episode."""
    return tokens[one.start].low == "series" and not one.speaks_of(Field.EPISODE)


def _is_chapter(tokens: Sequence[Token], one: Span, taken: set[int]) -> bool:
    if tokens[one.start].low != "episode" or one.end - one.start != len(("episode", "5")):
        return False
    behind = range(one.end, len(tokens))
    words = next((at for at in behind if at in taken or year_of(tokens[at].low)), len(tokens))
    return one.end < words < len(tokens) and year_of(tokens[words].low) is not None


def year_in_front(tokens: Sequence[Token], start: int) -> Span | None:
    """A year alone in a bracket in front of the title: ``(2014) Title``."""
    for at in range(start):
        if _alone(tokens, at) and (year := year_of(tokens[at].low)):
            return fact_span(at, at + 1, Field.YEAR, year)
    return None


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


def _is_amid(tokens: Sequence[Token], words: range, taken: set[int]) -> bool:
    """Whether the words between a year and the season are the title's: ``In.1984.Again.S01``."""
    parted = any(tokens[at].bracket or "-" in tokens[at].gap for at in words)
    parted = parted or tokens[words.start - 1].bracket > 0
    return not parted and any(at not in taken for at in words)


def _begins_words(tokens: Sequence[Token], at: int, spans: Sequence[Span]) -> bool:
    """Whether a year behind an episode goes on as its title: ``S02E05.1984.Again.720p``."""
    counted = any(one.end == at and one.speaks_of(Field.EPISODE) for one in spans)
    following = min((one.start for one in spans if one.start > at), default=at)
    words = tokens[at + 1 : following]
    worded = any(word.low.isalpha() for word in words)
    return counted and worded and not any(word.bracket for word in words)


def _heads_list(tokens: Sequence[Token], at: int) -> bool:
    """Whether a year opens a bracket of fields parted by commas: ``[2017, WEBRip]``."""
    opens = tokens[at].bracket and tokens[at - 1].bracket != tokens[at].bracket
    follows = at + 1 < len(tokens) and tokens[at + 1].bracket == tokens[at].bracket
    return bool(opens and follows) and tokens[at + 1].gap.strip() == ","


def _from(tokens: Sequence[Token], years: dict[int, int], at: int) -> Span:
    """The span of a year, or of a run of years such as 2011-2017, which counts from its first."""
    if at - 1 in years and tokens[at].gap.strip() == "-":
        return fact_span(at - 1, at + 1, Field.YEAR, years[at - 1])
    if at + 1 in years and tokens[at + 1].gap.strip() == "-":
        return fact_span(at, at + 2, Field.YEAR, years[at])
    return fact_span(at, at + 1, Field.YEAR, years[at])
