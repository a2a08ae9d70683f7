"""Which files beside an old video belong to it, and go where it goes."""

from collections.abc import Collection
from pathlib import PurePosixPath
from typing import Final

from capabilities.rules.file_kinds import DownloadedFile, FileKind, kind_of

_FOLLOW: Final = {FileKind.SUBTITLE, FileKind.NFO, FileKind.ARTWORK}
_SUFFIXES: Final = frozenset({"jpg", "jpeg", "png", "webp", "nfo"})


def companions(video: str, names: Collection[str]) -> list[str]:
    """Names in one folder that begin with the video's own and are subtitles, NFOs or pictures.

    One that begins with another video's longer name is that one's.
    """
    stem = PurePosixPath(video).stem
    longer = [
        PurePosixPath(one).stem
        for one in names
        if one != video and _is_video(one) and PurePosixPath(one).stem.startswith(stem)
    ]
    return sorted(
        one
        for one in names
        if _follows(one, stem) and not any(_follows(one, other) for other in longer)
    )


def _is_video(name: str) -> bool:
    return kind_of(DownloadedFile(name, 0)) in {FileKind.VIDEO, FileKind.EXTRA, FileKind.SAMPLE}


def _follows(name: str, stem: str) -> bool:
    rest = name.removeprefix(stem)
    if len(rest) == len(name) or rest[:1] not in {".", "-"}:
        return False
    file = DownloadedFile(name, 0)
    return kind_of(file) in _FOLLOW or file.suffix in _SUFFIXES
