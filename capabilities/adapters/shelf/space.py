"""How much room a folder's file system has, and whether two folders share one."""

import os
from dataclasses import dataclass

from capabilities.adapters.shelf.faults import translated
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.threads import off_loop


@dataclass(frozen=True, slots=True)
class Space:
    """Bytes of one file system; `free` is what an ordinary account may still use."""

    free: int
    total: int


async def space(root: Root, folder: str = "") -> Space:
    """The room on the file system that holds `folder` (statvfs(3)); quotas are not in it."""
    return await off_loop(_space, root, folder)


def _space(root: Root, folder: str) -> Space:
    with root.folder(folder) as handle, translated(root.system):
        now = os.fstatvfs(handle)
    return Space(free=now.f_bavail * now.f_frsize, total=now.f_blocks * now.f_frsize)


async def on_one_device(one: Root, other: Root) -> bool:
    """Whether two folders lie on one file system, so that a hard link between them may work.

    May, not will: separate mounts of one file system still refuse it.
    """
    return await off_loop(_device, one) == await off_loop(_device, other)


def _device(root: Root) -> int:
    with root.folder() as handle, translated(root.system):
        return os.fstat(handle).st_dev
