"""Air dates and years."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from capabilities.rules.names.spans import Span, fact_span
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field

EARLIEST_YEAR: Final = 1888
"""The year of the first film."""
LATEST_YEAR: Final = 2039
"""A later number is taken for a part of a title; fixed, so that a name always reads the same."""

_SEPARATORS: Final = frozenset({".", "-", "_", " ", "/"})
_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july",
            "aug august", "sep sept september", "oct october", "nov november", "dec december",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_COMPACT: Final = re.compile(r"(19\d\d|20\d\d)(\d\d)(\d\d)")
_DAY: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_MONTHS_IN_YEAR: Final = 12


def date_at(tokens: Sequence[Token], at: int) -> Span | None:
    """The calendar date that begins at the token.

    Where day and month could be exchanged, the span carries no date: an ambiguous one is not
    guessed, and it is no year either.
    """
    if not tokens[at].low[0].isdecimal():
        return None
    if compact := _COMPACT.fullmatch(tokens[at].low):
        return _span(at, at + 1, int(compact[1]), int(compact[2]), int(compact[3]))
    if at + 2 >= len(tokens) or not _evenly_parted(tokens[at + 1].gap, tokens[at + 2].gap):
        return None
    return _three_words(at, [token.low for token in tokens[at : at + 3]])


def _evenly_parted(first: str, second: str) -> bool:
    return first == second and first in _SEPARATORS


def _three_words(at: int, lows: list[str]) -> Span | None:
    first, second, third = lows
    if second in _MONTHS:
        return _with_month_name(at, first, _MONTHS[second], third)
    if not second.isdecimal() or len(second) > len("12"):
        return None
    if _is_year(first) and third.isdecimal() and len(third) <= len("31"):
        return _span(at, at + 3, int(first), int(second), int(third))
    if _is_year(third) and first.isdecimal() and len(first) <= len("31"):
        return _year_last(at, int(first), int(second), int(third))
    return None


def _with_month_name(at: int, first: str, month: int, third: str) -> Span | None:
    if _is_year(first) and (day := _DAY.fullmatch(third)):
        return _span(at, at + 3, int(first), month, int(day[1]))
    if _is_year(third) and (day := _DAY.fullmatch(first)):
        return _span(at, at + 3, int(third), month, int(day[1]))
    return None


def _year_last(at: int, first: int, second: int, year: int) -> Span | None:
    if first > _MONTHS_IN_YEAR or first == second:
        return _span(at, at + 3, year, second, first)
    if second > _MONTHS_IN_YEAR:
        return _span(at, at + 3, year, first, second)
    return Span(at, at + 3, ())


def _span(start: int, end: int, year: int, month: int, day: int) -> Span | None:
    try:
        return fact_span(start, end, Field.AIR_DATE, date(year, month, day).isoformat())
    except ValueError:
        return None


def _is_year(word: str) -> bool:
    return len(word) == len("2000") and word.isdecimal() and word[:2] in {"19", "20"}


def year_of(word: str) -> int | None:
    """The year the word spells, if a film can have been made in it."""
    if len(word) != len("2000") or not (word.isascii() and word.isdecimal()):
        return None
    return int(word) if EARLIEST_YEAR <= int(word) <= LATEST_YEAR else None
