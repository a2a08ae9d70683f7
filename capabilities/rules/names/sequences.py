"""Lists and ranges of season and episode numbers behind the first one."""

import re
from collections.abc import Sequence
from typing import Final

from capabilities.rules.names import signs
from capabilities.rules.names.tables.counting import LIST_WORDS, RANGE_WORDS, SEASON_WORDS
from capabilities.rules.names.tables.rows import Fact
from capabilities.rules.names.tokens import Token, is_tight
from capabilities.rules.names.vocabulary import Field

LONGEST_RANGE: Final = 2000
"""Episodes; a longer one is a slip of the pen or an attack."""
MOST_SEASONS: Final = 100

DASHES: Final = frozenset(signs.DASHES + signs.TILDES)
_BLANKS: Final = " ._"
DIGITS: Final = re.compile(r"\d+")
SEASON_EPISODE: Final = re.compile(
    r"[st](?P<season>\d{1,4})(?P<episodes>x?(?:(?:[ex+&]p?|sp)\d{1,5})+)?[a-d]?(?:v(?P<version>\d))?"
)
CROSS: Final = re.compile(
    rf"t?(?P<season>\d{{1,2}}|19\d\d|20\d\d)[{signs.TIMES}]"
    r"(?P<episodes>\d{1,3}(?:x\d{1,3})*)[a-d]?(?:v(?P<version>\d))?"
)
_MORE: Final = re.compile(r"(?!x26[456]\Z)[ex]p?(\d{1,5})(?:v\d)?|(\d{1,4})")
_UNPADDED: Final = re.compile(r"s[1-9]")
_SEASON: Final = re.compile(r"(s?)(\d{1,2})")


def said(tokens: Sequence[Token], at: int) -> str:
    """The word at the place, or nothing behind the end."""
    return tokens[at].low if at < len(tokens) else ""


def is_range(gap: str) -> bool:
    """Whether what stands between two numbers makes them a range."""
    return gap.strip(_BLANKS) in DASHES


def only(number: int) -> range:
    """A run of this number alone."""
    return range(number, number + 1)


def run_facts(field: Field, runs: Sequence[range]) -> tuple[Fact, ...]:
    """One fact per run, so that a long range costs no more than a short one."""
    return tuple(Fact(field, f"{run[0]}-{run[-1]}") for run in runs)


def numbers_of(values: Sequence[str]) -> tuple[int, ...]:
    """The numbers of all runs, as `run_facts` wrote them, in order and once each."""
    numbers: set[int] = set()
    for value in values:
        first, last = value.split("-")
        numbers.update(range(int(first), int(last) + 1))
    return tuple(sorted(numbers))


def more_seasons(
    tokens: Sequence[Token], end: int, first: int, *, bare: bool, plural: bool = False
) -> tuple[list[range], int]:
    """Read on from a first season: ``-S04``, ``& 3``, ``to 5``, and bare numbers in a list.

    Behind one season, a dash between blanks leads to an episode (``Season 2 - 10``).
    """
    seasons = [only(first)]
    if bare and (listed := _counted_up(tokens, end, first)) > 1:
        seasons, end = [range(first, first + listed + 1)], end + listed
    while end < len(tokens):
        number, ranged, behind = _next_season(tokens, end, bare=bare, plural=plural)
        last = seasons[-1][-1]
        if number is None or not last < number <= last + MOST_SEASONS:
            break
        seasons.append(range(last + 1, number + 1) if ranged else only(number))
        end = behind
    return seasons, end


def _counted_up(tokens: Sequence[Token], at: int, first: int) -> int:
    """How many numbers follow, each one more than the one before: ``1 2 3 4``."""
    count = 0
    while said(tokens, at + count) == str(first + count + 1) and is_tight(tokens[at + count].gap):
        count += 1
    return count


def _next_season(
    tokens: Sequence[Token], at: int, *, bare: bool, plural: bool
) -> tuple[int | None, bool, int]:
    word, ranged, joined = tokens[at].low, is_range(tokens[at].gap), False
    if word in RANGE_WORDS or word in LIST_WORDS:
        ranged, joined, at = word in RANGE_WORDS, True, at + 1
    if joined and said(tokens, at) in SEASON_WORDS:
        at += 1
    match = _SEASON.fullmatch(said(tokens, at))
    if not match:
        return None, False, at
    gap, marked = tokens[at].gap, bool(match[1])
    if not bare and not joined and not marked and _is_padded(tokens, at):
        return None, False, at
    lopsided = gap.strip() in DASHES and gap != f" {gap.strip()} "
    ranged = ranged and (joined or marked or plural or lopsided)
    listed = joined or ranged or _parts_list(gap, marked=marked, bare=bare)
    return (int(match[2]) if listed else None), ranged, at + 1


def _is_padded(tokens: Sequence[Token], at: int) -> bool:
    """Whether a number has the nought that the season in front lacks: ``S2-07`` is an episode."""
    before = tokens[at - 1].low
    return tokens[at].low[0] == "0" and bool(_UNPADDED.fullmatch(before))


def _parts_list(gap: str, *, marked: bool, bare: bool) -> bool:
    sign = gap.strip(" _")
    return (marked and sign in {"", ".", ",", "/", "+"}) or (bare and sign in {",", "+"})


def more_episodes(
    tokens: Sequence[Token], end: int, season: int | None, first: Sequence[int]
) -> tuple[list[range], int]:
    """Read on from a first episode: ``E02``, ``-03``, ``-S01E04``, in rising order only."""
    episodes = [only(number) for number in first]
    while end < len(tokens):
        number, ranged, joined = (
            _next_episode(tokens[end], season),
            is_range(tokens[end].gap),
            False,
        )
        if number is None and (said(tokens, end) in RANGE_WORDS | LIST_WORDS):
            number, ranged, joined = (
                _joined(tokens, end, season),
                said(tokens, end) in RANGE_WORDS,
                True,
            )
        last = episodes[-1][-1]
        if number is None or not last < number <= last + LONGEST_RANGE:
            break
        end += joined
        episodes.append(range(last + 1, number + 1) if ranged else only(number))
        end += 1
    return episodes, end


def _joined(tokens: Sequence[Token], at: int, season: int | None) -> int | None:
    """The number behind a word such as "and" or "to"."""
    if at + 1 >= len(tokens):
        return None
    plain = re.fullmatch(r"\d{1,3}", tokens[at + 1].low)
    return int(plain[0]) if plain else _next_episode(tokens[at + 1], season)


def _next_episode(token: Token, season: int | None) -> int | None:
    again = SEASON_EPISODE.fullmatch(token.low) or CROSS.fullmatch(token.low)
    if again and again["episodes"]:
        same = int(again["season"]) == season
        return int(DIGITS.findall(again["episodes"])[-1]) if same else None
    match = _MORE.fullmatch(token.low)
    if not match:
        return None
    if match[1]:
        return int(match[1]) if is_tight(token.gap) or is_range(token.gap) else None
    return int(match[2]) if token.gap in DASHES and len(match[2]) < len("1080") else None
