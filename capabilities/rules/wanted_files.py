"""Which files of a pack are fetched for the episodes that are wanted of it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from capabilities.rules.file_kinds import DownloadedFile, FileKind, sorted_kinds
from capabilities.rules.sidecars import owner_of
from capabilities.rules.targets import Target

_FOLLOWING: Final = frozenset({FileKind.SUBTITLE, FileKind.NFO, FileKind.ARTWORK})


def wanted_files(
    files: Sequence[DownloadedFile],
    targets: Mapping[str, frozenset[Target]],
    wanted: Collection[Target],
) -> list[DownloadedFile]:
    """The videos that hold something wanted, with what follows them; in the order of the files.

    Where every video is wanted, every file is. Otherwise what follows none of the wanted videos
    is not: samples, extras, and a subtitle of which nobody knows whose it is, which would be
    taken for the only video there is.

    Args:
        files: everything in the pack.
        targets: what each of its videos holds, by path; nothing for one of another work.
        wanted: what is to be fetched.
    """
    chosen = {path for path, held in targets.items() if not held.isdisjoint(wanted)}
    if len(chosen) == len(targets):
        return list(files)
    kinds = sorted_kinds(files, None)
    videos = [file for file, kind in kinds.items() if kind is FileKind.VIDEO]
    return [
        file
        for file, kind in kinds.items()
        if file.path in chosen or (kind in _FOLLOWING and _follows(file, videos, chosen))
    ]


def _follows(
    file: DownloadedFile, videos: Sequence[DownloadedFile], chosen: Collection[str]
) -> bool:
    owner = owner_of(file, videos)
    return owner is not None and owner.path in chosen
