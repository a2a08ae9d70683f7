"""Spellings with a number inside, which no table can list."""

import re
from collections.abc import Sequence
from typing import Final

from capabilities.rules.names import signs
from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables.rows import Fact, indexed
from capabilities.rules.names.tables.sounds import ROWS as SOUND_ROWS
from capabilities.rules.names.tables.sources import ROWS as SOURCE_ROWS
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field, Resolution

_SOUNDS: Final = indexed(SOUND_ROWS)
_SOURCES: Final = indexed(SOURCE_ROWS)
_NUMBERED: Final = re.compile(
    r"(?P<height>\d{3,4})[pi](?:\d{2,3})?(?:fps|hz|hd|x26[45])?"
    rf"|(?P<width>\d{{3,4}})[*{signs.TIMES}]"
    r"(?P<tall>\d{3,4})[pi]?"
    r"|(?P<audio>[a-z+]{2,6}3?)(?P<front>[1-9])(?P<rear>[0-4])?(?:ch)?"
    r"|(?P<origin>[a-z]{2,6})(?P<lines>\d{3,4})[pi]"
    r"|(?P<imdb>tt\d{7,8})"
    r"|(?P<rate>\d{2,5}(?:kbps|mbps|fps|mb|gb|kbit))"
)
_CHECKSUM: Final = re.compile(r"[0-9a-f]{8}")
_HEIGHTS: Final = (
    (4000, Resolution.P4320),
    (2000, Resolution.P2160),
    (1300, Resolution.P1440),
    (1000, Resolution.P1080),
    (700, Resolution.P720),
    (560, Resolution.P576),
    (500, Resolution.P540),
    (440, Resolution.P480),
    (300, Resolution.P360),
    (200, Resolution.P240),
)
_WIDTHS: Final = (
    (7600, Resolution.P4320),
    (3800, Resolution.P2160),
    (2500, Resolution.P1440),
    (1900, Resolution.P1080),
    (1270, Resolution.P720),
    (1000, Resolution.P576),
    (700, Resolution.P480),
)
_ID_SOURCES: Final = {"tmdb": "tmdb", "tmdbid": "tmdb", "tvdb": "tvdb", "tvdbid": "tvdb"}
_IMDB_WORDS: Final = frozenset({"imdb", "imdbid"})


def pattern_at(tokens: Sequence[Token], at: int) -> Span | None:
    """The numbered spelling that begins at the token."""
    low = tokens[at].low
    if low in _ID_SOURCES or low in _IMDB_WORDS:
        return _external_id(tokens, at)
    match = _NUMBERED.fullmatch(low)
    return (_numbered(tokens, at, match) if match else None) or _checksum(tokens, at)


def _numbered(tokens: Sequence[Token], at: int, match: re.Match[str]) -> Span | None:
    if match["height"]:
        return _one(at, Field.RESOLUTION, _by_height(int(match["height"])))
    if match["width"]:
        return _one(at, Field.RESOLUTION, _by_size(int(match["width"]), int(match["tall"])))
    if match["origin"]:
        return _glued_source(at, match)
    if match["audio"]:
        return _audio(tokens, at, match)
    if match["imdb"]:
        return _one(at, Field.EXTERNAL_ID, f"imdb:{match['imdb']}")
    return _one(at, Field.OTHER, match["rate"])


def _one(at: int, field: Field, value: str | None) -> Span | None:
    return Span(at, at + 1, (Fact(field, value),)) if value else None


def _by_height(height: int) -> Resolution | None:
    return next((name for floor, name in _HEIGHTS if height >= floor), None)


def _by_size(width: int, height: int) -> Resolution | None:
    order = list(Resolution)
    by_width = next((name for floor, name in _WIDTHS if width >= floor), None)
    found = [name for name in (_by_height(height), by_width) if name]
    return max(found, key=order.index, default=None)


def _glued_source(at: int, match: re.Match[str]) -> Span | None:
    entries = [entry for entry in _SOURCES.get(match["origin"], ()) if not entry.rest]
    lines = _by_height(int(match["lines"]))
    if not entries or not lines:
        return None
    return Span(at, at + 1, (*entries[0].facts, Fact(Field.RESOLUTION, lines)))


def _audio(tokens: Sequence[Token], at: int, match: re.Match[str]) -> Span | None:
    entries = [entry for entry in _SOUNDS.get(match["audio"], ()) if not entry.rest]
    if not entries:
        return None
    rear, end = match["rear"], at + 1
    if rear is None and end < len(tokens) and tokens[end].gap in {".", " ", "_"}:
        follower = re.fullmatch(r"([0-4])(?:ch)?", tokens[end].low)
        rear, end = (follower[1], end + 1) if follower else (None, end)
    facts = entries[0].facts
    if rear is not None:
        facts = (*facts, Fact(Field.CHANNELS, f"{match['front']}.{rear}"))
    return Span(at, end, facts)


def _checksum(tokens: Sequence[Token], at: int) -> Span | None:
    token = tokens[at]
    if not _CHECKSUM.fullmatch(token.low):
        return None
    alone = token.bracket and (at + 1 == len(tokens) or tokens[at + 1].bracket != token.bracket)
    if not alone or tokens[at - 1].bracket == token.bracket:
        return None
    return _one(at, Field.CHECKSUM, token.text.upper())


def _external_id(tokens: Sequence[Token], at: int) -> Span | None:
    if at + 1 >= len(tokens) or tokens[at + 1].gap not in {"-", "=", " "}:
        return None
    word, number = tokens[at].low, tokens[at + 1].low
    if word in _IMDB_WORDS and re.fullmatch(r"tt\d{7,8}", number):
        return _ident(at, f"imdb:{number}")
    if word in _ID_SOURCES and re.fullmatch(r"\d{1,9}", number):
        return _ident(at, f"{_ID_SOURCES[word]}:{number}")
    return None


def _ident(at: int, value: str) -> Span:
    return Span(at, at + 2, (Fact(Field.EXTERNAL_ID, value),))
