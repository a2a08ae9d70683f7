"""Where a work's files stand on the shelf, in the way each media server reads best.

The forms are those of the servers' own documentation: Plex ``{tmdb-1}`` and ``{edition-X}``,
Jellyfin ``[tmdbid-1]``, Emby ``[tmdbid=1]``, Kodi without ids (it reads them from an NFO file).
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final

from capabilities.rules.labels import edition_label, quality_label
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.safe_names import cut, safe_part, without_numbering
from capabilities.rules.works import Work


class NamingPreset(StrEnum):
    """The media server whose reading of names is followed."""

    PLEX = "plex"
    JELLYFIN = "jellyfin"
    EMBY = "emby"
    KODI = "kodi"


STEM_BYTES: Final = 225
"""Of a file name without suffix; ``.pt-BR.forced.2.srt`` and the like take the rest of 255."""
TITLE_BYTES: Final = 100
_CUT: Final = "..."
_ID_FORMS: Final = {
    NamingPreset.PLEX: "{{{source}-{id}}}",
    NamingPreset.JELLYFIN: "[{source}id-{id}]",
    NamingPreset.EMBY: "[{source}id={id}]",
}
_NO_BRACKETS: Final = str.maketrans("[]{}", "()()")
"""Servers read ids in square and curly brackets and skip what else stands there."""
_ID_SOURCES: Final = ("tmdb", "tvdb", "imdb")
_WHOLE_FOLDER_NAMES: Final = frozenset({NamingPreset.JELLYFIN, NamingPreset.EMBY})
"""They group versions of a film whose file names begin with the folder's whole name."""


def film_path(
    work: Work, name: ReleaseName, preset: NamingPreset, *, extension: str
) -> PurePosixPath:
    """The path of a film's file under its library root.

    For example ``Sintel (2010) {tmdb-45745}/Sintel (2010) - [Bluray-1080p][x264]-GROUP.mkv``.

    Raises:
        ValueError: the extension is none.
    """
    suffix = _suffix(extension)
    token, quality = _id_token(work, preset), quality_label(name)
    edition = edition_label(name)
    cut_label = f" {{edition-{edition}}}" if edition and preset is NamingPreset.PLEX else ""
    if edition and not cut_label:
        quality = f"[{edition}]{quality}"
    tail = f"{cut_label}{f' - {quality}' if quality else ''}"
    folder_token = f" {token}" if token else ""
    taken = len(f"{_year(work)}{folder_token}{tail}".encode())
    base = f"{_title(work, STEM_BYTES - taken)}{_year(work)}"
    folder = base + folder_token
    stem = (folder if preset in _WHOLE_FOLDER_NAMES else base) + tail
    return PurePosixPath(safe_part(folder), _file(stem, suffix))


def episode_path(
    work: Work,
    name: ReleaseName,
    preset: NamingPreset,
    *,
    season: int,
    episodes: Sequence[int],
    extension: str,
) -> PurePosixPath:
    """The path of an episode's file under its library root.

    For example ``Show (2019) {tmdb-1}/Season 01/Show (2019) - S01E01 - Pilot [WEBDL-1080p].mkv``.

    Args:
        work: the series, whose seasons give the titles of episodes.
        name: what the release says about quality and group.
        preset: the media server whose form is followed.
        season: 0 for specials.
        episodes: numbers within the season, at least one.
        extension: of the file, with or without its dot.

    Raises:
        ValueError: the extension is none, or there is no episode.
    """
    if not episodes or season < 0:
        raise ValueError("an episode's file needs a season and at least one episode number")
    suffix = _suffix(extension)
    base = f"{without_numbering(_title(work, TITLE_BYTES))}{_year(work)}"
    token, quality = _id_token(work, preset), quality_label(name)
    head = f"{base} - {episode_code(season, episodes)}"
    tail = f" {quality}" if quality else ""
    room = STEM_BYTES - len(f"{head}{tail} - ".encode())
    told = _episode_title(work, season, episodes).translate(_NO_BRACKETS)
    title = _shortened(without_numbering(safe_part(told)), room)
    stem = f"{head}{f' - {title}' if title else ''}{tail}"
    folder = f"{base} {token}" if token else base
    return PurePosixPath(safe_part(folder), f"Season {season:02d}", _file(stem, suffix))


def episode_code(season: int, episodes: Sequence[int]) -> str:
    """``S01E01``, ``S01E01-E03`` for a run, ``S01E01E03`` for single ones."""
    numbers = sorted(set(episodes))
    first, last = numbers[0], numbers[-1]
    if len(numbers) > 1 and last - first + 1 == len(numbers):
        return f"S{season:02d}E{first:02d}-E{last:02d}"
    return f"S{season:02d}" + "".join(f"E{number:02d}" for number in numbers)


def _suffix(extension: str) -> str:
    match = re.fullmatch(r"\.?([A-Za-z0-9]{1,10})", extension)
    if not match:
        raise ValueError("a file on the shelf needs a plain extension, such as mkv")
    return f".{match[1].lower()}"


def _title(work: Work, most_bytes: int) -> str:
    title = safe_part(work.title.translate(_NO_BRACKETS), min(most_bytes, TITLE_BYTES))
    return title or safe_part(f"{work.key.source} {work.key.id}", TITLE_BYTES) or "Untitled"


def _year(work: Work) -> str:
    return f" ({work.year})" if work.year else ""


def _id_token(work: Work, preset: NamingPreset) -> str:
    form = _ID_FORMS.get(preset)
    known = {**work.external_ids, work.key.source: work.key.id}
    ordered = dict.fromkeys((work.key.source, *_ID_SOURCES))
    for source in ordered:
        if (
            form
            and source in _ID_SOURCES
            and re.fullmatch(r"[A-Za-z0-9]{1,15}", known.get(source, ""))
        ):
            return form.format(source=source, id=known[source])
    return ""


def _episode_title(work: Work, season: int, episodes: Sequence[int]) -> str:
    """The titles of the episodes, once each; the parts of one story under its name."""
    known = {
        episode.number: episode.title or ""
        for one in work.seasons
        if one.number == season
        for episode in one.episodes
    }
    titles = [known.get(number, "") for number in sorted(set(episodes))]
    if len(titles) > 1:
        titles = [re.sub(r" ?\(\d{1,2}\)\Z", "", title) for title in titles]
    return " + ".join(dict.fromkeys(title for title in titles if title))


def _shortened(title: str, most_bytes: int) -> str:
    """A title in so many bytes; what was cut ends in dots, which do not stand alone."""
    if len(title.encode()) <= most_bytes:
        return title
    kept = cut(title, most_bytes - len(_CUT))
    return f"{kept}{_CUT}" if kept else ""


def _file(stem: str, suffix: str) -> str:
    return f"{safe_part(stem, STEM_BYTES)}{suffix}"
