"""Taking away exactly the files of a frozen list, and the folders that hold nothing else then.

A list names regular files below one open folder and nothing but those: never the folder itself, a
folder above it, a link, a mount or a name that leads elsewhere. What is taken away later is the
list, each name only while it is still the listed file's.
"""

import errno
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from capabilities.adapters.shelf.faults import (
    NotAFileError,
    NotFoundError,
    SourceChangedError,
    fault_of,
    translated,
)
from capabilities.adapters.shelf.freezing import frozen_from
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel import fault_points
from capabilities.kernel.faults import DeclinedError, WorldFaultError

MOST_FILES: Final = 10_000
_STAYS: Final = frozenset({errno.ENOTEMPTY, errno.EEXIST, errno.EBUSY, errno.ENOENT, errno.ENOTDIR})
CHANGED: Final = "A file on the list is not the one that was listed any more."


@dataclass(frozen=True, slots=True)
class Listed:
    """One regular file; `path` below the root, `size` in bytes, `links` its names in all."""

    path: str
    device: int
    inode: int
    size: int
    links: int

    @property
    def identity(self) -> tuple[int, int]:
        """What every name of the file shares."""
        return self.device, self.inode


@dataclass(frozen=True, slots=True)
class DeleteList:
    """What may go: files in path order, and folders, deepest first, that hold nothing else."""

    files: tuple[Listed, ...] = ()
    folders: tuple[str, ...] = ()

    def stored(self) -> dict[str, Any]:
        """As JSON, the same for the same list."""
        return {"files": [asdict(file) for file in self.files], "folders": list(self.folders)}


def list_from(stored: Mapping[str, Any]) -> DeleteList:
    """A list as `DeleteList.stored` gave it."""
    return DeleteList(tuple(Listed(**file) for file in stored["files"]), tuple(stored["folders"]))


async def listed(root: Root, names: Sequence[str], *, below: str = "") -> DeleteList:
    """Freeze the files of these names; a name at which nothing stands is left out.

    Args:
        root: the folder that nothing outside of is touched.
        names: relative POSIX paths, from wherever they come.
        below: the folder in `root` that they are relative to; neither it nor one above it goes.

    Raises:
        PathRefusedError: a name could lead elsewhere.
        NotAFileError: one belongs to a folder, a link or a device.
        ObstructedError: one is reached through a link.
        DeclinedError: there are more than `MOST_FILES`.
    """
    return await off_loop(_listed, root, tuple(names), below)


async def delete(root: Root, doomed: DeleteList) -> tuple[str, ...]:
    """Take the listed files away, on the disk when this returns; what is gone already is fine.

    Returns:
        The listed folders that went with them; one that holds something by now stays.

    Raises:
        SourceChangedError: a name is another file's by now; none was taken away by this call.
        WorldFaultError: as the disk fails; some may be gone. The same list goes on from there.
    """
    return await off_loop(_delete, root, doomed)


async def still_there(root: Root, doomed: DeleteList) -> list[str]:
    """Names of the list that are still the listed file's."""
    return await off_loop(_still_there, root, doomed)


def _listed(root: Root, names: tuple[str, ...], below: str) -> DeleteList:
    if len(names) > MOST_FILES:
        raise DeclinedError(
            root.system, f"It has more than {MOST_FILES} files. Delete them by hand."
        )
    files: dict[str, Listed] = {}
    for name in names:
        path = "/".join((*root.parts(below), *root.parts(name))) if below else name
        try:
            now = root.status(path)
        except NotFoundError:
            continue
        if not stat.S_ISREG(now.st_mode):
            raise NotAFileError(root.system, "A name there belongs to no regular file.")
        frozen = frozen_from(now)
        files[path] = Listed(path, frozen.device, frozen.inode, frozen.size, frozen.links)
    depth = len(root.parts(below)) if below else 0
    return DeleteList(
        tuple(files[path] for path in sorted(files)), _emptied(root, files.keys(), depth)
    )


def _emptied(root: Root, files: Iterable[str], depth: int) -> tuple[str, ...]:
    """Folders deeper than `depth` that hold nothing but what goes; a mount never does."""
    going = set(files)
    above = {
        "/".join(parts[:end])
        for parts in (path.split("/") for path in going)
        for end in range(depth + 1, len(parts))
    }
    found: list[str] = []
    for folder in sorted(above, key=lambda path: (-path.count("/"), path)):
        if _holds_only(root, folder, going):
            found.append(folder)
            going.add(folder)
    return tuple(found)


def _holds_only(root: Root, folder: str, going: set[str]) -> bool:
    parent, _ = root.split(folder)
    with (
        root.folder(parent) as outer,
        root.folder(folder) as handle,
        translated(root.system),
        os.scandir(handle) as entries,
    ):
        if os.fstat(outer).st_dev != os.fstat(handle).st_dev:
            return False
        return all(f"{folder}/{entry.name}" in going for entry in entries)


def _delete(root: Root, doomed: DeleteList) -> tuple[str, ...]:
    for file in doomed.files:
        if (now := _now(root, file.path)) is not None and not _is(file, now):
            raise SourceChangedError(root.system, CHANGED)
    for file in doomed.files:
        _unlink(root, file)
        fault_points.at("file_deleted")
    return tuple(folder for folder in doomed.folders if _remove_folder(root, folder))


def _unlink(root: Root, file: Listed) -> None:
    parent, name = root.split(file.path)
    try:
        with root.folder(parent) as handle, translated(root.system):
            now = frozen_from(os.stat(name, dir_fd=handle, follow_symlinks=False))
            if not _is(file, Listed(file.path, now.device, now.inode, now.size, now.links)):
                raise SourceChangedError(root.system, CHANGED)
            os.unlink(name, dir_fd=handle)
            os.fsync(handle)
    except NotFoundError:
        return


def _remove_folder(root: Root, folder: str) -> bool:
    """rmdir(2), which takes away nothing that holds something, and no mount."""
    parent, name = root.split(folder)
    try:
        with root.folder(parent) as handle:
            os.rmdir(name, dir_fd=handle)
            os.fsync(handle)
    except OSError as error:
        if error.errno in _STAYS:
            return False
        raise fault_of(root.system, error) from error
    except WorldFaultError:
        return False
    return True


def _still_there(root: Root, doomed: DeleteList) -> list[str]:
    return [
        file.path
        for file in doomed.files
        if (now := _now(root, file.path)) is not None and _is(file, now)
    ]


def _now(root: Root, path: str) -> Listed | None:
    try:
        now = frozen_from(root.status(path))
    except NotFoundError:
        return None
    return Listed(path, now.device, now.inode, now.size, now.links)


def _is(file: Listed, now: Listed) -> bool:
    """Whether it is the listed file; its other names may have come and gone meanwhile."""
    return file == replace(now, links=file.links)
