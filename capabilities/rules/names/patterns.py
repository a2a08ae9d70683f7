"""Spellings with a number inside, which no table can list."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from capabilities.rules.names import signs
from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables.languages import ROWS as LANGUAGE_ROWS
from capabilities.rules.names.tables.rows import Entry, Fact, indexed
from capabilities.rules.names.tables.sounds import ROWS as SOUND_ROWS
from capabilities.rules.names.tables.sources import ROWS as SOURCE_ROWS
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Edition, Field, Resolution, Source

_LANGUAGES: Final = indexed(LANGUAGE_ROWS)
_SOUNDS: Final = indexed(SOUND_ROWS)
_SOURCES: Final = indexed(SOURCE_ROWS)
_NUMBERED: Final = re.compile(
    r"(?:[48]kto)?(?P<height>\d{3,4})(?:[pi](?:\d{2,3})?(?:fps|hz|hd|x26[45])?|px|hd)"
    rf"|(?P<width>\d{{3,4}})[*{signs.TIMES}]"
    r"(?P<tall>\d{3,4})[pi]?"
    r"|(?P<disc>dvd[1-9])"
    r"|(?P<copied>[a-z]{1,4}[23]?)x[2-9]"
    r"|(?P<audio>[a-z+]{2,6}3?)(?P<front>[1-9])(?P<rear>[0-4])?(?:ch)?"
    r"|(?P<origin>[a-z]{2,6})(?P<lines>\d{3,4})[pi]"
    r"|(?P<standard>26[45])"
    r"|(?P<glued>[a-z]{3,6})(?P<encoder>[xh]26[45])"
    r"|(?P<imdb>tt\d{7,8})"
    r"|(?P<rate>\d{1,5}(?:kbps|mbps|fps|mb|gb|mib|gib|kbit))"
    r"|(?P<discs>\d{1,2}x?)(?P<medium>dvd[59r]?|cds?|bd|bluray)"
    r"|(?P<tracks>\d{1,2}x?)(?P<spoken>[a-z]{3})"
)
_NTH: Final = re.compile(r"\d{1,3}(?:st|nd|rd|th)")
_BONUS: Final = re.compile(r"x\d{2}")
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
_ID_WORDS: Final = frozenset({*_ID_SOURCES, *_IMDB_WORDS})


def pattern_at(tokens: Sequence[Token], at: int) -> Span | None:
    """The numbered spelling that begins at the token."""
    low = tokens[at].low
    if low.isalpha() and low not in _ID_WORDS:
        return _checksum(tokens, at)
    if _BONUS.fullmatch(low):
        return _bonus(tokens, at)
    if low in _ID_SOURCES or low in _IMDB_WORDS:
        return _external_id(tokens, at)
    if _NTH.fullmatch(low):
        return _anniversary(tokens, at)
    match = _NUMBERED.fullmatch(low)
    return (_numbered(tokens, at, match) if match else None) or _checksum(tokens, at)


def _anniversary(tokens: Sequence[Token], at: int) -> Span | None:
    """``65th Anniversary Edition``."""
    if at + 1 >= len(tokens) or tokens[at + 1].low != "anniversary":
        return None
    named = at + 2 < len(tokens) and tokens[at + 2].low in {"edition", "cut", "version"}
    return Span(at, at + 2 + named, (Fact(Field.EDITION, Edition.ANNIVERSARY),))


def _bonus(tokens: Sequence[Token], at: int) -> Span | None:
    """``Title-x02-Making Of``: the number of an extra between two dashes."""
    last = at + 1 == len(tokens)
    parted = tokens[at].gap.lstrip(signs.CLOSING) == "-" and (last or tokens[at + 1].gap == "-")
    return _one(at, Field.EXTRA, "bonus") if parted else None


def _numbered(tokens: Sequence[Token], at: int, match: re.Match[str]) -> Span | None:
    if match["height"]:
        return _one(at, Field.RESOLUTION, _by_height(int(match["height"])))
    if match["width"]:
        return _one(at, Field.RESOLUTION, _by_size(int(match["width"]), int(match["tall"])))
    if match["origin"]:
        return _glued_source(at, match)
    if match["audio"]:
        return _audio(tokens, at, match)
    if match["disc"]:
        return _one(at, Field.SOURCE, Source.DVD)
    if match["medium"]:
        return _discs(at, match)
    if match["spoken"]:
        return _tracks(at, match)
    if match["imdb"]:
        return _one(at, Field.EXTERNAL_ID, f"imdb:{match['imdb']}")
    return _rarely(tokens, at, match)


def _rarely(tokens: Sequence[Token], at: int, match: re.Match[str]) -> Span | None:
    """The rarer ones of the numbered spellings."""
    if match["standard"]:
        return _standard(tokens, at)
    if match["glued"]:
        standard = Fact(Field.VIDEO_CODEC, f"h{match['encoder'][1:]}")
        return _alone(_SOURCES, match["glued"], at, standard)
    if match["copied"]:
        return _alone(_SOUNDS, match["copied"], at)
    return _one(at, Field.OTHER, match["rate"])


def _one(at: int, field: Field, value: str | None) -> Span | None:
    return Span(at, at + 1, (Fact(field, value),)) if value else None


def _standard(tokens: Sequence[Token], at: int) -> Span | None:
    """The number of a coding standard behind a point, whose letter another spelling has taken."""
    dotted = tokens[at].gap == "."
    return _one(at, Field.VIDEO_CODEC, f"h{tokens[at].low}") if dotted else None


def _by_height(height: int) -> Resolution | None:
    return next((name for floor, name in _HEIGHTS if height >= floor), None)


def _by_size(width: int, height: int) -> Resolution | None:
    order = list(Resolution)
    by_width = next((name for floor, name in _WIDTHS if width >= floor), None)
    found = [name for name in (_by_height(height), by_width) if name]
    return max(found, key=order.index, default=None)


def _glued_source(at: int, match: re.Match[str]) -> Span | None:
    lines = _by_height(int(match["lines"]))
    return _alone(_SOURCES, match["origin"], at, Fact(Field.RESOLUTION, lines)) if lines else None


def _alone(table: Mapping[str, Sequence[Entry]], word: str, at: int, *more: Fact) -> Span | None:
    """The span of a known word to which further facts, or a count of copies, are glued."""
    entries = [entry for entry in table.get(word, ()) if not entry.rest]
    return Span(at, at + 1, (*entries[0].facts, *more)) if entries else None


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


def _discs(at: int, match: re.Match[str]) -> Span | None:
    """``2xDVD9`` and ``3CD``: how many discs, and of what kind."""
    entries = [entry for entry in _SOURCES.get(match["medium"], ()) if not entry.rest]
    if entries and match["discs"].endswith("x"):
        return Span(at, at + 1, entries[0].facts)
    return _one(at, Field.OTHER, match["discs"]) if match["medium"][:2] == "cd" else None


def _tracks(at: int, match: re.Match[str]) -> Span | None:
    """``3xRus``: how many tracks of one language."""
    entries = [entry for entry in _LANGUAGES.get(match["spoken"], ()) if not entry.rest]
    return Span(at, at + 1, entries[0].facts) if entries else None


def _checksum(tokens: Sequence[Token], at: int) -> Span | None:
    token = tokens[at]
    if len(token.low) != len("1A2B3C4D") or not _CHECKSUM.fullmatch(token.low):
        return None
    if at + 1 == len(tokens) and "-" in token.gap and _is_shouted(token.text):
        return _one(at, Field.CHECKSUM, token.text)
    alone = token.bracket and (at + 1 == len(tokens) or tokens[at + 1].bracket != token.bracket)
    if not alone or tokens[at - 1].bracket == token.bracket:
        return None
    return _one(at, Field.CHECKSUM, token.text.upper())


def _is_shouted(text: str) -> bool:
    """Whether letters and digits are mixed, all in capitals, as in no word."""
    return text.isupper() and any(map(str.isdecimal, text))


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
