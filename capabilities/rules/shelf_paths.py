"""Where a work's files stand on the shelf, by a preset or by templates of the owner's own."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final

from capabilities.rules.name_tokens import (
    TITLE_BYTES,
    TITLES,
    EpisodeFacts,
    Token,
    episode_titles,
    episode_values,
    plain,
    release_values,
    title_of,
    title_values,
    work_values,
)
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.naming import Named, Naming
from capabilities.rules.safe_names import MOST_BYTES, cut, safe_part, without_numbering
from capabilities.rules.template_language import Node, Value, parsed, rendered, slots_of
from capabilities.rules.works import Work

STEM_BYTES: Final = 225
"""Of a file name without suffix; ``.en.forced.srt`` and the like take the rest of 255."""
_CUT: Final = "..."


class EpisodeStyle(StrEnum):
    """By which template an episode is named."""

    EPISODE = "episode"
    SPECIAL = "special"
    DAILY = "daily"
    ANIME = "anime"


_FILES: Final = {
    EpisodeStyle.EPISODE: Named.EPISODE_FILE,
    EpisodeStyle.SPECIAL: Named.SPECIAL_FILE,
    EpisodeStyle.DAILY: Named.DAILY_FILE,
    EpisodeStyle.ANIME: Named.ANIME_FILE,
}


@dataclass(frozen=True, slots=True)
class Called:
    """What a file was called: what its release's name says, and its own name without suffix."""

    name: ReleaseName
    original: str = ""


def film_path(work: Work, called: Called, naming: Naming, *, extension: str) -> PurePosixPath:
    """The path of a film's file under its library root.

    For example ``Sintel (2010) {tmdb-45745}/Sintel (2010) - [Bluray-1080p][x264]-GROUP.mkv``. A
    title too long is cut, in folder and file alike.

    Raises:
        ValueError: the extension is none.
    """
    suffix = _suffix(extension)
    folder, values = _film(work, called, naming)
    stem = rendered(parsed(naming.template(Named.FILM_FILE)), values)
    return PurePosixPath(folder, _file(stem, suffix, naming))


def film_folder(work: Work, called: Called, naming: Naming) -> PurePosixPath:
    """The folder of a film alone, for what is no single file."""
    return PurePosixPath(_film(work, called, naming)[0])


def _film(work: Work, called: Called, naming: Naming) -> tuple[str, Mapping[str, Value]]:
    folder = parsed(naming.template(Named.FILM_FOLDER))
    file = parsed(naming.template(Named.FILM_FILE))
    known = work_values(work, naming.colon) | _released(called, naming)
    room = _title_room((folder, file), known)
    values = known | title_values(title_of(work, room, naming.colon))
    return _part(rendered(folder, values), naming), values


def episode_path(
    work: Work,
    called: Called,
    naming: Naming,
    *,
    facts: EpisodeFacts,
    extension: str,
    style: EpisodeStyle = EpisodeStyle.EPISODE,
) -> PurePosixPath:
    """The path of an episode's file under its library root.

    For example ``Show (2019) {tmdb-1}/Season 01/Show (2019) - S01E01 - Pilot [WEBDL-1080p].mkv``.
    Of a name too long the episode's title is cut first.

    Args:
        work: the series, whose seasons give the titles of episodes.
        called: what the release says about quality and group.
        naming: the form that is followed.
        facts: season 0 for specials, and at least one episode.
        extension: of the file, with or without its dot.
        style: which template is used.

    Raises:
        ValueError: the extension is none, or there is no episode.
    """
    if not facts.episodes or facts.season < 0:
        raise ValueError("an episode's file needs a season and at least one episode number")
    suffix = _suffix(extension)
    file = parsed(naming.template(_FILES[style]))
    values = _series(work, naming) | _released(called, naming) | episode_values(work, facts)
    room = STEM_BYTES + 1 - len(rendered(file, values | {Token.EPISODE_TITLE: "x"}).encode())
    told = plain(episode_titles(work, facts), MOST_BYTES, naming.colon)
    values[Token.EPISODE_TITLE] = _shortened(without_numbering(told), room)
    stem = rendered(file, values)
    return season_folder(work, facts.season, naming) / _file(stem, suffix, naming)


def season_folder(work: Work, season: int, naming: Naming) -> PurePosixPath:
    """The folder of a season in that of its series; 0 is that of the specials."""
    values = _series(work, naming) | episode_values(work, EpisodeFacts(season, ()))
    inner = Named.SEASON_FOLDER if season else Named.SPECIALS_FOLDER
    parts = (naming.template(Named.SERIES_FOLDER), naming.template(inner))
    return PurePosixPath(*(_part(rendered(parsed(part), values), naming) for part in parts))


def series_folder(work: Work, naming: Naming) -> PurePosixPath:
    """The folder of a series."""
    return PurePosixPath(season_folder(work, 1, naming).parts[0])


def _series(work: Work, naming: Naming) -> dict[str, Value]:
    title = without_numbering(title_of(work, TITLE_BYTES, naming.colon))
    return work_values(work, naming.colon) | title_values(title)


def _released(called: Called, naming: Naming) -> dict[str, Value]:
    return release_values(called.name, called.original, naming.colon)


def _title_room(templates: Sequence[Sequence[Node]], known: Mapping[str, Value]) -> int:
    """Bytes for the title, so that it is the same in a name that holds all parts of both."""
    parts = dict.fromkeys(node for nodes in templates for node in nodes)
    taken = sum(len(rendered([node], known).encode()) for node in parts)
    times = max(sum(slot.token in TITLES for slot, _ in slots_of(nodes)) for nodes in templates)
    return (STEM_BYTES - taken) // max(times, 1)


def _suffix(extension: str) -> str:
    match = re.fullmatch(r"\.?([A-Za-z0-9]{1,10})", extension)
    if not match:
        raise ValueError("a file on the shelf needs a plain extension, such as mkv")
    return f".{match[1].lower()}"


def _shortened(title: str, most_bytes: int) -> str:
    """A title in so many bytes; what was cut ends in dots, which do not stand alone."""
    if len(title.encode()) <= most_bytes:
        return title
    kept = cut(title, most_bytes - len(_CUT))
    return f"{kept}{_CUT}" if kept else ""


def _part(text: str, naming: Naming) -> str:
    return safe_part(text, colon=naming.colon)


def _file(stem: str, suffix: str, naming: Naming) -> str:
    return f"{safe_part(stem, STEM_BYTES, colon=naming.colon)}{suffix}"
