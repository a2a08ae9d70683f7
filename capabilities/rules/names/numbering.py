"""Seasons and episodes where a name spells them out."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from capabilities.rules.names.numbered_spans import (
    Start,
    first_episode,
    is_plain,
    numbered,
    says_total,
)
from capabilities.rules.names.numbering_words import (
    begins_range,
    chapter,
    episode_word,
    season_word,
)
from capabilities.rules.names.sequences import (
    CROSS,
    DIGITS,
    SEASON_EPISODE,
    more_seasons,
    only,
    run_facts,
    said,
)
from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables.counting import (
    ALL_WORDS,
    CHAPTER_WORDS,
    COUNTED_EPISODE_WORDS,
    EPISODE_WORDS,
    NUMBERED_SEASON_WORDS,
    OF_WORDS,
    ORDINAL_ENDINGS,
    ORDINALS,
    PART_WORDS,
    PLURAL_SEASON_WORDS,
    SEASON_WORDS,
)
from capabilities.rules.names.tables.rows import Fact
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field

_EPISODE: Final = re.compile(
    r"(?:(?:e|ep|eps|episode|folge|odc)\d{2,5}|(?:ep|episode|folge)\d)(?:[e+]\d{1,5})*(?:v\d)?"
)
_NUMBER: Final = re.compile(r"(\d{1,4})(?:v(\d))?")
_COUNTED: Final = re.compile(r"(\d{1,4})(?:of|iz|из)(\d{1,4})")
_GLUED_SEASON: Final = re.compile(r"(?:season|saison|staffel|temporada|se)(\d{1,2})")
_ORDINAL: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th|a|º|ª)?")
_GLUED_TITLE: Final = re.compile(r"([Ss]\d{1,2}[Ee]\d{2,3})[A-Z][a-z]")
_DISC: Final = re.compile(r"s(\d{1,2})(?:d(?:is[ck])?\d{1,2}|(extras?))")
_CHANNELS: Final = re.compile(r"(?:\d(?:x\d)?\+)?\d")
_TRACKS: Final = re.compile(r"[0-4]x\d")
_WHOLE: Final = re.compile(r"(\d{1,2})xall")
_SEASONS: Final = re.compile(r"[1-9]\d?")
_WORDS: Final = frozenset(
    {
        *ALL_WORDS,
        *SEASON_WORDS,
        *NUMBERED_SEASON_WORDS,
        *EPISODE_WORDS,
        *CHAPTER_WORDS,
        *PART_WORDS,
        *ORDINALS,
    }
)
"""Words without a digit that can begin a numbering."""


def number_at(tokens: Sequence[Token], at: int) -> Span | None:
    """The numbering that begins at the token, as far as it reaches."""
    low = tokens[at].low
    first = low[0]
    if first.isdecimal():
        return _from_digit(tokens, at)
    if low in ALL_WORDS:
        return _all_seasons(tokens, at)
    if low.isalpha() and low not in _WORDS:
        return None
    if first in "st" and (span := _from_letter(tokens, at)):
        return span
    if low in ORDINALS and said(tokens, at + 1) in SEASON_WORDS:
        return numbered(tokens, Start(at, at + 2, [only(ORDINALS[low])], []))
    if low in SEASON_WORDS or low in NUMBERED_SEASON_WORDS:
        return season_word(tokens, at)
    if low in CHAPTER_WORDS:
        return chapter(tokens, at)
    if low in PART_WORDS and said(tokens, at + 2) in OF_WORDS:
        span = _spaced(tokens, at + 1) if said(tokens, at + 1).isdecimal() else None
        return replace(span, start=at) if span else None
    if low in EPISODE_WORDS or _EPISODE.fullmatch(low) or begins_range(tokens, at):
        return episode_word(tokens, at)
    return None


def _all_seasons(tokens: Sequence[Token], at: int) -> Span | None:
    """``All 7 Seasons``: a whole series, and how many seasons it has."""
    count = said(tokens, at + 1)
    if not _SEASONS.fullmatch(count) or said(tokens, at + 2) not in PLURAL_SEASON_WORDS:
        return None
    seasons = run_facts(Field.SEASON, [range(1, int(count) + 1)])
    return Span(at, at + 3, (Fact(Field.COMPLETE, "yes"), *seasons))


def _from_letter(tokens: Sequence[Token], at: int) -> Span | None:
    """``S02E05``, ``T2x05``, ``S02D03``, ``Season2``."""
    low = tokens[at].low
    if low[0] == "t":
        match = CROSS.fullmatch(low) or SEASON_EPISODE.fullmatch(low)
        whole = _season_episode(tokens, at, match) if match and match["episodes"] else None
        return whole or _glued_season(tokens, at)
    if match := SEASON_EPISODE.fullmatch(low) or _glued(tokens[at]):
        return _season_episode(tokens, at, match)
    if disc := _DISC.fullmatch(low):
        extra = (Fact(Field.EXTRA, "extras"),) if disc[2] else ()
        return Span(at, at + 1, (*run_facts(Field.SEASON, [only(int(disc[1]))]), *extra))
    return _glued_season(tokens, at)


def _glued_season(tokens: Sequence[Token], at: int) -> Span | None:
    match = _GLUED_SEASON.fullmatch(tokens[at].low)
    return numbered(tokens, Start(at, at + 1, [only(int(match[1]))], [])) if match else None


def _glued(token: Token) -> re.Match[str] | None:
    """``S03E02Title``: the numbering of a word that goes on with a capital letter."""
    match = _GLUED_TITLE.match(token.text)
    return SEASON_EPISODE.fullmatch(match[1].lower()) if match else None


def _from_digit(tokens: Sequence[Token], at: int) -> Span | None:
    low, follower = tokens[at].low, said(tokens, at + 1)
    if match := CROSS.fullmatch(low):
        return None if _counts_channels(tokens, at) else _season_episode(tokens, at, match)
    if match := _COUNTED.fullmatch(low):
        return numbered(tokens, Start(at, at + 1, [], [int(match[1])]))
    if match := _WHOLE.fullmatch(low):
        return Span(at, at + 1, run_facts(Field.SEASON, [only(int(match[1]))]))
    if follower in ORDINAL_ENDINGS and tokens[at + 1].gap == "-":
        return _counted(tokens, at, at + 2)
    if follower in COUNTED_EPISODE_WORDS:
        return _counted(tokens, at, at + 1)
    if follower in SEASON_WORDS and (match := _ORDINAL.fullmatch(low)):
        behind = said(tokens, at + 2)
        number = _NUMBER.fullmatch(behind) or _COUNTED.fullmatch(behind)
        counted = said(tokens, at + 3) in COUNTED_EPISODE_WORDS
        if not match[0].isdecimal() or not number or counted:
            return numbered(tokens, Start(at, at + 2, [only(int(match[1]))], []))
    if low.isdecimal() and (follower in OF_WORDS or follower == "x"):
        return _spaced(tokens, at)
    return None


def _counts_channels(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word is the end of ``5.1x2``, or of ``5.1x2+2.0x3``."""
    front = said(tokens, at - 1) if at and tokens[at].gap == "." else ""
    return bool(_CHANNELS.fullmatch(front) and _TRACKS.fullmatch(tokens[at].low))


def _counted(tokens: Sequence[Token], at: int, word: int) -> Span | None:
    """``5-й сезон``, ``09-я серия из 12``, ``60.Bölüm``: the number, then what it counts."""
    number, counted = tokens[at].low, said(tokens, word)
    if not number.isdecimal() or len(number) > len("1000"):
        return None
    if counted in SEASON_WORDS:
        return numbered(tokens, Start(at, word + 1, [only(int(number))], []))
    if counted not in COUNTED_EPISODE_WORDS or is_plain(tokens, word + 1):
        return None
    span = numbered(tokens, Start(at, word + 1, [], [int(number)]))
    return _with_total(tokens, span) if span else None


def _with_total(tokens: Sequence[Token], span: Span) -> Span:
    """The span with the ``of 12`` behind it."""
    end = span.end + (2 if says_total(tokens, span.end) else 0)
    return Span(span.start, end, span.facts, span.strength)


def _spaced(tokens: Sequence[Token], at: int) -> Span | None:
    """``5 of 9`` and ``1 x 03``."""
    low, last = tokens[at].low, said(tokens, at + 2)
    if not (last.isascii() and last.isdecimal()) or max(len(low), len(last)) > len("100"):
        return None
    if tokens[at + 1].low in OF_WORDS:
        return numbered(tokens, Start(at, at + 3, [], [int(low)]))
    return numbered(tokens, Start(at, at + 3, [only(int(low))], [int(last)]))


def _season_episode(tokens: Sequence[Token], at: int, match: re.Match[str]) -> Span | None:
    first = _episodes_of(match["episodes"] or "")
    seasons, end = [only(int(match["season"]))], at + 1
    if not first:
        seasons, end = more_seasons(tokens, end, int(match["season"]), bare=False)
        first, end = first_episode(tokens, end)
    version = f"v{match['version']}" if match["version"] else None
    return numbered(tokens, Start(at, end, seasons, first), version)


def _episodes_of(text: str) -> list[int]:
    """The numbers of ``E05E06``, and the two that stand in ``E0506``."""
    digits = DIGITS.findall(text)
    if len(digits) == 1 and len(digits[0]) == len("0506") and digits[0][0] == "0":
        first, second = int(digits[0][:2]), int(digits[0][2:])
        if second == first + 1:
            return [first, second]
    return [int(one) for one in digits]
