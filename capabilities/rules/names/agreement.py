"""What a file and its folders agree on: the part of a file's title that a folder repeats."""

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from capabilities.rules.names.release import ReleaseName

_PARTING: Final = " - "
_LEAST_LETTERS: Final = 3


def agreed(name: ReleaseName, folders: Sequence[ReleaseName]) -> ReleaseName:
    """The name with the title that a folder confirms.

    A folder that repeats one of the parts between dashes, or the last words, says that the rest
    is something else: a director in front, a date, or the name of a season behind.
    """
    for folder in folders:
        known = plain(folder.title.partition("(")[0])
        if len(known) < _LEAST_LETTERS or known == plain(name.title):
            continue
        pieces = name.title.split(_PARTING)
        found = next((piece for piece in pieces if plain(piece) == known), None)
        if found and len(pieces) > 1:
            return _titled(name, found)
        if folder.year and folder.year == name.year and plain(name.title).endswith(f" {known}"):
            return _titled(name, name.title[-len(known) :])
    return _without_repetition(name)


def _titled(name: ReleaseName, title: str) -> ReleaseName:
    return replace(name, title=title.strip(" -"), alternative_titles=())


def _without_repetition(name: ReleaseName) -> ReleaseName:
    """The name with an episode's title that does not begin with the title of the series."""
    head, dash, rest = (name.episode_title or "").partition(_PARTING)
    if dash and plain(head) == plain(name.title):
        return replace(name, episode_title=rest)
    return name


def plain(text: str) -> str:
    """A title without case, accents and separators of names, to compare it."""
    spread = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(char for char in spread if not unicodedata.combining(char))
    return " ".join(bare.replace(".", " ").replace("_", " ").split())
