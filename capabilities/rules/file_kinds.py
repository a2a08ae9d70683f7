"""What each file of a finished download is: video, sample, extra, subtitle, artwork, leftover."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final

from capabilities.rules.names.paths import parse_path
from capabilities.rules.names.tables.rows import word_set
from capabilities.rules.names.tokens import words
from capabilities.rules.names.vocabulary import Container


@dataclass(frozen=True, slots=True)
class DownloadedFile:
    """One file: its path inside the download, parted by ``/``, and its size in bytes."""

    path: str
    size: int

    @property
    def suffix(self) -> str:
        """In lower case, without its dot."""
        return PurePosixPath(self.path).suffix.lower().removeprefix(".")

    @property
    def stem(self) -> str:
        """The file's name without suffix."""
        return PurePosixPath(self.path).stem

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders above it."""
        return PurePosixPath(self.path).parts[:-1]


class FileKind(StrEnum):
    """What a file is for an import."""

    VIDEO = "video"
    SAMPLE = "sample"
    EXTRA = "extra"
    DISC = "disc"
    SUBTITLE = "subtitle"
    NFO = "nfo"
    ARTWORK = "artwork"
    OTHER = "other"


_VIDEOS: Final = frozenset(container.value for container in Container) - {"iso", "strm"}
_SUBTITLES: Final = word_set("srt ass ssa sub idx sup vtt smi")
_IMAGES: Final = word_set("jpg jpeg png webp")
ARTWORK_NAMES: Final = {
    "poster": "poster",
    "folder": "poster",
    "cover": "poster",
    "fanart": "fanart",
    "backdrop": "fanart",
    "banner": "banner",
    "logo": "logo",
    "clearlogo": "clearlogo",
    "landscape": "landscape",
    "thumb": "thumb",
}
_DISC_FOLDERS: Final = word_set("bdmv video_ts audio_ts certificate hvdvd_ts")
_EXTRA_WORDS: Final = word_set(
    "trailer trailers teaser featurette featurettes extras extra bonus interview interviews"
    " deleted scenes ncop nced menu pv cm making"
)
_EXTRA_FOLDERS: Final = word_set(
    "extras extra bonus featurettes trailers interviews specialfeatures behindthescenes"
    " deletedscenes scenes shorts other nc creditless"
)
_EXTRA_NUMBERED: Final = re.compile(r"(?:ncop|nced|pv|cm|menu)\d{0,2}[a-z]?")
_SAMPLE_WORDS: Final = word_set("sample samples")
SAMPLE_SHARE: Final = 0.3
"""A file that calls itself a sample is one below this share of the biggest video."""
SMALL_SHARE: Final = 0.05
"""Any other video is one below this share, where it says no episode."""
LEAST_BYTES_PER_MINUTE: Final = 1_000_000
"""Of a whole film or episode; a lone file that calls itself a sample is one below."""


def kind_of(file: DownloadedFile) -> FileKind:
    """What its name and place say, sizes left aside."""
    if any(folder.lower() in _DISC_FOLDERS for folder in file.folders) or file.suffix == "iso":
        return FileKind.DISC
    if file.suffix in _VIDEOS:
        return FileKind.EXTRA if _is_extra(file) else FileKind.VIDEO
    if file.suffix in _SUBTITLES:
        return FileKind.SUBTITLE
    if file.suffix == "nfo":
        return FileKind.NFO
    if file.suffix in _IMAGES and artwork_of(file):
        return FileKind.ARTWORK
    return FileKind.OTHER


def artwork_of(file: DownloadedFile) -> str | None:
    """The artwork's type where its name says one: ``poster.jpg``, ``Film-fanart.png``."""
    return ARTWORK_NAMES.get(file.stem.lower().rsplit("-", 1)[-1])


def _is_extra(file: DownloadedFile) -> bool:
    last = words(file.stem)[-1:]
    named = any(word in _EXTRA_WORDS or _EXTRA_NUMBERED.fullmatch(word) for word in last)
    return named or _in_extra_folder(file)


def _in_extra_folder(file: DownloadedFile) -> bool:
    """The release's own folder may be called so by its title, unless it is the only one."""
    folders = file.folders[1:] or file.folders
    return any("".join(words(folder)) in _EXTRA_FOLDERS for folder in folders)


def says_sample(file: DownloadedFile) -> bool:
    """Whether the file or its folder calls itself a sample."""
    parts = (*file.folders[-1:], file.stem)
    return any(word in _SAMPLE_WORDS for part in parts for word in words(part))


def sorted_kinds(
    files: Sequence[DownloadedFile], runtime: int | None
) -> dict[DownloadedFile, FileKind]:
    """What each file is, names and sizes taken together.

    Args:
        files: the files of one download.
        runtime: minutes of the film or of one episode, None when unknown.
    """
    kinds = {file: kind_of(file) for file in files}
    if FileKind.VIDEO not in kinds.values():
        kinds |= {
            file: FileKind.VIDEO
            for file, kind in kinds.items()
            if kind is FileKind.EXTRA and not _in_extra_folder(file)
        }
    videos = [file for file, kind in kinds.items() if kind is FileKind.VIDEO]
    samples = {file: FileKind.SAMPLE for file in videos if _is_sample(file, videos, runtime)}
    return kinds | samples


def _is_sample(file: DownloadedFile, videos: Sequence[DownloadedFile], runtime: int | None) -> bool:
    """Whether a video is a sample: it says so and is small, or is tiny and says no episode."""
    biggest = max(video.size for video in videos)
    if says_sample(file):
        if all(says_sample(video) for video in videos):
            return runtime is None or file.size < runtime * LEAST_BYTES_PER_MINUTE
        return file.size < biggest * SAMPLE_SHARE
    if file.size >= biggest * SMALL_SHARE:
        return False
    name = parse_path(file.path)
    return not (name.episodes or name.absolute_episodes or name.air_date)
