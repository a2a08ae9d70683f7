"""Addresses of sites that stand in a name: in front of it, or in a bracket of their own."""

from collections.abc import Sequence

from capabilities.rules.names.brackets import address_end, bracket_end, is_address
from capabilities.rules.names.tokens import Token


def website_range(tokens: Sequence[Token]) -> range:
    """The words of the first address, empty where the name carries none."""
    if end := address_end(tokens):
        return range(end)
    at = 0
    while at < len(tokens):
        end = bracket_end(tokens, at)
        if tokens[at].bracket and (found := _within(tokens, at, end)):
            return found
        at = end
    return range(0)


def _within(tokens: Sequence[Token], at: int, end: int) -> range:
    for start in (at, *(step for step in range(at + 1, end) if tokens[step].low == "www")):
        if is_address(tokens[start:end]):
            return range(start, end)
    return range(0)
