"""Text made fit to be one part of a path on every file system a shelf may stand on."""

import re
import unicodedata
from enum import StrEnum
from typing import Final

import regex


class ColonRule(StrEnum):
    """What stands for a colon, in folders and files alike.

    ``smart`` is `` - `` for a colon in front of a blank and ``-`` for any other one.
    """

    SMART = "smart"
    DELETE = "delete"
    DASH = "dash"
    SPACE_DASH = "space_dash"
    SPACE_DASH_SPACE = "space_dash_space"


MOST_BYTES: Final = 255
"""Of one part of a path, in UTF-8, on the common file systems."""
_JOINERS: Final = "\u200c\u200d"
"""Invisible, and part of the spelling in Persian and Indic scripts."""
_REPLACED: Final = str.maketrans(
    {"/": "+", "\\": "+", "?": "!", "*": "-", "<": None, ">": None, "|": None, '"': None}
)
_COLONS: Final = {
    ColonRule.DELETE: "",
    ColonRule.DASH: "-",
    ColonRule.SPACE_DASH: " -",
    ColonRule.SPACE_DASH_SPACE: " - ",
    ColonRule.SMART: "-",
}
_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in "0123456789\u00b9\u00b2\u00b3"}
)


def safe_part(
    text: str, most_bytes: int = MOST_BYTES, *, colon: ColonRule = ColonRule.SMART
) -> str:
    """The text as a part of a path: NFC, without separators, control or direction signs.

    It neither begins nor ends with a dot or blank, is no device name of Windows, and has at most
    this many bytes. Empty where nothing is left.
    """
    plain = "".join(_visible(sign) for sign in text)
    if colon is ColonRule.SMART:
        plain = plain.replace(": ", " - ")
    spelled = plain.replace(":", _COLONS[colon]).translate(_REPLACED)
    composed = unicodedata.normalize("NFC", " ".join(spelled.split()))
    return _no_device(cut(_trimmed(composed), most_bytes), most_bytes)


def _visible(sign: str) -> str:
    category = unicodedata.category(sign)
    if category[0] == "Z" or sign in "\t\n\r":
        return " "
    return "" if category[0] == "C" and sign not in _JOINERS else sign


def _trimmed(text: str) -> str:
    return text.strip(" ." + _JOINERS)


def cut(text: str, most_bytes: int) -> str:
    """The text cut to bytes of UTF-8, between what a reader takes for single characters.

    Source: the grapheme clusters of Unicode Standard Annex 29.
    """
    if len(text.encode()) <= most_bytes:
        return text
    kept, left = "", max(most_bytes, 0)
    for cluster in regex.finditer(r"\X", text[: left + 1]):
        left -= len(cluster[0].encode())
        if left < 0:
            break
        kept += cluster[0]
    return _trimmed(kept)


def _no_device(part: str, most_bytes: int) -> str:
    base, dot, rest = part.partition(".")
    if base.rstrip().lower() not in _DEVICES:
        return part
    return cut(f"{base.rstrip()}_{dot}{rest}", most_bytes)


def without_numbering(title: str) -> str:
    """A title in which no media server can read a season, an episode or a range of them."""
    apart = re.sub(r"(?i)(s\d{1,4})[ ._-]?(e\d)", r"\1 \2", title)
    apart = re.sub(r"(?i)\b(\d{1,4})x(\d)", r"\1 x \2", apart)
    return re.sub(r"(?<=\d)-(?=\d)", " ", apart)
