"""Extras and specials of anime, which end a title: ``NCOP``, ``PV2``, ``SP03``, ``OVA 2``."""

import re
from collections.abc import Sequence
from typing import Final

from capabilities.rules.names.layout import Layout
from capabilities.rules.names.sequences import only, run_facts
from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables.rows import Fact
from capabilities.rules.names.tokens import Token, is_tight
from capabilities.rules.names.vocabulary import Field

_KINDS: Final = {
    "ncop": "credits",
    "nced": "credits",
    "pv": "preview",
    "cm": "preview",
    "trailer": "preview",
    "teaser": "preview",
    "menu": "preview",
    "sp": "special",
    "special": "special",
    "ova": "special",
    "oad": "special",
    "ona": "special",
}
_MARK: Final = re.compile(rf"({'|'.join(_KINDS)})(\d{{1,3}})?(?:v\d)?")
_NUMBER: Final = re.compile(r"\d{1,3}")


def with_extra(tokens: Sequence[Token], layout: Layout) -> Layout:
    """The layout of a name with a group in front, whose title ends where an extra is named."""
    if not layout.lead or any(one.speaks_of(Field.EPISODE) for one in layout.spans):
        return layout
    stop = layout.title.stop
    behind = next((one.end for one in layout.spans if one.start == stop), None)
    for start, end in ((stop - 1, stop), (stop - 2, stop), (behind, None)):
        inside = start is not None and layout.title.start < start < len(tokens)
        if start is not None and inside and (span := _at(tokens, start, end)):
            return layout.with_span(span)
    return layout


def _needs_none(word: str) -> bool:
    """Whether the word alone names an extra; an OVA without a number is a work of its own."""
    return word == "sp" or _KINDS[word] in {"credits", "preview"}


def _at(tokens: Sequence[Token], start: int, stop: int | None) -> Span | None:
    """The extra that begins at the word, and ends at the stop where there is one."""
    match = _MARK.fullmatch(tokens[start].low)
    if not match:
        return None
    number, end = match[2], start + 1
    follows = end < len(tokens) and is_tight(tokens[end].gap) and tokens[end].gap != "-"
    if number is None and follows and _NUMBER.fullmatch(tokens[end].low):
        number, end = tokens[end].low, end + 1
    kind = _KINDS[match[1]]
    if (stop is not None and end != stop) or (number is None and not _needs_none(match[1])):
        return None
    facts = run_facts(Field.EPISODE, [only(int(number))]) if number else ()
    return Span(start, end, (Fact(Field.EXTRA, kind), *facts))
