"""The part of a work that was cut in several: ``Part 2``, ``Part Two``, ``Pt. II``."""

from collections.abc import Sequence

from capabilities.rules.names.tables.counting import NUMBER_WORDS, PART_WORDS, ROMANS
from capabilities.rules.names.tokens import Token


def part_at(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """The number of the last part that is named, and the place of the word in front of it."""
    for at in range(len(tokens) - 1, -1, -1):
        if number := _number(tokens, at):
            return number, at
    return None


def _number(tokens: Sequence[Token], at: int) -> int | None:
    low = tokens[at].low
    if low.startswith("part") and low[4:].isdecimal() and len(low) <= len("part12"):
        return int(low[4:])
    if low not in PART_WORDS or at + 1 >= len(tokens):
        return None
    following = tokens[at + 1].low
    if following.isdecimal():
        return int(following) if len(following) <= len("12") else None
    return ROMANS.get(following) or NUMBER_WORDS.get(following)
