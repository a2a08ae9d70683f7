"""What each file of a finished download is: video, sample, extra, subtitle, artwork, leftover."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final

from capabilities.rules.extras import extra_among, extra_folder, extra_of
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
DISC_FOLDERS: Final = word_set("bdmv video_ts audio_ts certificate aacs hvdvd_ts")
_SAMPLE_WORDS: Final = word_set("sample samples")
SAMPLE_SHARE: Final = 0.3
"""A file that calls itself a sample is one below this share of the biggest video."""
SMALL_SHARE: Final = 0.05
"""Any other video is one below this share, where it says no episode."""
LEAST_BYTES_PER_MINUTE: Final = 1_000_000
"""Of a whole film or episode; a lone file that calls itself a sample is one below."""


def kind_of(file: DownloadedFile) -> FileKind:
    """What its name and place say, sizes left aside."""
    if any(folder.lower() in DISC_FOLDERS for folder in file.folders) or file.suffix == "iso":
        return FileKind.DISC
    if file.suffix in _VIDEOS:
        extra = extra_of(file.stem, file.folders)
        return FileKind.VIDEO if extra is None else FileKind.EXTRA
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
            if kind is FileKind.EXTRA and extra_folder(file.folders) is None
        }
    videos = [file for file, kind in kinds.items() if kind is FileKind.VIDEO]
    samples = {file: FileKind.SAMPLE for file in videos if _is_sample(file, videos, runtime)}
    extras = {file: FileKind.EXTRA for file in videos if _is_extra_beside(file, videos)}
    return kinds | samples | extras


def _is_extra_beside(file: DownloadedFile, videos: Sequence[DownloadedFile]) -> bool:
    """Whether a video is called a trailer or the like beside a far bigger one."""
    biggest = max(video.size for video in videos)
    small = file.size < biggest * SAMPLE_SHARE
    return small and extra_among(file.stem) is not None and not _says_episode(file)


def _is_sample(file: DownloadedFile, videos: Sequence[DownloadedFile], runtime: int | None) -> bool:
    """Whether a video is a sample: it says so and is small, or is tiny and says no episode."""
    biggest = max(video.size for video in videos)
    if says_sample(file):
        if all(says_sample(video) for video in videos):
            return runtime is None or file.size < runtime * LEAST_BYTES_PER_MINUTE
        return file.size < biggest * SAMPLE_SHARE
    if file.size >= biggest * SMALL_SHARE:
        return False
    return not _says_episode(file)


def _says_episode(file: DownloadedFile) -> bool:
    name = parse_path(file.path)
    return bool(name.episodes or name.absolute_episodes or name.air_date)
