"""Seasons and episodes that a word announces."""

import re
from collections.abc import Sequence
from typing import Final

from capabilities.rules.names.dating import year_of
from capabilities.rules.names.numbered_spans import Start, first_episode, is_plain, numbered
from capabilities.rules.names.sequences import (
    DIGITS,
    more_seasons,
    only,
    run_facts,
    said,
)
from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables.counting import (
    CHAPTER_WORDS,
    NUMBER_WORDS,
    NUMBERED_SEASON_WORDS,
    PLURAL_SEASON_WORDS,
    ROMANS,
    SEASON_WORDS,
)
from capabilities.rules.names.tokens import Token, parts_fields
from capabilities.rules.names.vocabulary import Field

_EPISODE: Final = re.compile(
    r"(?:(?:e|ep|eps|episode|folge|odc)\d{2,5}|(?:ep|episode|folge)\d)(?:[e+]\d{1,5})*(?:v\d)?"
)
_COUNTED: Final = re.compile(r"(\d{1,4})of(\d{1,4})")
_SEVERAL: Final = re.compile(r"(\d{1,2})([:&])(\d{1,2})")
_FIRST: Final = re.compile(r"e\d")
_LAST: Final = re.compile(r"e?\d{1,3}")
_SMALL: Final = re.compile(r"\d{1,2}")
_HUNDRED: Final = 100


def season_word(tokens: Sequence[Token], at: int) -> Span | None:
    """``Season 2``, ``Season Two``, ``Season 1-3``, ``Season 2 Episode 5``."""
    number = said(tokens, at + 1)
    if at + 1 < len(tokens) and parts_fields(tokens[at + 1].gap):
        return None
    if counted := _COUNTED.fullmatch(number):
        return Span(at, at + 2, run_facts(Field.SEASON, [only(int(counted[1]))]))
    if several := _SEVERAL.fullmatch(number):
        return _several(at, several)
    if tokens[at].low in NUMBERED_SEASON_WORDS and tokens[at].text.endswith(":"):
        return None
    unsure = tokens[at].low in NUMBERED_SEASON_WORDS and number.isdecimal()
    if unsure and not is_plain(tokens, at + 1):
        return None
    first = _spelled(number)
    if tokens[at].low in NUMBERED_SEASON_WORDS and number in NUMBER_WORDS:
        return None
    if at == 0 and tokens[at].low in SEASON_WORDS and year_of(number):
        first = int(number)
    if first is None or number == "i":
        return None
    plural = tokens[at].low in PLURAL_SEASON_WORDS
    seasons, end = more_seasons(tokens, at + 2, first, bare=True, plural=plural)
    episodes, end = first_episode(tokens, end)
    chapter = (
        _SMALL.fullmatch(said(tokens, end + 1)) if said(tokens, end) in CHAPTER_WORDS else None
    )
    if chapter:
        episodes, end = [int(chapter[0])], end + 2
    return numbered(tokens, Start(at, end, seasons, episodes))


def _several(at: int, several: re.Match[str]) -> Span | None:
    """``Season 1&3`` and ``Season 1:11``."""
    first, last = int(several[1]), int(several[3])
    ranged = several[2] == ":"
    runs = [range(first, last + 1)] if ranged else [only(first), only(last)]
    return Span(at, at + 2, run_facts(Field.SEASON, runs)) if first < last else None


def _spelled(number: str) -> int | None:
    """The number in digits, in Roman numerals or as a word."""
    if number.isascii() and number.isdecimal():
        return int(number) if len(number) <= len("99") else None
    return ROMANS.get(number) or NUMBER_WORDS.get(number)


def chapter(tokens: Sequence[Token], at: int) -> Span | None:
    """Spanish ``Cap.102`` counts season and episode in one number."""
    match = re.fullmatch(r"\d{1,4}", said(tokens, at + 1))
    if not match:
        return None
    season, episode = divmod(int(match[0]), _HUNDRED)
    seasons = [only(season)] if season else []
    last = re.fullmatch(r"\d{3,4}", said(tokens, at + 2))
    if last and tokens[at + 2].gap in {"_", "-"} and int(last[0]) // _HUNDRED == season:
        until = int(last[0]) % _HUNDRED
        return numbered(tokens, Start(at, at + 3, seasons, [*range(episode, until + 1)]))
    return numbered(tokens, Start(at, at + 2, seasons, [episode]))


def begins_range(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word begins a range such as ``E1-12``."""
    if not _FIRST.fullmatch(tokens[at].low) or at + 1 >= len(tokens):
        return False
    return tokens[at + 1].gap == "-" and bool(_LAST.fullmatch(tokens[at + 1].low))


def _dotted_episode(tokens: Sequence[Token], at: int) -> Span | None:
    """``Episode 1.22``, which counts the season in front of the point."""
    season, episode = said(tokens, at + 1), said(tokens, at + 2)
    if not (re.fullmatch(r"\d{1,2}", season) and re.fullmatch(r"\d{2}", episode)):
        return None
    if tokens[at + 2].gap != "." or tokens[at + 1].gap == ".":
        return None
    return numbered(tokens, Start(at, at + 3, [only(int(season))], [int(episode)]))


def episode_word(tokens: Sequence[Token], at: int) -> Span | None:
    """``Episode 5``, ``Ep05v2``, ``E05E06``, ``Episode 1.22``."""
    if dotted := _dotted_episode(tokens, at):
        return dotted
    episodes, end = first_episode(tokens, at)
    if not episodes:
        match = _EPISODE.fullmatch(tokens[at].low)
        if not match:
            return None
        episodes, end = [int(one) for one in DIGITS.findall(match[0].split("v")[0])], at + 1
    version = re.search(r"v\d\Z", tokens[end - 1].low)
    return numbered(tokens, Start(at, end, [], episodes), version[0] if version else None)
