"""Walking a whole library: every file of every folder, a folder at a time, in bounded memory."""

import os
import stat
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from capabilities.adapters.shelf.faults import translated
from capabilities.adapters.shelf.freezing import Oddity
from capabilities.adapters.shelf.recycling import RECYCLE
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.faults import DeclinedError, WorldFaultError

DEEPEST: Final = 40
"""Folders in folders; a mount that contains itself would go on for ever."""
TOO_DEEP: Final = f"it lies more than {DEEPEST} folders deep"
_LAST_NS: Final = (1 << 63) - 1
"""The year 2262; file systems know later times, and nothing else does."""
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Seen(NamedTuple):
    """One regular file as stat(2) saw it; bytes, and nanoseconds since the epoch.

    A time beyond 63 bits is taken for the last one within them, and for the first one below.
    """

    name: str
    size: int
    inode: int
    mtime_ns: int


@dataclass(slots=True)
class SeenFolder:
    """What one folder holds itself; its folders come by themselves.

    Attributes:
        path: relative to where the walk began, the empty string there.
        device: of the folder and of its files.
        files: regular files, by name.
        odd: names that are no files to be taken, for showing.
        fault: why the folder could not be read, for a person; nothing is known of it, nor of
            anything below it, then.
    """

    path: str
    device: int = 0
    files: list[Seen] = field(default_factory=list[Seen])
    odd: dict[str, Oddity] = field(default_factory=dict[str, Oddity])
    fault: str | None = None


def walk(root: Root, relative: str = "") -> Generator[SeenFolder]:
    """Every folder from ``relative`` down, each once it is read whole; no link is followed.

    It blocks; run it in a worker thread. A folder that cannot be read is told of and left; one
    that vanished since its parent was read is as if it had not been there. At most `DEEPEST`
    folders are held open.

    Raises:
        WorldFaultError: the folder that it begins at cannot be read.
    """
    with root.folder(relative) as handle:
        yield from _walked(root, handle, relative, 0)


def refuse_replaced(root: Root) -> None:
    """Refuse what was seen below a root whose path leads to another folder by now.

    A disk that is taken off while it is walked leaves the folder that it was mounted on.

    Raises:
        DeclinedError: it leads elsewhere.
        WorldFaultError: it leads nowhere.
    """
    with root.folder() as handle, translated(root.system):
        held, there = os.fstat(handle), os.stat(root.path)  # noqa: PTH116  # beside its handle
    if (held.st_dev, held.st_ino) != (there.st_dev, there.st_ino):
        raise DeclinedError(
            root.system,
            "Another folder stands in its place since the look began. Nothing was forgotten.",
        )


def _walked(root: Root, handle: int, path: str, depth: int) -> Generator[SeenFolder]:
    here = SeenFolder(path)
    try:
        with translated(root.system):
            below = _read(handle, here)
    except WorldFaultError as fault:
        if not depth:
            raise
        yield SeenFolder(path, fault=fault.sentence)
        return
    yield here
    for name in below:
        inner = f"{path}/{name}" if path else name
        if depth >= DEEPEST:
            yield SeenFolder(inner, fault=TOO_DEEP)
            continue
        try:
            with translated(root.system):
                opened = os.open(name, _FOLDER, dir_fd=handle)
        except WorldFaultError as fault:
            if _is_there(handle, name):
                yield SeenFolder(inner, fault=fault.sentence)
            continue
        try:
            yield from _walked(root, opened, inner, depth + 1)
        finally:
            os.close(opened)


def _read(handle: int, here: SeenFolder) -> list[str]:
    """Fill in what a folder holds; the names of its folders, in order."""
    here.device = os.fstat(handle).st_dev
    files, folders = here.files, list[str]()
    with os.scandir(handle) as entries:
        for entry in entries:
            name = entry.name
            if not name.isascii() and not _is_utf8(name):
                here.odd[_shown(name)] = Oddity.UNREADABLE_NAME
            elif entry.is_file(follow_symlinks=False):
                try:
                    now = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                mtime_ns = now.st_mtime_ns
                if not -_LAST_NS <= mtime_ns <= _LAST_NS:
                    mtime_ns = max(-_LAST_NS, min(mtime_ns, _LAST_NS))
                files.append(Seen(name, now.st_size, now.st_ino, mtime_ns))
            elif entry.is_dir(follow_symlinks=False):
                if name != RECYCLE:  # what lies there stands on the shelf no more
                    folders.append(name)
            else:
                here.odd[name] = Oddity.LINK if entry.is_symlink() else Oddity.SPECIAL
    files.sort()
    folders.sort()
    return folders


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(name: str) -> str:
    return os.fsencode(name).decode(errors="backslashreplace")


def _is_there(handle: int, name: str) -> bool:
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False
    except OSError:
        return True
