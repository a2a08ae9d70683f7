"""The recycle folder of a library: where files go that another one takes the place of.

It lies at the library's root, on its file system, so that a file goes there and back by its name
alone. Media servers pass over it: Kodi and Plex over names with a leading dot, and each of them
over a folder with the mark that it knows. Everything is reached from the library's handle, no link
is followed, and a file is only touched while it is the one that was meant. The functions block.
"""

import errno
import os
import stat
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from capabilities.adapters.shelf.faults import (
    NotFoundError,
    PathRefusedError,
    SourceChangedError,
    TargetExistsError,
    translated,
)
from capabilities.adapters.shelf.freezing import Frozen, frozen_from, same
from capabilities.adapters.shelf.renames import Renames
from capabilities.adapters.shelf.roots import PART_BYTES, Root
from capabilities.kernel import fault_points
from capabilities.kernel.faults import LostAnswerError, WorldFaultError

RECYCLE: Final = ".matinee-recycle"
MARKS: Final = {
    ".ignore": b"",  # Jellyfin takes an empty one for the whole folder, and one with lines not
    ".embyignore": b"*\n",
    ".plexignore": b"*\n",
    ".nomedia": b"",  # Kodi
}
"""What tells each media server to pass over a folder, by its own documentation."""
MOST_OF_ONE_NAME: Final = 1000
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CHANGED: Final = (
    "The file is not the one that was to be replaced any more. It was left; plan again."
)


def is_recycled(relative: str) -> bool:
    """Whether a path below a library is one of its recycle folder."""
    return relative == RECYCLE or relative.startswith(f"{RECYCLE}/")


def place_for(library: Root, relative: str) -> str:
    """A free place for a file, its folders kept: ``x.mkv``, then ``x_2.mkv``, and so on."""
    pure = PurePosixPath(RECYCLE, relative)
    for number in range(1, MOST_OF_ONE_NAME):
        tail = f"_{number}{pure.suffix}" if number > 1 else pure.suffix
        stem = pure.name.removesuffix(pure.suffix)
        while len(f"{stem}{tail}".encode()) > PART_BYTES:
            stem = stem[:-1]
        there = str(pure.with_name(f"{stem}{tail}"))
        try:
            library.status(there)
        except NotFoundError:
            return there
    raise PathRefusedError(
        library.system, "Its recycle folder has a thousand of one name. Empty it."
    )


def recycle(library: Root, relative: str, was: Frozen, place: str) -> None:
    """Move a file of the library to its place in the recycle folder, both on the disk after.

    Folders that this leaves empty go. Its modification time becomes now, if it has no other name:
    one that a download client seeds from would be taken for changed.

    Raises:
        SourceChangedError: another file has the name; it was left.
        NotFoundError: nothing has it.
        TargetExistsError: something has the place.
        LostAnswerError: it has its place, and the disk failed after that.
    """
    _mark(library)
    fault_points.at("before_recycle")
    _rename(library, (relative, place), was, touched=False)
    fault_points.at("recycled")
    _touch(library, place)
    _remove_empty(library, library.split(relative)[0], "")


def keep(library: Root, relative: str, was: Frozen, place: str) -> None:
    """Give a file of the library a second name in the recycle folder, on the disk after.

    For one whose own name another file is about to take. What is there already of an earlier
    attempt is left as it is.

    Raises:
        SourceChangedError: another file has the name.
        NotSupportedError: the file system has no hard links.
    """
    _mark(library)
    folder, name = library.split(relative)
    parent, new = library.split(place)
    with library.folder(folder) as here, library.folder(parent, make=True) as there:
        fault_points.at("before_keep")
        with translated(library.system):
            _confirm(library, here, name, was)
            with suppress(FileExistsError):
                os.link(name, new, src_dir_fd=here, dst_dir_fd=there, follow_symlinks=False)
            _confirm(library, there, new, was)
            os.fsync(there)
        fault_points.at("kept")


def unkeep(library: Root, relative: str, was: Frozen, place: str) -> None:
    """Take the second name away again, if the file still has its own.

    Raises:
        SourceChangedError: it has not, or another file has the place; nothing was taken away.
    """
    folder, name = library.split(relative)
    parent, second = library.split(place)
    with (
        library.folder(folder) as here,
        library.folder(parent) as there,
        translated(library.system),
    ):
        _confirm(library, here, name, was)
        _confirm(library, there, second, was)
        os.unlink(second, dir_fd=there)
        os.fsync(there)


def take_back(library: Root, target: str, inode: int) -> None:
    """Take a name away that was given a moment ago, if it still is that file's.

    Raises:
        SourceChangedError: another file has it; it was left.
    """
    folder, name = library.split(target)
    with library.folder(folder) as here, translated(library.system):
        if os.stat(name, dir_fd=here, follow_symlinks=False).st_ino != inode:
            raise SourceChangedError(library.system, _CHANGED)
        os.unlink(name, dir_fd=here)
        os.fsync(here)


def restore(library: Root, place: str, was: Frozen, relative: str) -> None:
    """Give a recycled file its name back, if nothing has it; faults as those of `recycle`."""
    _rename(library, (place, relative), was, touched=True)
    fault_points.at("restored")


def remove(library: Root, place: str, inode: int, size: int) -> bool:
    """Delete a recycled file for ever, with the folders that it leaves empty.

    Returns:
        False when nothing has its place, or another file: that one is somebody's own, and stays.

    Raises:
        PathRefusedError: the place is none of the recycle folder.
    """
    if not is_recycled(place) or place == RECYCLE:
        raise PathRefusedError(library.system, "Only what is in the recycle folder is deleted.")
    folder, name = library.split(place)
    try:
        with library.folder(folder) as here, translated(library.system):
            now = os.stat(name, dir_fd=here, follow_symlinks=False)
            if (now.st_ino, now.st_size) != (inode, size) or not stat.S_ISREG(now.st_mode):
                return False
            os.unlink(name, dir_fd=here)
            os.fsync(here)
    except NotFoundError:
        return False
    _remove_empty(library, folder, RECYCLE)
    return True


def _mark(library: Root) -> None:
    """Make the folder, with its marks; what a person put in their place stays."""
    with library.folder(RECYCLE, make=True) as handle, translated(library.system):
        for name, content in MARKS.items():
            with suppress(FileExistsError):
                mark = os.open(name, _NEW, 0o644, dir_fd=handle)
                try:
                    os.write(mark, content)
                finally:
                    os.close(mark)


def _rename(library: Root, names: tuple[str, str], was: Frozen, *, touched: bool) -> None:
    (folder, name), (parent, new) = map(library.split, names)
    with (
        library.folder(folder) as here,
        library.folder(parent, make=True) as there,
        translated(library.system),
    ):
        _confirm(library, here, name, was, touched=touched)
        try:
            _to_free_name(here, name, there, new)
        except FileExistsError as error:
            raise TargetExistsError(
                library.system, "Something has that name already, and was left as it is."
            ) from error
        try:
            os.fsync(there)
            os.fsync(here)
        except OSError as error:
            raise LostAnswerError(
                library.system, "After a file had changed its name the disk failed."
            ) from error


def _to_free_name(here: int, name: str, there: int, new: str) -> None:
    """By renameat2(2), else by link(2): neither ever replaces anything."""
    try:
        Renames.found().to_free_name(here, name, there, new)
    except OSError as error:
        if error.errno != errno.EOPNOTSUPP:
            raise
        os.link(name, new, src_dir_fd=here, dst_dir_fd=there, follow_symlinks=False)
        os.unlink(name, dir_fd=here)


def _confirm(library: Root, folder: int, name: str, was: Frozen, *, touched: bool = False) -> None:
    """Refuse any other file; `touched` for one whose modification time we may have changed."""
    now = frozen_from(os.stat(name, dir_fd=folder, follow_symlinks=False))
    if not same(was, replace(now, mtime_ns=was.mtime_ns) if touched else now):
        raise SourceChangedError(library.system, _CHANGED)


def _touch(library: Root, place: str) -> None:
    """Make its time now, where we may: of a file of somebody else, only its name is ours."""
    folder, name = library.split(place)
    with suppress(WorldFaultError), library.folder(folder) as here, translated(library.system):
        now = os.stat(name, dir_fd=here, follow_symlinks=False)
        if now.st_nlink == 1 and stat.S_ISREG(now.st_mode):
            os.utime(name, dir_fd=here, follow_symlinks=False)


def _remove_empty(library: Root, folder: str, top: str) -> None:
    """Take away the folders that a file left empty, up to but not including `top`."""
    while folder != top:
        parent, name = library.split(folder)
        try:
            with library.folder(parent) as here:
                os.rmdir(name, dir_fd=here)
        except (OSError, WorldFaultError):
            return  # something else is in it
        folder = parent
