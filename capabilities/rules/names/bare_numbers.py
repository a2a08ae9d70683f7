"""The third pass: numbers that only their place makes seasons, episodes and volumes."""

from collections.abc import Sequence

from capabilities.rules.names.absolutes import absolute_span
from capabilities.rules.names.compact import compact_span
from capabilities.rules.names.countries import with_country
from capabilities.rules.names.extras import with_extra
from capabilities.rules.names.layout import Layout
from capabilities.rules.names.openings import opening_span, with_episode_title
from capabilities.rules.names.second_numbers import with_second_numbers
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.volumes import with_volume
from capabilities.rules.works import WorkKind


def with_bare_numbers(tokens: Sequence[Token], layout: Layout, expects: WorkKind | None) -> Layout:
    """The layout with spans for these numbers, and a title that ends in front of them."""
    opening = opening_span(tokens, layout)
    if opening:
        layout = with_episode_title(tokens, layout.with_span(opening), opening)
    layout = with_extra(tokens, with_volume(tokens, layout))
    layout = with_second_numbers(tokens, layout)
    number = absolute_span(tokens, layout) or compact_span(tokens, layout, expects)
    return with_country(tokens, layout.with_span(number) if number else layout)
