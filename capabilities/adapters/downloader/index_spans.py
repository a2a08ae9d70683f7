"""Indexes of files as short text that fits into a label: ``0-11 13``."""

import re
from collections.abc import Iterable

from capabilities.adapters.downloader.torrent_names import MAX_FILES

_SPAN = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")


def spans(indexes: Iterable[int]) -> str:
    """The indexes in order, runs of them drawn together."""
    runs: list[list[int]] = []
    for index in sorted(set(indexes)):
        if runs and runs[-1][1] == index - 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def indexes_of(text: str) -> frozenset[int]:
    """What was written; of text that is nothing of the kind, nothing."""
    found: set[int] = set()
    for word in text.split():
        span = _SPAN.fullmatch(word)
        if span is None:
            return frozenset()
        first, last = int(span[1]), int(span[2] or span[1])
        found.update(range(first, min(last, MAX_FILES) + 1))
    return frozenset(found)
