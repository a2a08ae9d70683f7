"""Seasons and episodes as Chinese, Japanese and Korean names count them."""

import re
from collections.abc import Sequence
from typing import Final

from capabilities.rules.names.sequences import LONGEST_RANGE, is_range, only, run_facts
from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables.rows import Fact
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field

_NUMERALS: Final = {
    "零": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5,
    "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
}  # fmt: skip
_SEASON_UNITS: Final = "季部期"
_EPISODE_UNITS: Final = "集话話回화"
_WHOLE: Final = frozenset("全完")
_COMPLETE: Final = Fact(Field.COMPLETE, "yes")
_NUMBER: Final = re.compile(r"[eE]?[pP]?(\d{1,4})")


def counter_at(tokens: Sequence[Token], at: int) -> Span | None:
    """The counter (第二季, 第01-12集, 全36集, 12話) that begins at the token."""
    low = tokens[at].low
    if low[0] == "第":
        return _ordinal(tokens, at)
    if low in {"全", "共"}:
        return _total(tokens, at)
    return _counted(tokens, at) if low[0].isdecimal() else None


def _ordinal(tokens: Sequence[Token], at: int) -> Span | None:
    spelled = tokens[at].low[1:]
    if spelled:
        numbers, end = only(_numeral(spelled)), at + 1
    else:
        numbers, end = _range(tokens, at + 1)
    if not numbers or end >= len(tokens):
        return None
    return _with_unit(tokens, at, end, numbers, spelled=bool(spelled))


def _with_unit(
    tokens: Sequence[Token], at: int, end: int, numbers: range, *, spelled: bool
) -> Span | None:
    unit = tokens[end].low[0]
    followed = end + 1 < len(tokens) and _begins_counter(tokens, end + 1)
    if unit == "期" and followed:
        return Span(at, end + 1, run_facts(Field.SEASON, [numbers]))
    if unit in _EPISODE_UNITS or (unit == "期" and not spelled):
        return Span(at, end + 1, _episodes(numbers, tokens[end].low))
    if unit in _SEASON_UNITS:
        return Span(at, end + 1, run_facts(Field.SEASON, [numbers]))
    return None


def _begins_counter(tokens: Sequence[Token], at: int) -> bool:
    """Whether another counter follows at once, so that this one counts seasons."""
    unit = at + 1 < len(tokens) and tokens[at].low.isdecimal() and not tokens[at + 1].gap
    return tokens[at].low[0] == "第" or (unit and tokens[at + 1].low[0] in _EPISODE_UNITS)


def _range(tokens: Sequence[Token], at: int) -> tuple[range, int]:
    first = _NUMBER.fullmatch(tokens[at].low) if at < len(tokens) else None
    if not first:
        return range(0), at
    number = int(first[1])
    if at + 1 < len(tokens) and is_range(tokens[at + 1].gap):
        last = _NUMBER.fullmatch(tokens[at + 1].low)
        if last and number < int(last[1]) <= number + LONGEST_RANGE:
            return range(number, int(last[1]) + 1), at + 2
    return only(number), at + 1


def _total(tokens: Sequence[Token], at: int) -> Span | None:
    if at + 2 >= len(tokens) or not tokens[at + 1].low.isdecimal():
        return None
    counts = tokens[at + 2].low[0] in _EPISODE_UNITS
    return Span(at, at + 3, _whole(int(tokens[at + 1].low))) if counts else None


def _whole(count: int) -> tuple[Fact, ...]:
    """A work or a season of so many episodes, all of them."""
    sure = 0 < count <= LONGEST_RANGE
    return (_COMPLETE, Fact(Field.EPISODE_COUNT, str(count))) if sure else (_COMPLETE,)


def _episodes(numbers: range, unit: str) -> tuple[Fact, ...]:
    """Episodes; the unit of a range may end in the word for "all": ``01-12集全``."""
    whole = len(numbers) > 1 and unit[-1] in _WHOLE
    return (*run_facts(Field.EPISODE, [numbers]), *((_COMPLETE,) if whole else ()))


def _counted(tokens: Sequence[Token], at: int) -> Span | None:
    numbers, end = _range(tokens, at)
    if not numbers or end >= len(tokens) or tokens[end].gap:
        return None
    if tokens[end].low == "期":
        return Span(at, end + 1, run_facts(Field.SEASON, [numbers]))
    if tokens[end].low[0] not in _EPISODE_UNITS:
        return None
    if len(numbers) == 1 and tokens[end].low.endswith("全"):
        return Span(at, end + 1, _whole(numbers[0]))
    return Span(at, end + 1, _episodes(numbers, tokens[end].low))


def _numeral(spelled: str) -> int:
    total = digit = 0
    for sign in spelled:
        value = _NUMERALS.get(sign, 0)
        if value == _NUMERALS["十"]:
            total += (digit or 1) * value
            digit = 0
        else:
            digit = value
    return total + digit
