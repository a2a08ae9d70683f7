"""What a source was when it was looked at, so that a later act can tell whether it still is."""

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from capabilities.adapters.shelf.faults import NotAFileError, PathRefusedError, translated
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel.faults import DeclinedError

MOST_FILES = 100_000


@dataclass(frozen=True, slots=True)
class Frozen:
    """One regular file as stat(2) saw it; sizes in bytes, `mtime_ns` since the epoch."""

    device: int
    inode: int
    size: int
    mtime_ns: int
    links: int


class Oddity(StrEnum):
    """Why something in a folder is not taken for a file that could be placed."""

    LINK = "link"
    SPECIAL = "special"
    UNREADABLE_NAME = "unreadable_name"


@dataclass(frozen=True, slots=True)
class Scan:
    r"""Every file below a folder by relative path, and what was refused, both in path order.

    The paths in `refused` are for showing: bytes that are no UTF-8 are written as ``\xNN``.
    """

    files: Mapping[str, Frozen]
    refused: Mapping[str, Oddity]


def frozen_from(status: os.stat_result) -> Frozen:
    """The facts of a status that was taken without following links."""
    return Frozen(
        device=status.st_dev,
        inode=status.st_ino,
        size=status.st_size,
        mtime_ns=status.st_mtime_ns,
        links=status.st_nlink,
    )


def same(frozen: Frozen, now: Frozen) -> bool:
    """Whether it is still the same file with the same content.

    The number of links does not count: placing a hard link changes it.
    """
    return (frozen.device, frozen.inode, frozen.size, frozen.mtime_ns) == (
        now.device,
        now.inode,
        now.size,
        now.mtime_ns,
    )


async def freeze(root: Root, relative: str) -> Frozen:
    """Look at one regular file; a link, folder or device raises `NotAFileError`."""
    return await off_loop(_freeze, root, relative)


def _freeze(root: Root, relative: str) -> Frozen:
    status = root.status(relative)
    if not stat.S_ISREG(status.st_mode):
        raise NotAFileError(root.system, "A name there belongs to no regular file.")
    return frozen_from(status)


async def scan(root: Root, folder: str = "") -> Scan:
    """List every regular file below `folder`, relative to `root`, following no link.

    Raises:
        DeclinedError: there are more than `MOST_FILES` names.
    """
    return await off_loop(_scan, root, folder)


def _scan(root: Root, folder: str) -> Scan:
    files: dict[str, Frozen] = {}
    refused: dict[str, Oddity] = {}
    pending = [folder]
    while pending:
        here = pending.pop()
        for name, found in _look(root, here):
            relative = f"{here}/{name}" if here else name
            if found is None:
                pending.append(relative)
            elif isinstance(found, Frozen):
                files[relative] = found
            else:
                refused[os.fsencode(relative).decode(errors="backslashreplace")] = found
        if len(files) + len(refused) + len(pending) > MOST_FILES:
            raise DeclinedError(
                root.system, f"A folder there has more than {MOST_FILES} names; it was not read."
            )
    return Scan(dict(sorted(files.items())), dict(sorted(refused.items())))


def _look(root: Root, folder: str) -> list[tuple[str, Frozen | Oddity | None]]:
    with root.folder(folder) as handle, translated(root.system), os.scandir(handle) as entries:
        return [(entry.name, _judged(root, entry)) for entry in entries]


def _judged(root: Root, entry: os.DirEntry[str]) -> Frozen | Oddity | None:
    """The facts of a file, what is odd about it, or None for a folder to go into."""
    try:
        root.parts(entry.name)
    except PathRefusedError:
        return Oddity.UNREADABLE_NAME
    status = entry.stat(follow_symlinks=False)
    if stat.S_ISLNK(status.st_mode):
        return Oddity.LINK
    if stat.S_ISDIR(status.st_mode):
        return None
    return frozen_from(status) if stat.S_ISREG(status.st_mode) else Oddity.SPECIAL
