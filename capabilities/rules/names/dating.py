"""Air dates and years."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from capabilities.rules.names.spans import Span, fact_span
from capabilities.rules.names.tables.months import MONTHS
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field

EARLIEST_YEAR: Final = 1888
"""The year of the first film."""
LATEST_YEAR: Final = 2039
"""A later number is taken for a part of a title; fixed, so that a name always reads the same."""

_SEPARATORS: Final = frozenset({".", "-", "_", " ", "/"})
_COMPACT: Final = re.compile(r"(19\d\d|20\d\d)(\d\d)(\d\d)")
_TWO: Final = re.compile(r"\d\d")
_LATEST_SHORT_YEAR: Final = 29
"""Years of two digits that are taken for one; later ones are the day of another order."""
_SHORT: Final = re.compile(r"([0-3]\d)(\d\d)(\d\d)")
_DAY: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_MONTHS_IN_YEAR: Final = 12


def date_at(tokens: Sequence[Token], at: int) -> Span | None:
    """The calendar date that begins at the token.

    Where day and month could be exchanged, the span carries no date: an ambiguous one is not
    guessed, and it is no year either.
    """
    if tokens[at].low in MONTHS:
        return _month_first(tokens, at)
    if not tokens[at].low[0].isdecimal():
        return None
    if compact := _COMPACT.fullmatch(tokens[at].low):
        return _span(at, at + 1, int(compact[1]), int(compact[2]), int(compact[3]))
    if at and (short := _SHORT.fullmatch(tokens[at].low)):
        return _span(at, at + 1, 2000 + int(short[1]), int(short[2]), int(short[3]))
    if at + 2 >= len(tokens) or not _evenly_parted(tokens[at + 1].gap, tokens[at + 2].gap):
        return None
    if at and tokens[at + 1].gap != " " and (short := _short_year(tokens, at)):
        return short
    return _three_words(at, [token.low for token in tokens[at : at + 3]])


def _month_first(tokens: Sequence[Token], at: int) -> Span | None:
    """``May 28 2019`` and ``May 28th, 2019``."""
    if at + 2 >= len(tokens) or not _is_year(tokens[at + 2].low):
        return None
    day = _DAY.fullmatch(tokens[at + 1].low)
    month = MONTHS[tokens[at].low]
    return _span(at, at + 3, int(tokens[at + 2].low), month, int(day[1])) if day else None


def _evenly_parted(first: str, second: str) -> bool:
    return first == second and first in _SEPARATORS


def _three_words(at: int, lows: list[str]) -> Span | None:
    first, second, third = lows
    if second in MONTHS:
        return _with_month_name(at, first, MONTHS[second], third)
    if not second.isdecimal() or len(second) > len("12"):
        return None
    if _is_year(first) and third.isdecimal() and len(third) <= len("31"):
        return _span(at, at + 3, int(first), int(second), int(third))
    if _is_year(third) and first.isdecimal() and len(first) <= len("31"):
        return _year_last(at, int(first), int(second), int(third))
    return None


def _short_year(tokens: Sequence[Token], at: int) -> Span | None:
    """``03.13.19``, ``28-05-19``: three pairs of digits, in any of the orders people write."""
    lows = [token.low for token in tokens[at : at + 3]]
    if not all(_TWO.fullmatch(low) for low in lows) or _follows_number(tokens[at - 1]):
        return None
    first, second, third = map(int, lows)
    orders = ((third, second, first), (third, first, second), (first, second, third))
    days = {day for year, month, number in orders if (day := _near(year, month, number))}
    if not days:
        return None
    field = Field.AIR_DATE if len(days) == 1 else Field.DATE_READING
    return fact_span(at, at + 3, field, *sorted(day.isoformat() for day in days))


def _follows_number(token: Token) -> bool:
    """Whether the word in front is a numbering that may go on: ``E04.05.06.07``."""
    return token.low[-1].isdecimal()


def _near(year: int, month: int, day: int) -> date | None:
    if year > _LATEST_SHORT_YEAR:
        return None
    try:
        return date(2000 + year, month, day)
    except ValueError:
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
    if max(first, second) > _MONTHS_IN_YEAR or not min(first, second):
        return Span(at, at + 3, ())
    readings = (date(year, first, second), date(year, second, first))
    return fact_span(at, at + 3, Field.DATE_READING, *(one.isoformat() for one in readings))


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
