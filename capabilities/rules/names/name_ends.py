"""What is hung on the end of a name by those who spread it."""

from collections.abc import Sequence
from typing import Final

from capabilities.rules.names.brackets import bracket_start, is_site
from capabilities.rules.names.layout import Layout
from capabilities.rules.names.tables.sites import BY_WORDS, DOMAINS, REPOSTS
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Container, Field

_CONTAINER_WORDS: Final = frozenset(container.value for container in Container)
_LONGEST_ADDRESS: Final = 6


def name_end(tokens: Sequence[Token], layout: Layout) -> int:
    """The end of the name without what is hung on it.

    Sites in brackets, suffixes of reposters, a container written as a word, and, where a group
    stands in front of them, words on languages and subtitles.
    """
    end, before = len(tokens), 0
    while end > layout.title.stop and end != before:
        before = end
        end = _without_last(tokens, layout, end)
    return _without_words(tokens, layout, end)


def _without_last(tokens: Sequence[Token], layout: Layout, end: int) -> int:
    last = tokens[end - 1]
    start = bracket_start(tokens, end - 1)
    if last.bracket and (is_site(tokens[start:end]) or _tells(layout, start, end)):
        return start
    if last.low in DOMAINS and (address := _address(tokens, layout, end)):
        return address
    named = end - 2 not in layout.covered or tokens[end - 2].low in _CONTAINER_WORDS
    if last.gap == "-" and named and (_is_repost(last.low) or _is_copy(tokens, layout, end)):
        return end - 1
    if last.low in _CONTAINER_WORDS and not last.bracket and end - 1 > layout.tail:
        return end - 1
    return end


def _tells(layout: Layout, start: int, end: int) -> bool:
    """Whether a bracket behind the technical part holds nothing but words that are known."""
    return start > layout.tail and all(at in layout.covered for at in range(start, end))


def _address(tokens: Sequence[Token], layout: Layout, end: int) -> int:
    """Where an address without brackets begins, with the "by" in front of it, or nought."""
    for at in range(end - 2, max(layout.tail, end - _LONGEST_ADDRESS), -1):
        if tokens[at].low == "www":
            return at - 1 if tokens[at - 1].low in BY_WORDS else at
    return 0


def _is_copy(tokens: Sequence[Token], layout: Layout, end: int) -> bool:
    """Whether the name ends in the count of a copy, as in ``x264-GRP-1``."""
    return tokens[end - 1].low in {"1", "2"} and end - 2 > layout.tail


def _without_words(tokens: Sequence[Token], layout: Layout, end: int) -> int:
    at = end
    while at > layout.tail and (one := layout.ending.get(at)):
        told = one.speaks_of(Field.LANGUAGE, Field.SUBTITLE, Field.OTHER)
        if not told or tokens[one.start].bracket:
            break
        glued = {"-", ""} if one.speaks_of(Field.LANGUAGE, Field.SUBTITLE) else {"-", "", "_"}
        if tokens[one.start].gap in glued and one.start - 1 not in layout.covered:
            break
        at = one.start
    named = at < end and at - 2 >= layout.tail and at - 1 not in layout.covered
    return at if named and tokens[at - 1].gap == "-" and at - 2 in layout.covered else end


def _is_repost(low: str) -> bool:
    return low in REPOSTS or low.startswith("rakuv")
