"""Files that follow a video onto the shelf: which video, and under which name."""

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Final

from capabilities.rules.file_kinds import DownloadedFile, FileKind, artwork_of
from capabilities.rules.names.paths import parse_path
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.safe_names import MOST_BYTES
from capabilities.rules.same_names import name_key
from capabilities.rules.subtitle_tags import subtitle_tags

_PAIR: Final = ("idx", "sub")
_FOR_NUMBER: Final = len(".99")
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
    """The path beside the video's target; a flag less where its name would be too long."""
    marks = _marks(sidecar, kind, video)
    room = MOST_BYTES - _FOR_NUMBER - len(f"{target.stem}.{sidecar.suffix}".encode())
    while marks and len("".join(marks)) > room:
        marks = marks[:-1]
    return target.with_name(f"{target.stem}{''.join(marks)}.{sidecar.suffix}")


def _marks(sidecar: DownloadedFile, kind: FileKind, video: DownloadedFile) -> list[str]:
    """What stands between the video's name and the suffix, what matters most first."""
    if kind is FileKind.ARTWORK:
        return [f"-{artwork_of(sidecar)}"]
    tags = subtitle_tags(sidecar.stem, video.stem)
    return [f".{one}" for one in (tags.language, *tags.flags) if one]


class Taken:
    """The names that the files of one import have on the shelf; no two get the same one."""

    def __init__(self, targets: Iterable[PurePosixPath]) -> None:
        """Begin with those that stand fixed."""
        self._keys = {name_key(str(target)) for target in targets}
        self._numbers: dict[str, int] = {}
        self._pairs: dict[tuple[tuple[str, ...], str], dict[str, PurePosixPath]] = {}

    def free(self, target: PurePosixPath, sidecar: DownloadedFile) -> PurePosixPath:
        """The path, with a number before its suffix where it is taken already.

        An index and its pictures, ``.idx`` and ``.sub``, keep one name.
        """
        if sidecar.suffix not in _PAIR:
            return self._take(target, [sidecar.suffix])
        held = self._pairs.setdefault((sidecar.folders, sidecar.stem), {})
        if sidecar.suffix not in held:
            path = self._take(target, _PAIR)
            held.update({suffix: path.with_suffix(f".{suffix}") for suffix in _PAIR})
        return held.pop(sidecar.suffix)

    def _take(self, target: PurePosixPath, suffixes: Sequence[str]) -> PurePosixPath:
        wanted = name_key(str(target))
        number, path = self._numbers.get(wanted, 1), target
        if number > 1:
            path = _numbered(target, number)
        while not self._keys.isdisjoint(keys := _keys(path, suffixes)):
            number += 1
            path = _numbered(target, number)
        self._numbers[wanted] = number
        self._keys |= keys
        return path


def _numbered(target: PurePosixPath, number: int) -> PurePosixPath:
    return target.with_name(f"{target.stem}.{number}{target.suffix}")


def _keys(path: PurePosixPath, suffixes: Sequence[str]) -> set[str]:
    return {name_key(str(path.with_suffix(f".{suffix}"))) for suffix in suffixes}
