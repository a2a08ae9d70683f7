"""Videos that come with a work and are no part of it: trailers, menus, creditless openings."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from capabilities.rules.names.tables.rows import word_set
from capabilities.rules.names.tokens import words


class Extra(StrEnum):
    """What an extra is, for a person."""

    CREDITS = "an opening or ending without credits"
    MENU = "the menu of a disc"
    PROMOTION = "a promotional video"
    COMMERCIAL = "a commercial"
    TRAILER = "a trailer"
    FEATURETTE = "a featurette"
    INTERVIEW = "an interview"
    DELETED = "deleted scenes"
    MAKING = "from behind the scenes"
    SHORT = "a short film"
    EVENT = "from an event"
    SPECIAL = "a special by the disc's own counting, which says no episode of season 0"
    OTHER = "bonus material"


_BY_WORD: Final = {
    word: extra
    for extra, listed in {
        Extra.CREDITS: "ncop nced nc creditless",
        Extra.MENU: "menu menus",
        Extra.PROMOTION: "pv preview previews teaser",
        Extra.COMMERCIAL: "cm cms commercial",
        Extra.TRAILER: "trailer trailers",
        Extra.FEATURETTE: "featurette featurettes",
        Extra.INTERVIEW: "interview interviews iv",
        Extra.DELETED: "deleted",
        Extra.MAKING: "making",
        Extra.SHORT: "short shorts",
        Extra.EVENT: "event events",
        Extra.SPECIAL: "sp",
        Extra.OTHER: "extras extra bonus scenes",
    }.items()
    for word in listed.split()
}
_LAST: Final = word_set(
    "trailer trailers teaser featurette featurettes extras extra bonus interview interviews"
    " deleted scenes ncop nced menu pv cm making"
)
"""Words that say it at the end of a name."""
_FOLDERS: Final = {
    "extras": Extra.OTHER,
    "extra": Extra.OTHER,
    "bonus": Extra.OTHER,
    "other": Extra.OTHER,
    "specialfeatures": Extra.OTHER,
    "sps": Extra.OTHER,
    "特典": Extra.OTHER,
    "映像特典": Extra.OTHER,
    "scenes": Extra.OTHER,
    "featurettes": Extra.FEATURETTE,
    "trailers": Extra.TRAILER,
    "interviews": Extra.INTERVIEW,
    "behindthescenes": Extra.MAKING,
    "deletedscenes": Extra.DELETED,
    "shorts": Extra.SHORT,
    "nc": Extra.CREDITS,
    "creditless": Extra.CREDITS,
    "menus": Extra.MENU,
    "pv": Extra.PROMOTION,
    "cm": Extra.COMMERCIAL,
}
_NUMBERED: Final = re.compile(r"(ncop|nced|pv|cm|menu)\d{0,2}[a-z]?")
_BLOCK: Final = re.compile(
    r"(?:\[|\(| - )(ncop|nced|creditless|menu|pv|cm|iv|sp|event|preview|teaser|trailer|making)"
    r"(?: ?(?:op|ed|of|ep))?[ _.#-]?\d{0,3}(?:v\d|[a-z])?(?:[\])]| ?[\[(]|\Z)",
    re.IGNORECASE,
)
"""A word with a number that fills a bracket, or stands between a dash and a bracket."""
_AMONG: Final = word_set("trailer trailers teaser featurette featurettes")


def extra_of(stem: str, folders: Sequence[str]) -> Extra | None:
    """What extra a video is by its name, then by its folders; None for none.

    The release's own folder may be called so by its title, unless it is the only one.
    """
    return _named(stem) or extra_folder(folders)


def extra_folder(folders: Sequence[str]) -> Extra | None:
    """What extra everything in these folders is."""
    held = folders[1:] or folders
    return next((_FOLDERS[key] for one in held if (key := "".join(words(one))) in _FOLDERS), None)


def extra_among(stem: str) -> Extra | None:
    """What a video is by a word anywhere in its name, where a far bigger one stands beside it."""
    return next((_BY_WORD[word] for word in words(stem)[1:] if word in _AMONG), None)


def _named(stem: str) -> Extra | None:
    last = next(iter(words(stem)[-1:]), "")
    if last in _LAST:
        return _BY_WORD[last]
    if numbered := _NUMBERED.fullmatch(last):
        return _BY_WORD[numbered[1]]
    block = _BLOCK.search(stem)
    return _BY_WORD[block[1].lower()] if block else None
