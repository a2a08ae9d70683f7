"""The quality that a path in a library says, without reading every name whole."""

import re
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from capabilities.rules.labels import quality_words
from capabilities.rules.names.parsing import parse

_FIRST: Final = re.compile(
    r"(?<![^\W_])(?:proper|repack\d?|rerip|real|\d{3,4}[pi]|\d{3,4}x\d{3,4}|4k|uhd|web(?:-?dl|-?rip)?"
    r"|[a-z]{2,5}-?web|blu-?ray|bd(?:-?rip|-?remux|mv|25|50)?|br-?rip|remux|u?hd-?tv(?:rip)?|[pd]dtv"
    r"|pdtv|dsr(?:ip)?|sd-?tv|tv-?rip|sat-?rip|dvb(?:rip)?|hd-?rip|hd-?dvd(?:rip)?"
    r"|dvd(?:-?rip|-?r|-?scr|5|9|full)?|vhs(?:rip)?|hd-?cam|hd-?ts|cam(?:rip)?|telesync|telecine|screener"
    r"|bd\d{3,4}p|\d{3,4}[pi]\w+|480|576|720|1080|2160|[a-z]+(?:rip|mux|screener)"
    r"|[hs]d[ ._-](?:tv|dvd)|tc(?:-rip)?|ts|tv)(?![^\W_])",
    re.IGNORECASE,
)
"""A word with which the part of a name about quality may begin."""
_MENDED: Final = re.compile(r"\dv[2-9](?![^\W_])", re.IGNORECASE)
"""A second version behind the number of an episode."""
PROPER: Final = "Proper"
_TITLE: Final = "Title S01E01 "
_TAILS: Final = 16_384
_LONGEST: Final = 300


def shelf_quality(path: str) -> str:
    """E.g. ``WEBDL-1080p``: what the file says, else its folder; empty where neither does."""
    pure = PurePosixPath(path)
    return _said(pure.stem) or (_said(pure.parent.name) if pure.parent.name else "")


def _said(name: str) -> str:
    found = _FIRST.search(name)
    if found is None:
        return ""
    quality = _read(name[found.start() : found.start() + _LONGEST])
    mended = quality and _MENDED.search(name, 0, found.start())
    return f"{quality} {PROPER}" if mended and not quality.endswith(PROPER) else quality


@lru_cache(maxsize=_TAILS)
def _read(tail: str) -> str:
    """Files of one release, and of one library, share all that stands behind their titles."""
    return quality_words(parse(f"{_TITLE}{tail}.mkv"))
