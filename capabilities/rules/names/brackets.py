"""Brackets in front of a name: groups, sites and marks that come before the title."""

from collections.abc import Sequence
from dataclasses import dataclass

from capabilities.rules.names import signs
from capabilities.rules.names.dating import year_of
from capabilities.rules.names.spans import Span, covered_by
from capabilities.rules.names.tables.rows import Strength
from capabilities.rules.names.tables.sites import DOMAINS, SITES
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field


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


def bracket_start(tokens: Sequence[Token], at: int) -> int:
    """The number of the first token of the bracket in which this one stands."""
    start = at
    while start and tokens[start - 1].bracket == tokens[at].bracket:
        start -= 1
    return start


def is_site(tokens: Sequence[Token]) -> bool:
    """Whether the words are a site's name or address, as reposts carry it."""
    return (len(tokens) == 1 and tokens[0].low in SITES) or is_address(tokens)


def is_address(tokens: Sequence[Token]) -> bool:
    """Whether the words are an address, such as ``www.example.org``."""
    if set(tokens[0].low) == {"w"} and len(tokens) > 1:
        return True
    dotted = len(tokens) > 1 and tokens[-1].gap == "."
    dotted = dotted and all(token.gap in {".", "-"} for token in tokens[1:])
    return dotted and tokens[-1].low in DOMAINS


def leading(tokens: Sequence[Token], spans: Sequence[Span]) -> Lead:
    """Read the brackets and addresses in front of the title."""
    told = covered_by(one for one in spans if not _is_name_too(one))
    at = address_end(tokens)
    group = range(0)
    while at < len(tokens) and tokens[at].bracket:
        end = bracket_end(tokens, at)
        inside = tokens[at:end]
        if end == len(tokens):
            break
        nameless = not any(char.isalnum() for token in inside for char in token.text)
        if (
            nameless
            or _is_year(inside)
            or is_site(inside)
            or _is_notice(inside)
            or told.issuperset(range(at, end))
        ):
            at = end
        elif opens_square(tokens[at]) and not group:
            group, at = range(at, end), end
        elif opens_square(tokens[at]) and group.stop == at and _is_second_group(tokens, at, told):
            group, at = range(group.start, end), end
        else:
            break
    return Lead(group, _notice_end(tokens, at))


def _is_second_group(tokens: Sequence[Token], at: int, told: set[int]) -> bool:
    """Whether a bracket behind a group's holds one word, and the title follows without brackets."""
    end = bracket_end(tokens, at)
    if any(token.gap != "-" for token in tokens[at + 1 : end]) or not tokens[at].text.isascii():
        return False
    while end < len(tokens) and tokens[end].bracket and end in told:
        end = bracket_end(tokens, end)
    words = 0
    while end < len(tokens) and not tokens[end].bracket and end not in told:
        words, end = words + tokens[end].low.isalpha(), end + 1
    return words > 1


def _is_name_too(one: Span) -> bool:
    """Whether the words may be a group's name as well as a network's or a scene's."""
    return one.strength is not Strength.STRONG and one.speaks_of(Field.NETWORK, Field.OTHER)


def address_end(tokens: Sequence[Token]) -> int:
    """Behind an address without brackets, as in ``www.site.org - Title``."""
    for at, token in enumerate(tokens[:6]):
        if token.bracket or (at and token.gap not in {".", "-"}):
            if token.gap in {" ", "_"} and tokens[0].low == "www":
                continue
            parted = at > 1 and token.gap.strip(" _") in {"", *signs.DASHES}
            return at if parted and is_site(tokens[:at]) else 0
    return 0


def _is_year(tokens: Sequence[Token]) -> bool:
    return len(tokens) == 1 and year_of(tokens[0].low) is not None


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
