"""The title of the episode, which stands between its number and the tags behind."""

from collections.abc import Sequence
from typing import Final

from capabilities.rules.names.brackets import bracket_end, opens_square
from capabilities.rules.names.layout import Layout
from capabilities.rules.names.tables.counting import ENDINGS
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field

_EPISODE: Final = (Field.EPISODE, Field.ABSOLUTE, Field.AIR_DATE)


def episode_title_range(tokens: Sequence[Token], layout: Layout, group: range) -> range:
    """The words of the episode's title, empty where the name has none."""
    start = _start(tokens, layout)
    if start is None:
        return range(0)
    stops = [one.start for one in layout.spans if one.start >= start]
    if group and group.start >= start:
        stops.append(group.start)
    stop = min(stops, default=len(tokens))
    stop = next((at for at in range(start, stop) if _is_aside(tokens, layout, at)), stop)
    if stop == start + 1 and tokens[start].low in ENDINGS:
        return range(0)
    return range(start, stop)


def _start(tokens: Sequence[Token], layout: Layout) -> int | None:
    """Behind the last number, or the last one outside a bracket where there is such a one."""
    numbers = [one for one in layout.spans if one.speaks_of(*_EPISODE)]
    numbers = [one for one in numbers if not tokens[one.start].bracket] or numbers
    if not numbers:
        return None
    if numbers[-1].end == layout.title.start:
        return layout.title.stop
    return numbers[-1].end if numbers[-1].end > layout.title.start else None


def _is_aside(tokens: Sequence[Token], layout: Layout, at: int) -> bool:
    """Whether a bracket opens here that is square, or holds tags or a number."""
    if not tokens[at].bracket or (at and tokens[at - 1].bracket == tokens[at].bracket):
        return False
    if opens_square(tokens[at]):
        return True
    inside = range(at, bracket_end(tokens, at))
    tagged = not layout.covered.isdisjoint(inside)
    return tagged or all(tokens[word].low.isdecimal() for word in inside)
