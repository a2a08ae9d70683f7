"""Files that follow a video onto the shelf: which video, and under which name."""

import re
from collections.abc import Collection, Sequence
from pathlib import PurePosixPath
from typing import Final

from capabilities.rules.file_kinds import DownloadedFile, FileKind, artwork_of
from capabilities.rules.names.paths import parse_path
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.subtitle_tags import subtitle_tags

_PART: Final = re.compile(
    r"[ ._-](?:part|pt|cd)[ ._-]?(\d{1,2}|i{1,3}|iv|v)(?![^\W_])", re.IGNORECASE
)


def owner_of(sidecar: DownloadedFile, videos: Sequence[DownloadedFile]) -> DownloadedFile | None:
    """The video a file belongs to, None where that is not clear.

    A name that begins with the video's decides, then a folder named like the video (as in
    ``Subs/<video>/2_English.srt``), then season and episode, and at last a video alone. A part that
    the file says must be the video's.
    """
    part = _part(sidecar)
    videos = [video for video in videos if part in {None, _part(video)}]
    named = [video for video in videos if _begins_with(sidecar.stem, video.stem)]
    if named:
        return max(named, key=lambda video: len(video.stem))
    in_folder = [video for video in videos if video.stem in sidecar.folders]
    if in_folder:
        return in_folder[0]
    if len(videos) == 1:
        return videos[0]
    numbers = _numbers(parse_path(sidecar.path))
    counted = [
        video for video in videos if any(numbers) and _numbers(parse_path(video.path)) == numbers
    ]
    return counted[0] if len(counted) == 1 else None


def _part(file: DownloadedFile) -> str | None:
    found = _PART.search(file.stem)
    return found[1].lstrip("0").lower() if found else None


def _begins_with(stem: str, video_stem: str) -> bool:
    rest = stem.casefold().removeprefix(video_stem.casefold())
    return len(rest) < len(stem) and not rest[:1].isalnum()


def _numbers(name: ReleaseName) -> tuple[tuple[int, ...], tuple[float, ...]]:
    return name.seasons, (*name.episodes, *name.absolute_episodes)


def sidecar_target(
    sidecar: DownloadedFile, kind: FileKind, video: DownloadedFile, target: PurePosixPath
) -> PurePosixPath:
    """The path beside the video's target."""
    if kind is FileKind.SUBTITLE:
        marks = subtitle_tags(sidecar.stem, video.stem).suffix
    elif kind is FileKind.ARTWORK:
        marks = f"-{artwork_of(sidecar)}"
    else:
        marks = ""
    return target.with_name(f"{target.stem}{marks}.{sidecar.suffix}")


def unique(target: PurePosixPath, taken: Collection[str]) -> PurePosixPath:
    """The path, with a number before its suffix where it is taken already.

    Args:
        target: the path wanted.
        taken: paths with their case folded, since shelves may not tell cases apart.
    """
    number, path = 1, target
    while str(path).casefold() in taken:
        number += 1
        path = target.with_name(f"{target.stem}.{number}{target.suffix}")
    return path
