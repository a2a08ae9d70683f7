"""A bare number that counts an episode, with the half, the range or the version behind it."""

import re
from collections.abc import Sequence
from typing import Final

from capabilities.rules.names.sequences import LONGEST_RANGE, is_range
from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables.counting import ADDITIONS, ENDINGS, LIST_WORDS, RANGE_WORDS
from capabilities.rules.names.tables.rows import Fact
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field

NUMBER: Final = re.compile(
    r"(\d{1,4})[a-d]?(?:v(\d))?(?:tv)?(?:end|fin|pre)?(?:\+(?:sp|ova|oad)s?)?"
)
_PAIR: Final = re.compile(r"(\d{1,4})[+&](\d{1,4})")
_HALF: Final = re.compile(r"([1-9])(?:v(\d))?")


def count_at(tokens: Sequence[Token], at: int, stop: int) -> Span | None:
    """``05``, ``05v2``, ``05a``, ``05.5``, ``05-08``, ``05 to 08``, ``05+06``, ``05 END``."""
    low = tokens[at].low
    if pair := _PAIR.fullmatch(low):
        return _span(at, at + 1, _run(int(pair[1]), int(pair[2])) or [pair[1], pair[2]])
    match = NUMBER.fullmatch(low)
    if not match:
        return None
    first, end, version = int(match[1]), at + 1, match[2]
    numbers, behind, later = _continued(tokens, first, end, stop)
    if len(numbers) > 1:
        numbers, behind = _with_second_range(tokens, numbers, behind, stop)
    if behind < stop and tokens[behind].low in ENDINGS and not _goes_on(tokens, behind):
        behind += 1
    if behind < stop and tokens[behind].low in ADDITIONS and tokens[behind].gap == "+":
        behind += 1
    return _span(at, behind, numbers, version or later)


def _continued(
    tokens: Sequence[Token], first: int, end: int, stop: int
) -> tuple[Sequence[str], int, str | None]:
    """The numbers from the first one on, where they end, and the version said with the last."""
    if end >= stop:
        return [str(first)], end, None
    half = _HALF.fullmatch(tokens[end].low)
    if half and tokens[end].gap == ".":
        return [f"{first}.{half[1]}"], end + 1, half[2]
    word = tokens[end].low
    joined = word in RANGE_WORDS or word in LIST_WORDS
    if joined and end + 1 < stop:
        last = NUMBER.fullmatch(tokens[end + 1].low)
        listed = _run(first, int(last[1])) if last else []
        if listed and (word in RANGE_WORDS or len(listed) == len("ab")):
            return listed, end + 2, None
        return [str(first)], end, None
    last = NUMBER.fullmatch(word) if is_range(tokens[end].gap) else None
    listed = _run(first, int(last[1])) if last else []
    return (listed, end + 1, last[2]) if last and listed else ([str(first)], end, None)


def _with_second_range(
    tokens: Sequence[Token], numbers: Sequence[str], at: int, stop: int
) -> tuple[Sequence[str], int]:
    """The numbers with those of the range behind an "and": ``01-03 & 05-08``."""
    if at + 2 >= stop or tokens[at].low not in LIST_WORDS:
        return numbers, at
    second = NUMBER.fullmatch(tokens[at + 1].low)
    if not second or int(second[1]) <= int(numbers[-1]):
        return numbers, at
    more, end, _ = _continued(tokens, int(second[1]), at + 2, stop)
    return ([*numbers, *more], end) if len(more) > 1 else (numbers, at)


def _goes_on(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word is the first sign of a counter such as ``全12集``."""
    return at + 1 < len(tokens) and not tokens[at + 1].gap and tokens[at + 1].low.isdecimal()


def _run(first: int, last: int) -> list[str]:
    """All numbers from one to the other, or none where they do not rise."""
    if not first < last <= first + LONGEST_RANGE:
        return []
    return [str(one) for one in range(first, last + 1)]


def _span(start: int, end: int, numbers: Sequence[str], version: str | None = None) -> Span:
    facts = [Fact(Field.ABSOLUTE, number) for number in numbers]
    if version:
        facts.append(Fact(Field.REVISION, f"v{version}"))
    return Span(start, end, tuple(facts))
