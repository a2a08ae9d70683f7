"""Reading the paths of a whole library, where most names differ in numbers and titles only."""

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from capabilities.rules.names.marking import mark
from capabilities.rules.names.paths import parse_path
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.tokens import tokenise
from capabilities.rules.names.vocabulary import Field

_NUMBERED: Final = re.compile(
    r"(?P<head>[^\[\]{}]{1,150}?)(?P<gap> - |[. ])"
    r"(?P<code>[Ss](?P<season>\d{1,2})[Ee](?P<first>\d{1,3})(?P<more>(?:-?[Ee]\d{1,3})*))"
    r"(?P<rest>(?: - |[. ]).*)?\.(?P<suffix>[A-Za-z0-9]{2,4})"
)
_MORE: Final = re.compile(r"(-?)[Ee](\d{1,3})")
_TITLED: Final = re.compile(r" - (?P<title>[^\[\](){}\d]{1,120}?)(?P<tail> \[[^ ].*)?")
"""An episode's title, and the quality in brackets behind it, as library programs write them."""
_COUNTS_ON: Final = re.compile(r"[ .&-]+(?:S\d{1,2})?[Ee]?\d{1,3}(?!\w)", re.IGNORECASE)
"""Further numbers right behind the first ones, which a closer look has to tell apart."""
_STAND_IN: Final = "S01E01"
_HEADS: Final = 8192
_LONGEST_RUN: Final = 20


class Numbered(NamedTuple):
    """A file's name parted at its season and episodes, e.g. ``Show - S01E02-E03 - Title.mkv``.

    Attributes:
        head: what stands before them, and ``gap`` what parts it from them.
        code: as written.
        rest: what stands behind them, without the suffix.
    """

    head: str
    gap: str
    code: str
    season: int
    episodes: tuple[int, ...]
    rest: str
    suffix: str


def numbered(name: str) -> Numbered | None:
    """A plainly numbered file's name in its parts; None where it takes a closer look."""
    found = _NUMBERED.fullmatch(name)
    if found is None or (found["rest"] and _COUNTS_ON.match(found["rest"])):
        return None
    head, gap, code, season, first, more, rest, suffix = found.groups()
    episodes = [int(first)]
    for dash, number in _MORE.findall(more) if more else ():
        last, now = episodes[-1], int(number)
        if not last < now <= last + _LONGEST_RUN:
            return None
        episodes.extend(range(last + 1, now + 1) if dash else (now,))
    return Numbered(head, gap, code, int(season), tuple(episodes), rest or "", suffix)


def read_shelf_path(path: str) -> ReleaseName:
    """What a path in a library says, as `parse_path` reads it.

    What stands before and behind an episode's number is read once for all the episodes that share
    it. A name that is not plainly numbered is read like any other.
    """
    folder, _, name = path.rpartition("/")
    parts = numbered(name)
    if parts is None:
        return parse_path(path)
    title, rest = _parted(parts.rest)
    base = heading_of(folder, f"{parts.head}{parts.gap}", rest, parts.suffix)
    return replace(
        base,
        text=name,
        seasons=(parts.season,),
        episodes=parts.episodes,
        episode_title=title or base.episode_title,
        said={**base.said, Field.SEASON: parts.code, Field.EPISODE: parts.code},
    )


@lru_cache(maxsize=_HEADS)
def heading_of(folder: str, head: str, rest: str, suffix: str) -> ReleaseName:
    """What all the episodes of one folder share; its numbers are another episode's."""
    name = f"{head}{_STAND_IN}{rest}.{suffix}"
    return parse_path(f"{folder}/{name}" if folder else name)


def _parted(rest: str) -> tuple[str, str]:
    """An episode's title, where it surely is nothing else, and what is left without it."""
    found = _TITLED.fullmatch(rest)
    if found is None or mark(tokenise(found["title"])):
        return "", rest
    return found["title"], found["tail"] or ""
