"""Who made the release."""

from collections.abc import Sequence
from typing import Final

from capabilities.rules.names.brackets import bracket_end, is_site, opens_square
from capabilities.rules.names.layout import Layout
from capabilities.rules.names.spans import covered_by
from capabilities.rules.names.tables.rows import Strength
from capabilities.rules.names.tables.sites import HOUSES, REPOSTS
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field

_LONGEST: Final = 4
"""Words; a longer run behind the last tag is a sentence."""


def group_range(tokens: Sequence[Token], layout: Layout) -> range:
    """The tokens of the release group, empty where the name names none."""
    end = _trimmed(tokens, layout)
    found = (
        _behind_dash(tokens, layout, end) or layout.lead or _in_last_bracket(tokens, layout, end)
    )
    return found or _last_word(layout, end) or _house(tokens, end)


def _trimmed(tokens: Sequence[Token], layout: Layout) -> int:
    """The end of the name without sites in brackets and without reposters' suffixes."""
    end = len(tokens)
    while end > layout.title.stop:
        start = _bracket_start(tokens, end - 1)
        if tokens[end - 1].bracket and is_site(tokens[start:end]):
            end = start
        elif tokens[end - 1].gap == "-" and _is_repost(tokens[end - 1].low):
            end -= 1
        else:
            break
    return end


def _is_repost(low: str) -> bool:
    return low in REPOSTS or low.startswith("rakuv")


def _bracket_start(tokens: Sequence[Token], at: int) -> int:
    start = at
    while start and tokens[start - 1].bracket == tokens[at].bracket:
        start -= 1
    return start


def _behind_dash(tokens: Sequence[Token], layout: Layout, end: int) -> range:
    covered = covered_by(layout.spans)
    start = end
    while start > layout.title.stop and start - 1 not in covered:
        start -= 1
    if start == end and end and tokens[end - 1].gap == "-" and _weak_word(layout, end - 1):
        return range(end - 1, end)
    first = next((at for at in range(start, end) if tokens[at].gap.strip(" ._") == "-"), None)
    if first == start + 1 and len(tokens[start].low) == 1:
        first = start
    if first is not None:
        end = min(end, bracket_end(tokens, first))
    if first is None or first == layout.title.stop == layout.title.start:
        return range(0)
    return range(first, end) if end - first <= _LONGEST else range(end - 1, end)


def _weak_word(layout: Layout, at: int) -> bool:
    return any(
        one.start == at
        and one.end == at + 1
        and one.strength is not Strength.STRONG
        and not one.speaks_of(Field.REVISION)
        for one in layout.spans
    )


def _in_last_bracket(tokens: Sequence[Token], layout: Layout, end: int) -> range:
    """The first square bracket behind the title that holds nothing known."""
    covered = covered_by(layout.spans)
    at = layout.title.stop
    while at < end and layout.spans:
        stop = bracket_end(tokens, at)
        if tokens[at].bracket and opens_square(tokens[at]) and covered.isdisjoint(range(at, stop)):
            return range(at, stop)
        at = stop
    return range(0)


def _last_word(layout: Layout, end: int) -> range:
    """One word right behind the last tag, as in ``HDTV x264 aAF``."""
    covered = covered_by(layout.spans)
    if end - 1 <= layout.tail or end - 1 in covered or end - 2 not in covered:
        return range(0)
    return range(end - 1, end)


def _house(tokens: Sequence[Token], end: int) -> range:
    """A site that releases under its own name, as in ``[YTS.MX]``, where nobody else is named."""
    if end < len(tokens) and tokens[end].bracket and tokens[end].low in HOUSES:
        return range(end, bracket_end(tokens, end))
    return range(0)
