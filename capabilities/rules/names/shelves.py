"""Which folders above a file speak of it, and which only sort files."""

import re
from collections.abc import Sequence
from typing import Final

from capabilities.rules.names.disguises import is_gibberish
from capabilities.rules.names.tables.counting import LIBRARIES, SHELVES

NEAREST: Final = 3
"""Folders above a file that can speak about it."""
_DISC: Final = re.compile(r"(?:cd|dvd|disc|disk)[ ._-]?\d{1,2}", re.IGNORECASE)


def speaking(folders: Sequence[str]) -> list[str]:
    """Those folders above a file, from the top, that are near enough and say something of it.

    What stands above the folder of a library, such as ``Films`` or ``电影``, names no work.
    """
    near = folders[-NEAREST:]
    top = next((at for at in reversed(range(len(near))) if _plain(near[at]) in LIBRARIES), 0)
    return [folder for folder in near[top:] if _speaks(folder)]


def _speaks(folder: str) -> bool:
    known = _plain(folder) in SHELVES or folder.endswith(":")
    return not (known or _DISC.fullmatch(folder) or is_gibberish(folder))


def _plain(folder: str) -> str:
    return "".join(folder.lower().split())
