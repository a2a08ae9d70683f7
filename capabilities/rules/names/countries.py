"""The country that tells two works of one title apart, as in ``Title.US.S01E01``."""

from collections.abc import Sequence
from typing import Final

from capabilities.rules.names.layout import Layout
from capabilities.rules.names.spans import Span, fact_span
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field

_CODES: Final = {"US": "US", "USA": "US", "UK": "GB", "GB": "GB", "AU": "AU", "NZ": "NZ"}
_STRUCTURE: Final = (Field.SEASON, Field.EPISODE, Field.AIR_DATE)


def with_country(tokens: Sequence[Token], layout: Layout) -> Layout:
    """The layout with the code of a country between a series' title and its numbers, or behind."""
    at = layout.title.stop - 1
    if not any(one.speaks_of(*_STRUCTURE) for one in layout.spans):
        return layout
    if at > layout.title.start and _is_code(tokens[at]) and _ends_title(tokens, layout, at):
        return layout.with_span(_country(tokens, at))
    behind = next((one.end for one in layout.spans if one.speaks_of(Field.SEASON)), len(tokens))
    tagged = any(one.start == behind + 1 for one in layout.spans)
    if behind < len(tokens) and tagged and _is_code(tokens[behind]):
        return layout.with_span(_country(tokens, behind))
    return layout


def _is_code(token: Token) -> bool:
    return token.text in _CODES and token.low != "usa"


def _ends_title(tokens: Sequence[Token], layout: Layout, at: int) -> bool:
    """Whether a tag follows, or the code stands in a bracket of its own."""
    follows = any(one.start == at + 1 for one in layout.spans)
    return follows or tokens[at].bracket != tokens[at - 1].bracket


def _country(tokens: Sequence[Token], at: int) -> Span:
    return fact_span(at, at + 1, Field.COUNTRY, _CODES[tokens[at].text])
