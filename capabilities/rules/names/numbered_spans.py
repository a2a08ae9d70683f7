"""What every numbering is made of: seasons, first episodes, and what follows them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from capabilities.rules.names.dating import year_of
from capabilities.rules.names.sequences import (
    DIGITS,
    SEASON_EPISODE,
    more_episodes,
    run_facts,
    said,
)
from capabilities.rules.names.spans import Span
from capabilities.rules.names.tables.counting import (
    EPISODE_WORDS,
    NUMBER_WORDS,
    OF_WORDS,
)
from capabilities.rules.names.tables.rows import Fact
from capabilities.rules.names.tokens import Token, is_tight
from capabilities.rules.names.vocabulary import Field

_SHORT_EPISODE: Final = re.compile(r"(?:e|ep|episode)\d{1,5}(?:[e+]\d{1,5})*(?:v\d)?")
_NUMBER: Final = re.compile(r"(\d{1,4})(?:v(\d))?")
_TOTAL: Final = re.compile(r"\d{1,4}")


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of a numbering: where, which seasons, and the first episodes if any."""

    at: int
    end: int
    seasons: Sequence[range]
    episodes: Sequence[int]


def numbered(tokens: Sequence[Token], start: Start, version: str | None = None) -> Span | None:
    """The span of a numbering with whatever further episodes follow its beginning."""
    if list(start.episodes) != sorted(set(start.episodes)):
        return None
    facts, end = run_facts(Field.SEASON, start.seasons), start.end
    if start.episodes:
        season = start.seasons[0][0] if start.seasons else None
        episodes, end = more_episodes(tokens, end, season, start.episodes)
        total = int(said(tokens, end + 1)) if says_total(tokens, end) else None
        end += 2 if total else 0
        marked = SEASON_EPISODE.fullmatch(tokens[start.at].low)
        if marked and start.seasons and episodes[0][0] == 1 and episodes[-1][-1] == total:
            facts = (*facts, Fact(Field.COMPLETE, "yes"))
        else:
            facts = (*facts, *run_facts(Field.EPISODE, episodes))
    if version:
        facts = (*facts, Fact(Field.REVISION, version))
    return Span(start.at, end, facts)


def says_total(tokens: Sequence[Token], at: int) -> bool:
    """Whether the words say of how many: ``of 12``."""
    return said(tokens, at) in OF_WORDS and bool(_TOTAL.fullmatch(said(tokens, at + 1)))


def first_episode(tokens: Sequence[Token], end: int) -> tuple[list[int], int]:
    """The episodes that the next words name, and where these end."""
    word = said(tokens, end)
    if _SHORT_EPISODE.fullmatch(word):
        return [int(one) for one in DIGITS.findall(word.split("v")[0])], end + 1
    following = said(tokens, end + 1)
    if word in EPISODE_WORDS and (match := _NUMBER.fullmatch(following)):
        return ([], end) if year_of(following) else ([int(match[1])], end + 2)
    if word in EPISODE_WORDS and following in NUMBER_WORDS and end:
        return [NUMBER_WORDS[following]], end + 2
    return [], end


def is_plain(tokens: Sequence[Token], at: int) -> bool:
    """Whether a number follows its word at once and begins with no nought."""
    if at >= len(tokens) or not is_tight(tokens[at].gap):
        return False
    return tokens[at].low.isdecimal() and tokens[at].low[0] != "0"
