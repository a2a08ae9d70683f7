"""Brackets in front of a name: groups, sites and marks that come before the title."""

from collections.abc import Sequence
from dataclasses import dataclass

from capabilities.rules.names import signs
from capabilities.rules.names.spans import Span, covered_by
from capabilities.rules.names.tables.sites import DOMAINS, SITES
from capabilities.rules.names.tokens import Token


@dataclass(frozen=True, slots=True)
class Lead:
    """What stands in front of a title: the tokens of a group's name, and where the title starts."""

    group: range
    title_start: int


def opens_square(token: Token) -> bool:
    """Whether the token is the first one in a bracket other than a round one."""
    first = next((sign for sign in token.gap if sign in signs.OPENING), "")
    return bool(token.bracket and first) and first in signs.SQUARE_OPENING


def bracket_end(tokens: Sequence[Token], at: int) -> int:
    """The number of the first token behind the bracket in which this one stands."""
    end = at
    while end < len(tokens) and tokens[end].bracket == tokens[at].bracket:
        end += 1
    return end


def is_site(tokens: Sequence[Token]) -> bool:
    """Whether the words are a site's name or address, as reposts carry it."""
    lows = [token.low for token in tokens]
    if lows[0] in {"www", "wwww"} or (len(lows) == 1 and lows[0] in SITES):
        return True
    dotted = any(token.gap == "." for token in tokens[1:])
    return dotted and lows[-1] in DOMAINS


def leading(tokens: Sequence[Token], spans: Sequence[Span]) -> Lead:
    """Read the brackets and addresses in front of the title."""
    covered = covered_by(spans)
    at = _address_end(tokens)
    group = range(0)
    while at < len(tokens) and tokens[at].bracket:
        end = bracket_end(tokens, at)
        inside = tokens[at:end]
        if end == len(tokens):
            break
        if is_site(inside) or _is_notice(inside) or covered.issuperset(range(at, end)):
            at = end
        elif opens_square(tokens[at]) and not group:
            group, at = range(at, end), end
        else:
            break
    return Lead(group, _notice_end(tokens, at))


def _address_end(tokens: Sequence[Token]) -> int:
    """Behind an address without brackets, as in ``www.site.org - Title``."""
    for at, token in enumerate(tokens[:6]):
        if token.bracket or (at and token.gap not in {".", "-"}):
            parted = at > 1 and token.gap.strip() in {"", *signs.DASHES}
            return at if parted and is_site(tokens[:at]) else 0
    return 0


def _is_notice(tokens: Sequence[Token]) -> bool:
    return any(
        token.low == "国漫" or "新番" in token.low or "招募" in token.low for token in tokens
    )


def _notice_end(tokens: Sequence[Token], at: int) -> int:
    """Behind a season notice as in ``★04月新番★``."""
    for end in range(at, min(at + 4, len(tokens))):
        if "新番" in tokens[end].low:
            return end + 1
    return at
