"""Proving, from the shelf and nowhere else, that the files of a plan stand there as planned."""

import os
import stat
from collections.abc import Sequence
from itertools import groupby

from capabilities.adapters.media.facts import MediaFacts
from capabilities.adapters.media.probe import inspect
from capabilities.adapters.shelf.digests import digest_of
from capabilities.adapters.shelf.faults import NotAFileError, translated
from capabilities.adapters.shelf.placements import Mode
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel import fault_points
from capabilities.kernel.outcomes import HaltError
from capabilities.organize.endings import not_as_planned
from capabilities.organize.ground import VIDEO, Ground, OnShelf
from capabilities.organize.import_plan import PlannedFile


async def proven(ground: Ground, numbers: Sequence[int]) -> list[OnShelf]:
    """Each of these files, proven where it stands, in their order.

    A hard link must be the source's own file; a copy or clone another one of its size, whose bytes
    were compared or digested; a symbolic link must lead, by the absolute path inside the download
    folder, to the source. A video must be readable as one.

    Raises:
        HaltError: failed; one is not what was planned.
        WorldFaultError: one cannot be looked at.
    """
    fault_points.at("before_verify")
    seen = await off_loop(_looked, ground, numbers)
    shelf: list[OnShelf] = []
    for number, now in zip(numbers, seen, strict=True):
        file = ground.plan.files[number]
        if file.role != VIDEO and _is_the_source(file, now) and ground.ways[0] is Mode.HARDLINK:
            # most files of a large plan: nothing else is to be read of them
            shelf.append(
                OnShelf(file, now.st_dev, now.st_ino, now.st_size, None, None, now.st_nlink)
            )
        else:
            shelf.append(await _proven(ground, number, now))
    fault_points.at("verified")
    return shelf


def _is_the_source(file: PlannedFile, now: os.stat_result) -> bool:
    same = now.st_ino == file.source.inode and now.st_size == file.source.size
    return same and stat.S_ISREG(now.st_mode)


def _looked(ground: Ground, numbers: Sequence[int]) -> list[os.stat_result]:
    """What stands under the targets, each folder reached anew from the library's root."""
    files = ground.plan.files
    seen: list[os.stat_result] = []
    names = (ground.library.split(files[number].target) for number in numbers)
    for folder, neighbours in groupby(names, lambda pair: pair[0]):
        with ground.library.folder(folder) as handle, translated(ground.library.system):
            seen += [os.stat(name, dir_fd=handle, follow_symlinks=False) for _, name in neighbours]
    return seen


async def _proven(ground: Ground, number: int, now: os.stat_result) -> OnShelf:
    file, log = ground.plan.files[number], ground.log
    way = way_of(ground, file, now)
    size = file.source.size if way is Mode.SYMLINK else now.st_size
    expected = way in ground.ways
    if size != file.source.size or not expected:
        raise HaltError(not_as_planned(file, "is not the file that was planned"))
    if way is Mode.SYMLINK and not await off_loop(_leads, ground, file):
        raise HaltError(not_as_planned(file, "does not lead to the file that was planned"))
    if way in {Mode.COPY, Mode.REFLINK} and number not in log.digests:
        digest = await off_loop(_digest, ground.library, file.target)
        await log.note({"file": number, "step": "digested", "digest": digest})
    streams = await streams_of(ground, file, file.target, way)
    copied = way is Mode.COPY and ground.plan.mode is not Mode.COPY
    return OnShelf(
        file,
        now.st_dev,
        now.st_ino,
        size,
        log.digests.get(number),
        streams,
        links=now.st_nlink,
        way=way,
        why=log.instead if copied else None,
        own_size=now.st_size if way is Mode.SYMLINK else None,
        mtime_ns=None if way is Mode.SYMLINK else now.st_mtime_ns,
    )


async def streams_of(ground: Ground, file: PlannedFile, path: str, way: Mode) -> MediaFacts | None:
    """What a video holds; None for what is none.

    A symbolic link is not followed: the file that it was proven to lead to is read instead.

    Raises:
        HaltError: failed; it cannot be read as a video.
    """
    if file.role != VIDEO:
        return None
    link = way is Mode.SYMLINK
    root, at = (ground.sources, file.source.path) if link else (ground.library, path)
    streams = await inspect(root, at)
    if streams is None or streams.truncated:
        raise HaltError(not_as_planned(file, "cannot be read as a video"))
    return streams


def way_of(ground: Ground, file: PlannedFile, now: os.stat_result) -> Mode:
    """How what stands there came there, as the file system shows it."""
    if stat.S_ISLNK(now.st_mode):
        return Mode.SYMLINK
    if not stat.S_ISREG(now.st_mode):
        raise NotAFileError(ground.library.system, "A name there belongs to no regular file.")
    if now.st_ino == file.source.inode:
        return Mode.HARDLINK
    cloned = ground.plan.mode is Mode.REFLINK and ground.log.instead is None
    return Mode.REFLINK if cloned else Mode.COPY


def _leads(ground: Ground, file: PlannedFile) -> bool:
    folder, name = ground.library.split(file.target)
    with ground.library.folder(folder) as handle, translated(ground.library.system):
        path = os.readlink(name, dir_fd=handle)
    there = ground.sources.status(file.source.path)
    same = (there.st_ino, there.st_size) == (file.source.inode, file.source.size)
    return same and path == str(ground.sources.path_of(file.source.path))


def _digest(library: Root, target: str) -> str:
    with library.file(target) as handle, translated(library.system):
        return digest_of(handle)
