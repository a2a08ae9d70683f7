"""Symbolic links of a library that lead to files elsewhere, which must not go from under them."""

import os
from collections.abc import Collection, Generator
from typing import Final

from capabilities.adapters.shelf.faults import translated
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.scanning import walk
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel.faults import UnreachableError, WorldFaultError

Identity = tuple[int, int]
"""Device and inode."""
_NOT_THE_OWNERS: Final = frozenset({"lost+found"})


async def links_into(root: Root, needed: Collection[Identity]) -> list[str]:
    """Links below `root` that lead to one of these files or folders, by relative path.

    A folder on the list is one through which a file is reached: a link to it needs all of it.

    Raises:
        UnreachableError: a folder cannot be read, so that what it links to is not known.
    """
    if not needed:
        return []
    return await off_loop(_links_into, root, frozenset(needed))


def _links_into(root: Root, needed: frozenset[Identity]) -> list[str]:
    found: list[str] = []
    for folder in walk(root):
        if folder.fault is not None:
            if folder.path.rsplit("/", 1)[-1] in _NOT_THE_OWNERS:
                continue
            raise UnreachableError(
                root.system,
                "A folder of it cannot be read, so it is not known what its links lead to.",
            )
        if folder.odd:
            found += _leading(root, folder.path, needed)
    return sorted(found)


def _leading(root: Root, folder: str, needed: frozenset[Identity]) -> Generator[str]:
    try:
        with root.folder(folder) as handle, translated(root.system), os.scandir(handle) as entries:
            for entry in entries:
                if entry.is_symlink() and _behind(entry) in needed:
                    shown = os.fsencode(entry.name).decode(errors="backslashreplace")
                    yield f"{folder}/{shown}" if folder else shown
    except WorldFaultError as fault:
        raise UnreachableError(root.system, fault.sentence) from fault


def _behind(entry: os.DirEntry[str]) -> Identity | None:
    """What a link leads to; one that leads nowhere needs nothing."""
    try:
        behind = entry.stat()
    except OSError:
        return None
    return behind.st_dev, behind.st_ino
