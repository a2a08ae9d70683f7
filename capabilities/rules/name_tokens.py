"""The tokens of naming templates, and their values for a work, a release and an episode."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from capabilities.rules.labels import (
    audio_label,
    codec_label,
    edition_label,
    group_label,
    languages_label,
    quality_label,
    quality_words,
    ranges_label,
    source_label,
)
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.safe_names import ColonRule, safe_part
from capabilities.rules.template_language import Counters, Value
from capabilities.rules.works import TitleKind, Work


class Token(StrEnum):
    """What a template can name; ``label`` is quality, range, codec and group as presets have them.

    ``id_source`` and ``id`` are the work's first number that media servers know.
    """

    TITLE = "title"
    TITLE_THE = "title_the"
    CLEAN_TITLE = "clean_title"
    ORIGINAL_TITLE = "original_title"
    YEAR = "year"
    ID_SOURCE = "id_source"
    ID = "id"
    TMDB = "tmdb"
    IMDB = "imdb"
    TVDB = "tvdb"
    EDITION = "edition"
    QUALITY = "quality"
    SOURCE = "source"
    RESOLUTION = "resolution"
    CODEC = "codec"
    DYNAMIC_RANGE = "dynamic_range"
    AUDIO = "audio"
    LANGUAGES = "languages"
    GROUP = "group"
    LABEL = "label"
    ORIGINAL_NAME = "original_name"
    SEASON = "season"
    EPISODE = "episode"
    EPISODE_CODE = "episode_code"
    ABSOLUTE = "absolute"
    AIR_DATE = "air_date"
    EPISODE_TITLE = "episode_title"


TITLES: Final = frozenset({Token.TITLE, Token.TITLE_THE, Token.CLEAN_TITLE})
OF_WORKS: Final = TITLES | {
    Token.ORIGINAL_TITLE,
    Token.YEAR,
    Token.ID_SOURCE,
    Token.ID,
    Token.TMDB,
    Token.IMDB,
    Token.TVDB,
}
OF_SEASONS: Final = OF_WORKS | {Token.SEASON}
OF_EPISODES: Final = frozenset(Token) - {Token.ORIGINAL_NAME}
"""The name that a file had says its own numbers, which servers would read a second time."""
OF_FILMS: Final = OF_EPISODES - {
    Token.SEASON,
    Token.EPISODE,
    Token.EPISODE_CODE,
    Token.ABSOLUTE,
    Token.AIR_DATE,
    Token.EPISODE_TITLE,
} | {Token.ORIGINAL_NAME}
COUNTED: Final = frozenset({Token.SEASON, Token.EPISODE, Token.ABSOLUTE})
ALWAYS: Final = TITLES | {Token.SEASON, Token.EPISODE, Token.EPISODE_CODE}
"""Tokens that have a value whatever is known."""

TITLE_BYTES: Final = 100
ORIGINAL_NAME_BYTES: Final = 120
_NO_BRACKETS: Final = str.maketrans("[]{}", "()()")
"""Servers read ids in square and curly brackets and skip what else stands there."""
_ID_SOURCES: Final = ("tmdb", "tvdb", "imdb")
_ARTICLE: Final = re.compile(r"(the|an|a) (.+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EpisodeFacts:
    """Which episodes a file holds; ``absolute`` counts them through all seasons, where known."""

    season: int
    episodes: tuple[int, ...]
    absolute: tuple[int, ...] = ()


def work_values(work: Work, colon: ColonRule) -> dict[str, Value]:
    """What is known of the work, its titles aside."""
    ids = {source: number for source in _ID_SOURCES if (number := _id(work, source))}
    ordered = dict.fromkeys((work.key.source, *_ID_SOURCES))
    source = next((one for one in ordered if one in ids), "")
    original = next((one.text for one in work.titles if one.kind is TitleKind.ORIGINAL), "")
    return {
        **ids,
        Token.ID_SOURCE: source,
        Token.ID: ids.get(source, ""),
        Token.YEAR: str(work.year) if work.year else "",
        Token.ORIGINAL_TITLE: plain(original, TITLE_BYTES, colon),
    }


def title_values(title: str) -> dict[str, Value]:
    """A title that is fit for a name, in its three forms."""
    articled = _ARTICLE.fullmatch(title)
    clean = "".join(sign if unicodedata.category(sign)[0] in "LMNZ" else " " for sign in title)
    return {
        Token.TITLE: title,
        Token.TITLE_THE: f"{articled[2]}, {articled[1]}" if articled else title,
        Token.CLEAN_TITLE: " ".join(clean.split()) or title,
    }


def title_of(work: Work, most_bytes: int, colon: ColonRule) -> str:
    """The work's title in so many bytes, its number where it has none that a name could hold."""
    title = plain(work.title, min(most_bytes, TITLE_BYTES), colon)
    return title or safe_part(f"{work.key.source} {work.key.id}", TITLE_BYTES) or "Untitled"


def plain(text: str, most_bytes: int, colon: ColonRule) -> str:
    """Text of a source, fit for a name and without the brackets that servers read ids in."""
    return safe_part(text.translate(_NO_BRACKETS), most_bytes, colon=colon)


def release_values(name: ReleaseName, original: str, colon: ColonRule) -> dict[str, Value]:
    """What the release's name says.

    Args:
        name: as it is read.
        original: the file's own name without suffix.
        colon: the rule for colons.
    """
    return {
        Token.EDITION: edition_label(name),
        Token.QUALITY: quality_words(name),
        Token.SOURCE: source_label(name),
        Token.RESOLUTION: name.resolution or "",
        Token.CODEC: codec_label(name),
        Token.DYNAMIC_RANGE: ranges_label(name),
        Token.AUDIO: audio_label(name),
        Token.LANGUAGES: languages_label(name),
        Token.GROUP: group_label(name),
        Token.LABEL: quality_label(name),
        Token.ORIGINAL_NAME: safe_part(original, ORIGINAL_NAME_BYTES, colon=colon),
    }


def episode_values(work: Work, facts: EpisodeFacts) -> dict[str, Value]:
    """Numbers and day of the episodes; their title is apart."""
    first = facts.episodes[0] if facts.episodes else None
    days = (
        episode.air_date
        for season in work.seasons
        if season.number == facts.season
        for episode in season.episodes
        if episode.number == first and episode.air_date
    )
    day = next(days, None)
    values: dict[str, Value] = {
        Token.SEASON: Counters((facts.season,), ""),
        Token.EPISODE_CODE: episode_code(facts.season, facts.episodes) if facts.episodes else "",
        Token.AIR_DATE: day.isoformat() if day else "",
    }
    if facts.episodes:
        values[Token.EPISODE] = Counters(tuple(sorted(set(facts.episodes))), "E", ranged=True)
    if facts.absolute:
        values[Token.ABSOLUTE] = Counters(tuple(sorted(set(facts.absolute))), "+")
    return values


def episode_code(season: int, episodes: Sequence[int]) -> str:
    """``S01E01``, ``S01E01-E03`` for a run, ``S01E01E03`` for single ones."""
    counters = Counters(tuple(sorted(set(episodes))), "E", ranged=True)
    return f"S{season:02d}E{counters.written(2)}"


def episode_titles(work: Work, facts: EpisodeFacts) -> str:
    """The titles of the episodes, once each; the parts of one story under its name."""
    known: Mapping[int, str] = {
        episode.number: episode.title or ""
        for one in work.seasons
        if one.number == facts.season
        for episode in one.episodes
    }
    titles = [known.get(number, "") for number in sorted(set(facts.episodes))]
    if len(titles) > 1:
        titles = [re.sub(r" ?\(\d{1,2}\)\Z", "", title) for title in titles]
    return " + ".join(dict.fromkeys(title for title in titles if title))


def _id(work: Work, source: str) -> str:
    number = work.ids.get(source, "")
    return number if re.fullmatch(r"[A-Za-z0-9]{1,15}", number) else ""
