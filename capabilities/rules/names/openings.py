"""Numbers in front of a title: ``05 - Title``, ``003-004. Title``, ``4-13 Title``."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from capabilities.rules.names.layout import Layout
from capabilities.rules.names.sequences import only, run_facts
from capabilities.rules.names.spans import Span, fact_span
from capabilities.rules.names.tables.languages import CODES
from capabilities.rules.names.tokens import Token, parts_fields
from capabilities.rules.names.vocabulary import Field

_NUMBER: Final = re.compile(r"(0\d|\d{3})[a-d]?")
_SHORT: Final = re.compile(r"\d{1,2}")
_EPISODE: Final = re.compile(r"\d\d")
_CODES: Final = {code: tag for tag, codes in CODES.items() for code in codes.split()}
_FILM: Final = re.compile(r"f\d{1,2}")
_DAY: Final = re.compile(r"[0-4]\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
_MOST_IN_ONE: Final = 4
"""Episodes behind the first one of a file in front of whose title they stand."""
_STRUCTURE: Final = (Field.SEASON, Field.EPISODE, Field.ABSOLUTE, Field.AIR_DATE)


def opening_span(tokens: Sequence[Token], layout: Layout) -> Span | None:
    """What stands in front of the title and is no part of it."""
    at, stop = layout.title.start, layout.title.stop
    if stop - at < len(("05", "Title")) or tokens[at].bracket:
        return None
    if _DAY.fullmatch(tokens[at].low) and tokens[at + 1].gap in {" ", "_"}:
        return Span(at, at + 1, ())
    if front := _language(tokens, at) or _film(tokens, layout):
        return front
    if any(one.speaks_of(*_STRUCTURE, Field.YEAR) for one in layout.spans):
        return None
    return _season_and_episode(tokens, at) or _number(tokens, at, stop)


def _language(tokens: Sequence[Token], at: int) -> Span | None:
    """``FR - Title``: the code of a language, as lists of channels have it."""
    tag = _CODES.get(tokens[at].low)
    coded = tag is not None and tokens[at].text[0].isupper() and parts_fields(tokens[at + 1].gap)
    return fact_span(at, at + 1, Field.LANGUAGE, tag) if tag and coded else None


def _film(tokens: Sequence[Token], layout: Layout) -> Span | None:
    """``Series-f21-Title``: a row of films and the number of this one, between two dashes."""
    for at in range(layout.title.start + 1, layout.title.stop - 1):
        if tokens[at].gap == "-" == tokens[at + 1].gap and _FILM.fullmatch(tokens[at].low):
            return Span(layout.title.start, at + 1, ())
    return None


def _season_and_episode(tokens: Sequence[Token], at: int) -> Span | None:
    season, episode = tokens[at].low, tokens[at + 1].low
    paired = _SHORT.fullmatch(season) and _EPISODE.fullmatch(episode)
    if not paired or tokens[at + 1].gap != "-" or int(season) >= int(episode):
        return None
    numbers = (
        *run_facts(Field.SEASON, [only(int(season))]),
        *run_facts(Field.EPISODE, [only(int(episode))]),
    )
    return Span(at, at + 2, numbers)


def _number(tokens: Sequence[Token], at: int, stop: int) -> Span | None:
    first = _NUMBER.fullmatch(tokens[at].low)
    if not first:
        return None
    run, end = only(int(first[1])), at + 1
    last = _NUMBER.fullmatch(tokens[end].low)
    if last and tokens[end].gap in {"-", ", "} and _follows(run[-1], int(last[1]), tokens[end].gap):
        run, end = range(run[0], int(last[1]) + 1), end + 1
    if end >= stop or not (parts_fields(tokens[end].gap) or tokens[end].gap in {". ", "._"}):
        return None
    return Span(at, end, run_facts(Field.EPISODE, [run]))


def _follows(first: int, last: int, gap: str) -> bool:
    """Whether a second number goes on behind the first: the next one, or the end of a range."""
    return last == first + 1 or (gap == "-" and first < last <= first + _MOST_IN_ONE)


def with_episode_title(tokens: Sequence[Token], layout: Layout, opening: Span) -> Layout:
    """The layout with a title that ends in front of the episode's: ``05 - Title - Episode``."""
    if not opening.speaks_of(Field.EPISODE):
        return layout
    inside = range(layout.title.start + 1, layout.title.stop)
    stop = next((at for at in inside if parts_fields(tokens[at].gap)), layout.title.stop)
    return replace(layout, title=range(layout.title.start, stop))
