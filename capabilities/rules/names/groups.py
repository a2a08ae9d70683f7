"""Who made the release."""

from collections.abc import Sequence
from typing import Final

from capabilities.rules.names import signs
from capabilities.rules.names.brackets import bracket_end, bracket_start, opens_square
from capabilities.rules.names.layout import Layout
from capabilities.rules.names.name_ends import name_end
from capabilities.rules.names.tables.sites import BY_WORDS, COMPOUNDS, HOUSES, UMBRELLAS
from capabilities.rules.names.tokens import Token, parts_fields
from capabilities.rules.names.vocabulary import Field

_LEAST_WORDS: Final = 3
_LONGEST_PREFIX: Final = 6
_LONGEST: Final = 4
"""Words; a longer run behind the last tag is a sentence."""


def group_range(tokens: Sequence[Token], layout: Layout) -> range:
    """The tokens of the release group, empty where the name names none."""
    end = name_end(tokens, layout)
    found = (
        _umbrella(tokens, layout, end)
        or _behind_last_dash(tokens, layout, end)
        or _behind_dash(tokens, layout, end)
        or layout.lead
        or _in_last_bracket(tokens, layout, end)
        or _in_tagged_bracket(tokens, layout, end)
        or _last_word(tokens, layout, end)
        or _in_front(tokens, layout)
        or _house(tokens, end)
    )
    return _without_tags(tokens, layout, found)


def _without_tags(tokens: Sequence[Token], layout: Layout, group: range) -> range:
    """The group behind a tag that shares its dash, as in ``x264-re-enc.GROUP``."""
    one = layout.starting.get(group.start) if group else None
    tagged = one and one.end < group.stop and one.speaks_of(Field.OTHER)
    parted = one and tagged and tokens[one.end].gap in {".", "_", " "}
    return range(one.end, group.stop) if one and parted else group


def _umbrella(tokens: Sequence[Token], layout: Layout, end: int) -> range:
    """The house that several encoders release under, as in ``(… - Somebody) [TAoE]``."""
    at = end - 1
    if at > layout.title.stop and tokens[at].low in UMBRELLAS:
        return range(at, end)
    return range(0)


def _in_front(tokens: Sequence[Token], layout: Layout) -> range:
    """A short group in front of a scene's file, as in ``grp-some.title.2016.720p.x264``."""
    start = layout.title.start
    words = tokens[start : layout.title.stop]
    if len(words) < _LEAST_WORDS or layout.tail >= len(tokens) or tokens[start].bracket:
        return range(0)
    scene = words[1].gap == "-" and all(word.gap == "." for word in words[2:])
    short = 1 < len(words[0].low) <= _LONGEST_PREFIX and words[1].low not in COMPOUNDS
    lower = all(word.text == word.low for word in words)
    return range(start, start + 1) if scene and short and lower else range(0)


def _behind_dash(tokens: Sequence[Token], layout: Layout, end: int) -> range:
    covered = layout.covered
    start = end
    while start > layout.title.stop and start - 1 not in covered:
        start -= 1
    dashed = end and tokens[end - 1].gap == "-" and not tokens[end - 1].bracket
    if start == end and dashed and _weak_word(layout, end - 1):
        return range(end - 1, end)
    dashed = [
        at for at in range(start, end) if tokens[at].gap.lstrip(signs.CLOSING).strip(" ._") == "-"
    ]
    first = dashed[0] if dashed else None
    gap = tokens[first].gap.lstrip(signs.CLOSING) if first is not None else ""
    if len(gap) > 1 and not _is_technical(layout, first or 0):
        return range(0)
    if first is not None and parts_fields(gap):
        first = next(at for at in reversed(dashed) if tokens[at].gap == tokens[first].gap)
    elif first == start + 1 and _belongs(tokens, layout, start):
        first = start
    if first is not None:
        end = min(end, bracket_end(tokens, first))
    if first is None or first == layout.title.stop == layout.title.start:
        return range(0)
    if (layout.lead and tokens[first].bracket) or _is_field(tokens, layout, first):
        return range(0)
    return range(first, end) if end - first <= _LONGEST else range(end - 1, end)


def _behind_last_dash(tokens: Sequence[Token], layout: Layout, end: int) -> range:
    """All words behind a dash right behind a tag, ordinary words and words that are known."""
    for at in range(end - 1, max(layout.tail, end - 1 - _LONGEST), -1):
        blanked = tokens[at].gap.endswith("- ")
        if tokens[at].gap.lstrip(signs.CLOSING + " ") in {"-", "- "}:
            parted = at - 1 in layout.covered and layout.strong.isdisjoint(range(at, end))
            if at in layout.covered and at not in layout.starting:
                continue
            known = all(word in layout.covered for word in range(at, end))
            if blanked and known:
                return range(0)
            alone = {token.bracket for token in tokens[at:end]} == {tokens[at].bracket}
            if parted and alone:
                return range(_last_piece(tokens, at, end) if blanked else at, end)
    return range(0)


def _last_piece(tokens: Sequence[Token], start: int, end: int) -> int:
    """Where the last of the pieces begins that dashes between blanks part."""
    return max(at for at in range(start, end) if tokens[at].gap.endswith("- "))


def _is_field(tokens: Sequence[Token], layout: Layout, first: int) -> bool:
    """Whether dashes part the fields of the name, as in ``Title-e01-Episode.mkv``."""
    number = layout.ending.get(first)
    if number is None or tokens[first].gap != "-" or first > layout.tail:
        return False
    return tokens[number.start].gap.lstrip(signs.CLOSING) == "-" and number.speaks_of(
        Field.EPISODE, Field.EXTRA
    )


def _is_technical(layout: Layout, at: int) -> bool:
    """Whether the technical part begins in front of the token."""
    return layout.tail < at


def _belongs(tokens: Sequence[Token], layout: Layout, start: int) -> bool:
    """Whether the word in front of the dash is a part of the group: ``x264.D-Z0N3``."""
    if tokens[start].low.isdecimal() and len(tokens[start].low) == 1:
        return False
    return len(tokens[start].low) == 1 or (start > layout.tail and tokens[start].gap in {".", "_"})


def _weak_word(layout: Layout, at: int) -> bool:
    one = layout.starting.get(at)
    return one is not None and one.end == at + 1 and at not in layout.strong


def _in_last_bracket(tokens: Sequence[Token], layout: Layout, end: int) -> range:
    """The last square bracket behind the title that holds nothing known."""
    found, at = range(0), layout.title.stop
    while at < end and layout.spans:
        stop = bracket_end(tokens, at)
        named = at not in layout.covered and layout.strong.isdisjoint(range(at, stop))
        if tokens[at].bracket and opens_square(tokens[at]) and named:
            found = found if _is_second_title(layout, at, stop) else range(at, stop)
        at = stop
    return found


def _is_second_title(layout: Layout, at: int, stop: int) -> bool:
    """Whether the bracket stands between the title and the year: ``Title [Other] (2014)``."""
    behind = layout.starting.get(stop)
    return behind is not None and behind.speaks_of(Field.YEAR) and at == layout.title.stop


def _in_tagged_bracket(tokens: Sequence[Token], layout: Layout, end: int) -> range:
    """The words before the first tag in a round bracket, as in ``Title (Group, 720p)``."""
    at = layout.title.stop
    if at >= end or not tokens[at].bracket or opens_square(tokens[at]):
        return range(0)
    stop = at + 1
    while stop < end and tokens[stop].bracket == tokens[at].bracket and "," not in tokens[stop].gap:
        stop += 1
    tagged = stop < end and stop in layout.covered and "," in tokens[stop].gap
    free = at not in layout.covered and layout.strong.isdisjoint(range(at, stop))
    return range(at, stop) if tagged and free and stop - at <= _LONGEST else range(0)


def _last_word(tokens: Sequence[Token], layout: Layout, end: int) -> range:
    """One word right behind the last tag, as in ``HDTV x264 aAF``."""
    covered = layout.covered
    if end - 2 > layout.tail and tokens[end - 2].text in BY_WORDS and end - 1 not in covered:
        return range(end - 1, end)
    if end - 1 <= layout.tail or end - 1 in covered or end - 2 not in covered:
        return range(0)
    return range(end - 1, end)


def _house(tokens: Sequence[Token], end: int) -> range:
    """A site that releases under its own name, as in ``[YTS.MX]``, where nobody else is named."""
    start = bracket_start(tokens, len(tokens) - 1)
    if start >= end and tokens[start].bracket and tokens[start].low in HOUSES:
        return range(start, len(tokens))
    return range(0)
