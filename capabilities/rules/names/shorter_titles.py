"""Shorter readings of a title, which a search may try too."""

import re
from collections.abc import Iterator
from typing import Final

from capabilities.rules.names.parts import part_at
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.titles import written
from capabilities.rules.names.tokens import tokenise

_PART: Final = re.compile(r"\b(?:part|pt|parte|partie|teil)", re.IGNORECASE)
_BRACKETED: Final = re.compile(r"([^()]+) \(([^()]+)\)")
_PARTING: Final = " - "


def shorter_titles(name: ReleaseName) -> tuple[str, ...]:
    """The title without its part, and the two that a dash or a bracket parts.

    Names do not tell a subtitle from a second name, so both readings stand.
    """
    return tuple(dict.fromkeys(one for one in _readings(name.title) if one != name.title))


def _readings(title: str) -> Iterator[str]:
    head, dash, _ = title.partition(_PARTING)
    if dash and head.strip():
        yield written(head)
    if bracketed := _BRACKETED.fullmatch(title):
        yield from map(written, bracketed.groups())
    if not _PART.search(title):
        return
    tokens = tokenise(title)
    if (found := part_at(tokens)) and found[1] > 0:
        yield written(title[: tokens[found[1]].start])
