"""Season and episode in one short number, as broadcast series have it: ``Title.103.HDTV``."""

import re
from collections.abc import Sequence
from typing import Final

from capabilities.rules.names.dating import EARLIEST_YEAR, LATEST_YEAR
from capabilities.rules.names.layout import Layout
from capabilities.rules.names.sequences import only, run_facts
from capabilities.rules.names.spans import Span, fact_span
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field, Source
from capabilities.rules.works import WorkKind

_PAIR: Final = re.compile(r"([1-9])(\d\d)|(0[1-9]|[12]\d)(\d\d)")
_THROUGH: Final = re.compile(r"0\d\d")
_NOUGHT: Final = re.compile(r"0[1-9]")
_SHORT: Final = re.compile(r"0[1-9]|[1-9]\d")
_BROADCAST: Final = frozenset({Source.HDTV, Source.TV})
_STRUCTURE: Final = (Field.SEASON, Field.EPISODE, Field.ABSOLUTE, Field.AIR_DATE)


def compact_span(tokens: Sequence[Token], layout: Layout, expects: WorkKind | None) -> Span | None:
    """The short number that ends the title or follows the year, where it counts episodes.

    It does in what was broadcast, in what is known to be a series, and where nothing names a
    source; a number in front of a year is a part of a film's title.
    """
    if expects is WorkKind.FILM or layout.lead or _speaks(layout, *_STRUCTURE):
        return None
    at = _place(tokens, layout)
    if at is None or tokens[at].bracket:
        return None
    sources = _sources(layout)
    likely = expects is WorkKind.SERIES or not sources.isdisjoint(_BROADCAST)
    if likely or not sources or _NOUGHT.match(tokens[at].low):
        return _read(tokens, at, surely=likely, through=_is_subtitled(layout))
    return None


def _place(tokens: Sequence[Token], layout: Layout) -> int | None:
    year = next((one for one in layout.spans if one.speaks_of(Field.YEAR)), None)
    if year is None:
        return layout.title.stop - 1 if len(layout.title) > 1 else None
    behind = year.end
    free = behind < len(tokens) and not any(one.start == behind for one in layout.spans)
    return behind if free and year.start == layout.title.stop else None


def _read(tokens: Sequence[Token], at: int, *, surely: bool, through: bool) -> Span | None:
    match = _PAIR.fullmatch(tokens[at].low)
    if _THROUGH.fullmatch(tokens[at].low) or (match and through):
        return fact_span(at, at + 1, Field.ABSOLUTE, int(tokens[at].low))
    if not match:
        wanted = _SHORT if surely or through else _NOUGHT
        alone = wanted.fullmatch(tokens[at].low)
        return fact_span(at, at + 1, Field.ABSOLUTE, int(tokens[at].low)) if alone else None
    season, episode = int(match[1] or match[3]), int(match[2] or match[4])
    if not episode or EARLIEST_YEAR <= int(match[0]) <= LATEST_YEAR:
        return None
    if match[3] and match[3][0] != "0" and not surely:
        return None
    return _with_one_before(tokens, at, season, episode)


def _with_one_before(tokens: Sequence[Token], at: int, season: int, episode: int) -> Span:
    """The number with an earlier one of the same season right in front of it."""
    episodes, start = [only(episode)], at
    before = _PAIR.fullmatch(tokens[at - 1].low)
    if before and before[1] and int(before[1]) == season and int(before[2]) == episode - 1:
        episodes, start = [only(episode - 1), *episodes], at - 1
    facts = (*run_facts(Field.SEASON, [only(season)]), *run_facts(Field.EPISODE, episodes))
    return Span(start, at + 1, facts)


def _is_subtitled(layout: Layout) -> bool:
    """Whether subtitles follow at once, as in anime, whose numbers count through."""
    return any(
        one.start == layout.title.stop and one.speaks_of(Field.SUBTITLE) for one in layout.spans
    )


def _sources(layout: Layout) -> set[str]:
    return {fact.value for one in layout.spans for fact in one.facts if fact.field is Field.SOURCE}


def _speaks(layout: Layout, *fields: Field) -> bool:
    return any(one.speaks_of(*fields) for one in layout.spans)
