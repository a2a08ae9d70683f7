"""Entries of a source that lists each season by itself, beside the series that has them all."""

import re
from collections.abc import Sequence
from typing import Final

from capabilities.rules.sequels import numbered_key, numeral_at_end
from capabilities.rules.title_keys import LONGEST_TITLE
from capabilities.rules.works import RelationKind, Work, WorkKind

_SEASON: Final = re.compile(
    r"(.*?\S)[\s,.:-]+(?:(?:the\s+)?final\s+season"
    r"|(?:season|series|part|cour)\s*(?:\d{1,2}|[ivx]{1,4})"
    r"|\d{1,2}(?:st|nd|rd|th)\s+(?:season|series|part|cour))\s*\Z",
    re.IGNORECASE,
)
_JAPANESE: Final = re.compile(r"(.*?\S)\s*第?\s*(?:\d{1,2}|[一二三四五六七八九十])\s*[期季部]\s*\Z")
_MOST_SUFFIXES: Final = 3
"""Of one title, e.g. "Season 2 Part 2"."""


def split_seasons_left_out(works: Sequence[Work]) -> list[Work]:
    """The works without the entries that are one later season of another of them.

    Such an entry has a prequel, and its source has such entries; the series that holds it is of
    another source. Both share a number, or the series bears a title of the entry, or that title
    without its numeral. An entry whose series is not among the works stays.
    """
    splitting = {work.key.source for work in works if _continues(work)}
    whole = [
        work
        for work in works
        if work.key.kind is WorkKind.SERIES and work.key.source not in splitting
    ]
    return [
        work
        for work in works
        if not (_continues(work) and any(_holds(series, work) for series in whole))
    ]


def _continues(work: Work) -> bool:
    return work.key.kind is WorkKind.SERIES and any(
        each.kind is RelationKind.PREQUEL and each.key.kind is WorkKind.SERIES
        for each in work.relations
    )


def _holds(series: Work, entry: Work) -> bool:
    numbers = series.ids.items() & entry.ids.items()
    return bool(numbers) or bool(_keys(series) & _base_keys(entry))


def _texts(work: Work) -> set[str]:
    return {work.title, *(title.text for title in work.titles)}


def _keys(work: Work) -> set[str]:
    return {numbered_key(text) for text in _texts(work)}


def _base_keys(entry: Work) -> set[str]:
    """The keys of an entry's titles, with and without what counts the season."""
    keys: set[str] = set()
    for text in _texts(entry):
        base: str | None = text
        for _ in range(_MOST_SUFFIXES + 1):
            if base is None:
                break
            keys.add(numbered_key(base))
            base = _without_suffix(base)
    return keys


def _without_suffix(title: str) -> str | None:
    cut = title[:LONGEST_TITLE]
    found = _SEASON.fullmatch(cut) or _JAPANESE.fullmatch(cut)
    if found:
        return found[1]
    numeral = numeral_at_end(cut)
    return numeral[0] if numeral else None
