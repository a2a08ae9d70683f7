"""What the files of one library folder are, and what their names say, read quickly."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from capabilities.rules.file_kinds import (
    ARTWORK_NAMES,
    DownloadedFile,
    FileKind,
    kind_of,
    says_sample,
)
from capabilities.rules.file_kinds import sorted_kinds as sorted_out
from capabilities.rules.names.paths import parse_path
from capabilities.rules.names.shelf_names import heading_of, numbered

_WORK: Final = re.compile(
    r"(?P<title>[^\[\](){}]{1,150}) \((?P<year>(?:19|20)\d\d)\)(?: [\[{][a-z]+(?:id)?[-=]\w+[\]}])?"
)
"""The folder of one work, as media servers and library programs name it."""
_SEASON: Final = re.compile(r"(?:season|series|staffel|saison) ?\d{1,3}|specials", re.IGNORECASE)
_EPISODE: Final = "S01E01.mkv"
_HEADINGS: Final = 8192
_TOGETHER: Final = 50
_LONGEST_KIND: Final = 24
"""Characters of the name of a folder of extras, or of a disc."""


class Heading(NamedTuple):
    """The work that a file's path speaks of, in its own words; files of one heading are one work.

    Attributes:
        counted: whether they are parts of a series, by what they say.
    """

    title: str
    year: int | None
    counted: bool


class ShelfFile(NamedTuple):
    """One file of a library folder.

    Attributes:
        heading: of a video; None for every other kind.
        season: as the name says it; None for a film, or where it takes a closer look.
    """

    name: str
    size: int
    kind: FileKind
    heading: Heading | None = None
    season: int | None = None
    episodes: tuple[int, ...] = ()


def read_folder(path: str, files: Sequence[tuple[str, int]]) -> list[ShelfFile]:
    """Kind and reading of every file of one folder, in the order given.

    A file that plainly says season and episode is a video, whatever its episode is called; a small
    one that calls itself a sample is none.

    Args:
        path: of the folder inside its library, the empty string for the library itself.
        files: names and sizes in bytes.
    """
    inside = _kind_inside(path)
    told = [_quick(path, name, size, inside) for name, size in files]
    unclear = [one for one in told if one.kind is FileKind.VIDEO and one.heading is None]
    if not unclear:
        return told
    held = {f"{path}/{one.name}" if path else one.name: one for one in told}
    loaded = [
        DownloadedFile(where, one.size) for where, one in held.items() if one.kind is FileKind.VIDEO
    ]
    closer = {
        held[file.path].name: _closer(file, kind)
        for file, kind in _sorted(loaded)
        if held[file.path].heading is None
    }
    return [closer.get(one.name, one) for one in told]


def _sorted(videos: Sequence[DownloadedFile]) -> Iterator[tuple[DownloadedFile, FileKind]]:
    """Each beside some others and the biggest of all: thousands may stand in one folder."""
    biggest = max(videos, key=lambda video: video.size)
    for first in range(0, len(videos), _TOGETHER):
        some = videos[first : first + _TOGETHER]
        kinds = sorted_out([*some, biggest], None)
        yield from ((video, kinds[video]) for video in some)


def _quick(path: str, name: str, size: int, inside: FileKind) -> ShelfFile:
    suffix = name.rpartition(".")[2].lower()
    kind = _by_suffix(suffix) if inside is FileKind.VIDEO else inside
    if kind is FileKind.ARTWORK:
        last = name.rpartition(".")[0].rpartition("-")[2].lower()
        return ShelfFile(name, size, kind if last in ARTWORK_NAMES else FileKind.OTHER)
    if kind is not FileKind.VIDEO:
        return ShelfFile(name, size, kind)
    if "sample" in name.lower() and says_sample(DownloadedFile(name, size)):
        return ShelfFile(name, size, kind)
    parts = numbered(name)
    if parts is None:
        return ShelfFile(name, size, kind, _film(path, name))
    return ShelfFile(
        name,
        size,
        kind,
        _episode_heading(path, parts.head, parts.gap),
        parts.season,
        parts.episodes,
    )


def _closer(file: DownloadedFile, kind: FileKind) -> ShelfFile:
    """A video that is not plainly numbered: a film, or something that takes the whole parser."""
    name = file.path.rpartition("/")[2]
    if kind is not FileKind.VIDEO:
        return ShelfFile(name, file.size, kind)
    read = parse_path(file.path)
    counted = bool(read.seasons or read.episodes or read.absolute_episodes or read.air_date)
    season = read.seasons[0] if len(read.seasons) == 1 and read.episodes else None
    heading = Heading(read.title, read.year, counted)
    return ShelfFile(name, file.size, kind, heading, season, read.episodes if season else ())


def _film(folder: str, name: str) -> Heading | None:
    """The film in a folder of its own, where the file bears its name and nothing but quality."""
    heading = _work_folder(folder.rpartition("/")[2])
    if heading is None or not name.startswith(f"{heading.title} ({heading.year})"):
        return None
    rest = name[len(heading.title) + len(" (1900)") :].rpartition(".")[0]
    return heading if not rest or rest.startswith((" [", " - [", " {")) else None


@lru_cache(maxsize=_HEADINGS)
def _work_folder(folder: str) -> Heading | None:
    found = _WORK.fullmatch(folder)
    return found and Heading(found["title"], int(found["year"]), counted=False)


def _episode_heading(folder: str, head: str, gap: str) -> Heading:
    above, _, last = folder.rpartition("/")
    return _series(above if _SEASON.fullmatch(last) else folder, head, gap)


@lru_cache(maxsize=_HEADINGS)
def _series(folder: str, head: str, gap: str) -> Heading:
    named = _work_folder(folder.rpartition("/")[2])
    if named is not None and head in {named.title, f"{named.title} ({named.year})"}:
        return named._replace(counted=True)
    read = heading_of(folder, f"{head}{gap}", "", "mkv")
    return Heading(read.title, read.year, counted=True)


@lru_cache(maxsize=256)
def _by_suffix(suffix: str) -> FileKind:
    """What a suffix alone says; an image may be artwork."""
    if suffix in {"jpg", "jpeg", "png", "webp"}:
        return FileKind.ARTWORK
    return kind_of(DownloadedFile(f"S01E01.{suffix}", 0))


def _kind_inside(folder: str) -> FileKind:
    """What a video is by its folders alone; everything in a folder of a disc is that disc."""
    if not any(_says_more(part) for part in folder.split("/")):
        return FileKind.VIDEO
    return kind_of(DownloadedFile(f"{folder}/{_EPISODE}", 0))


@lru_cache(maxsize=_HEADINGS)
def _says_more(folder: str) -> bool:
    """Whether a folder's name may make its videos something else; a number in it never does."""
    if len(folder) > _LONGEST_KIND or any(map(str.isdecimal, folder)):
        return False
    return kind_of(DownloadedFile(f"_/{folder}/{_EPISODE}", 0)) is not FileKind.VIDEO
