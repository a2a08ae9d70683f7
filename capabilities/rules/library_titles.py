"""The videos of a library by the title that their paths speak of, so that each is asked once."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, Final

from capabilities.rules.identity import as_forced
from capabilities.rules.library_rows import KeptVideo, videos_of
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.shelf_names import read_shelf_path
from capabilities.rules.recognition.applying import reworded_path
from capabilities.rules.recognition.words import Forced, Word
from capabilities.rules.shelf_files import Heading
from capabilities.rules.title_keys import title_key
from capabilities.rules.works import WorkKind

SERIES_NFO: Final = "tvshow.nfo"
FILM_NFO: Final = "movie.nfo"
_ID: Final = re.compile(r"(?:tmdb|tvdb|imdb)(?:id)?[-= ]?(?:tt)?\d+|\btt\d{7,8}\b", re.IGNORECASE)
"""An external id as a path spells it; what it means is read by the parser, once for each title."""


@dataclass(frozen=True, slots=True)
class SeenFolder:
    """A folder of a library as it was kept, see `capabilities.rules.library_rows`."""

    path: str
    device: int
    held: Mapping[str, Any]
    seen_at: datetime


@dataclass(frozen=True, slots=True)
class LibraryVideo:
    """One video, read with its owner's words.

    Attributes:
        text: its path after them.
        season: with ``episodes``, as plainly said; None where it takes a closer look.
    """

    kept: KeptVideo
    text: str
    season: int | None
    episodes: tuple[int, ...]
    forced: Forced | None = None

    @property
    def is_plain(self) -> bool:
        """Whether its season and episodes are said without doubt."""
        return self.season is not None and bool(self.episodes)

    @property
    def name(self) -> ReleaseName:
        """All that its path says."""
        return as_forced(read_shelf_path(self.text), self.forced)

    @property
    def numbers(self) -> ReleaseName:
        """Its season and episodes alone, without reading it whole where they are plain."""
        if not self.is_plain:
            return self.name
        seasons = (self.season or 0,)
        return ReleaseName(self.text, kind=WorkKind.SERIES, seasons=seasons, episodes=self.episodes)


@dataclass(slots=True)
class Group:
    """Videos of one title.

    Attributes:
        forced: the work that the owner's words say they are, e.g. ``tmdb:film:1``.
        marks: what keeps works of one title apart: ids in the path, and the nearest NFO file.
        nfos: paths of files that may have the work's numbers, the likeliest first.
        seen_at: when one of their folders was last found different.
    """

    heading: Heading
    forced: str | None
    marks: tuple[str, ...]
    seen_at: datetime
    videos: list[LibraryVideo] = field(default_factory=list[LibraryVideo])
    nfos: list[str] = field(default_factory=list[str])

    @property
    def likeliest(self) -> LibraryVideo:
        """The video by whose name the title is told: of a series, one of its first season."""
        return min(self.videos, key=lambda one: (not one.season, one.season or 0, one.kept.path))


def grouped(folders: Iterable[SeenFolder], words: Sequence[Word]) -> list[Group]:
    """Every title of a library, by its first path.

    Args:
        folders: in the order of their paths.
        words: the owner's recognition words.
    """
    groups: dict[tuple[object, ...], Group] = {}
    series_nfos: dict[str, str] = {}
    for folder in folders:
        nfos = folder.held["nfos"]
        if SERIES_NFO in nfos:
            series_nfos[folder.path] = _inside(folder.path, SERIES_NFO)
        for kept in videos_of(folder.path, folder.device, folder.held):
            heading, video = _read(kept, words)
            forced = None if video.forced is None else str(video.forced.work)
            beside = _nfos(kept, folder.path, nfos, series_nfos)
            marks = (*sorted({one.lower() for one in _ID.findall(kept.path)}), *beside[:1])
            key = (title_key(heading.title), heading.year, heading.counted, forced, marks)
            group = groups.setdefault(key, Group(heading, forced, marks, folder.seen_at))
            group.seen_at = max(group.seen_at, folder.seen_at)
            group.videos.append(video)
            group.nfos += [nfo for nfo in beside if nfo not in group.nfos]
    return list(groups.values())


def _read(kept: KeptVideo, words: Sequence[Word]) -> tuple[Heading, LibraryVideo]:
    plain = LibraryVideo(kept, kept.path, kept.season, kept.episodes)
    if not words:
        return kept.heading, plain
    done = reworded_path(kept.path, words)
    if done.forced is None and done.text == kept.path:
        return kept.heading, plain
    video = replace(plain, text=done.text, forced=done.forced)
    name = video.name
    counted = bool(name.seasons or name.episodes or name.absolute_episodes or name.air_date)
    season = name.seasons[0] if len(name.seasons) == 1 and name.episodes else None
    episodes = name.episodes if season is not None else ()
    heading = Heading(name.title, name.year, counted)
    return heading, replace(video, season=season, episodes=episodes)


def _nfos(
    kept: KeptVideo, folder: str, here: Sequence[str], series: Mapping[str, str]
) -> list[str]:
    if kept.heading.counted:
        above = folder.rpartition("/")[0]
        return [nfo for nfo in (series.get(folder), series.get(above)) if nfo is not None]
    own = f"{PurePosixPath(kept.path).stem}.nfo"
    return [_inside(folder, one) for one in (own, FILM_NFO) if one in here]


def _inside(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
