"""Seasons and episodes where a name spells them out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from capabilities.rules.names.sequences import (
    CROSS,
    DIGITS,
    SEASON_EPISODE,
    more_episodes,
    more_seasons,
    only,
    run_facts,
    said,
)
from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables.counting import (
    CHAPTER_WORDS,
    EPISODE_WORDS,
    ORDINALS,
    SEASON_WORDS,
)
from capabilities.rules.names.tables.rows import Fact
from capabilities.rules.names.tokens import Token
from capabilities.rules.names.vocabulary import Field

_EPISODE: Final = re.compile(
    r"(?:(?:e|ep|eps|episode|folge|odc)\d{2,5}|(?:ep|episode|folge)\d)(?:[e+]\d{1,5})*(?:v\d)?"
)
_SHORT_EPISODE: Final = re.compile(r"(?:e|ep|episode)\d{1,5}(?:[e+]\d{1,5})*(?:v\d)?")
_NUMBER: Final = re.compile(r"(\d{1,4})(?:v(\d))?")
_COUNTED: Final = re.compile(r"(\d{1,4})of(\d{1,4})")
_GLUED_SEASON: Final = re.compile(r"(?:season|saison|staffel|temporada|se)(\d{1,2})")
_ORDINAL: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th|a|º|ª)?")
_HUNDRED: Final = 100


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of a numbering: where, which seasons, and the first episodes if any."""

    at: int
    end: int
    seasons: Sequence[range]
    episodes: Sequence[int]


def number_at(tokens: Sequence[Token], at: int) -> Span | None:
    """The numbering that begins at the token, as far as it reaches."""
    low = tokens[at].low
    first = low[0]
    if first.isdecimal():
        return _from_digit(tokens, at)
    if first == "s" and (match := SEASON_EPISODE.fullmatch(low)):
        return _season_episode(tokens, at, match)
    if low in ORDINALS and said(tokens, at + 1) in SEASON_WORDS:
        return _numbered(tokens, Start(at, at + 2, [only(ORDINALS[low])], []))
    if match := _GLUED_SEASON.fullmatch(low):
        return _numbered(tokens, Start(at, at + 1, [only(int(match[1]))], []))
    if low in SEASON_WORDS:
        return _season_word(tokens, at)
    if low in CHAPTER_WORDS:
        return _chapter(tokens, at)
    if low in EPISODE_WORDS or _EPISODE.fullmatch(low):
        return _episode_word(tokens, at)
    return None


def _from_digit(tokens: Sequence[Token], at: int) -> Span | None:
    low, follower = tokens[at].low, said(tokens, at + 1)
    if match := CROSS.fullmatch(low):
        return _season_episode(tokens, at, match)
    if match := _COUNTED.fullmatch(low):
        return _numbered(tokens, Start(at, at + 1, [], [int(match[1])]))
    if follower in SEASON_WORDS and (match := _ORDINAL.fullmatch(low)):
        number = _NUMBER.fullmatch(said(tokens, at + 2))
        if not match[0].isdecimal() or not number:
            return _numbered(tokens, Start(at, at + 2, [only(int(match[1]))], []))
    if low.isdecimal() and follower in {"of", "x"}:
        return _spaced(tokens, at)
    return None


def _spaced(tokens: Sequence[Token], at: int) -> Span | None:
    """``5 of 9`` and ``1 x 03``."""
    low, last = tokens[at].low, said(tokens, at + 2)
    if not (last.isascii() and last.isdecimal()) or max(len(low), len(last)) > len("100"):
        return None
    if tokens[at + 1].low == "of":
        return _numbered(tokens, Start(at, at + 3, [], [int(low)]))
    return _numbered(tokens, Start(at, at + 3, [only(int(low))], [int(last)]))


def _season_episode(tokens: Sequence[Token], at: int, match: re.Match[str]) -> Span | None:
    first = [int(one) for one in DIGITS.findall(match["episodes"] or "")]
    seasons, end = [only(int(match["season"]))], at + 1
    if not first:
        seasons, end = more_seasons(tokens, end, int(match["season"]), bare=False)
        first, end = _first_episode(tokens, end)
    version = f"v{match['version']}" if match["version"] else None
    return _numbered(tokens, Start(at, end, seasons, first), version)


def _numbered(tokens: Sequence[Token], start: Start, version: str | None = None) -> Span | None:
    """The span of a numbering with whatever further episodes follow its beginning."""
    if list(start.episodes) != sorted(set(start.episodes)):
        return None
    facts, end = run_facts(Field.SEASON, start.seasons), start.end
    if start.episodes:
        season = start.seasons[0][0] if start.seasons else None
        episodes, end = more_episodes(tokens, end, season, start.episodes)
        facts = (*facts, *run_facts(Field.EPISODE, episodes))
    if version:
        facts = (*facts, Fact(Field.REVISION, version))
    return Span(start.at, end, facts)


def _first_episode(tokens: Sequence[Token], end: int) -> tuple[list[int], int]:
    word = said(tokens, end)
    if _SHORT_EPISODE.fullmatch(word):
        return [int(one) for one in DIGITS.findall(word.split("v")[0])], end + 1
    if word in EPISODE_WORDS and (match := _NUMBER.fullmatch(said(tokens, end + 1))):
        return [int(match[1])], end + 2
    return [], end


def _season_word(tokens: Sequence[Token], at: int) -> Span | None:
    if not re.fullmatch(r"\d{1,2}", said(tokens, at + 1)):
        return None
    seasons, end = more_seasons(tokens, at + 2, int(tokens[at + 1].low), bare=True)
    episodes, end = _first_episode(tokens, end)
    return _numbered(tokens, Start(at, end, seasons, episodes))


def _chapter(tokens: Sequence[Token], at: int) -> Span | None:
    """Spanish ``Cap.102`` counts season and episode in one number."""
    match = re.fullmatch(r"\d{1,4}", said(tokens, at + 1))
    if not match:
        return None
    season, episode = divmod(int(match[0]), _HUNDRED)
    seasons = [only(season)] if season else []
    return _numbered(tokens, Start(at, at + 2, seasons, [episode]))


def _episode_word(tokens: Sequence[Token], at: int) -> Span | None:
    episodes, end = _first_episode(tokens, at)
    if not episodes:
        match = _EPISODE.fullmatch(tokens[at].low)
        if not match:
            return None
        episodes, end = [int(one) for one in DIGITS.findall(match[0].split("v")[0])], at + 1
    version = re.search(r"v\d\Z", tokens[end - 1].low)
    return _numbered(tokens, Start(at, end, [], episodes), version[0] if version else None)
