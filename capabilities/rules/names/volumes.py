"""Volumes of discs, which group several episodes: ``[Group] Title Vol. 2``."""

import re
from collections.abc import Sequence
from typing import Final

from capabilities.rules.names.layout import Layout
from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables.counting import VOLUME_WORDS
from capabilities.rules.names.tables.rows import Fact
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field

_NUMBER: Final = re.compile(r"\d{1,3}(?:v(\d))?")


def with_volume(tokens: Sequence[Token], layout: Layout) -> Layout:
    """The layout with a title that ends in front of the volume.

    Only behind a group in front, as anime has it: the *Vol. 2* of a film belongs to its title.
    """
    if not layout.lead:
        return layout
    for at in range(layout.title.start + 1, layout.title.stop - 1):
        number = _NUMBER.fullmatch(tokens[at + 1].low)
        if number and tokens[at].low in VOLUME_WORDS:
            facts = (Fact(Field.REVISION, f"v{number[1]}"),) if number[1] else ()
            return layout.with_span(Span(at, at + 2, facts))
    return layout
