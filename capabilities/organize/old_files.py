"""The old files that an import takes the place of, frozen as they are now."""

import os
import stat
from collections.abc import AsyncGenerator, Collection, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import PurePosixPath

from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.faults import NotFoundError, translated
from capabilities.adapters.shelf.folders import Folders
from capabilities.adapters.shelf.freezing import frozen_from
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.faults import WorldFaultError
from capabilities.organize.earlier import Earlier
from capabilities.organize.import_plan import FrozenSource, OldFile
from capabilities.rules.discs import disc_of
from capabilities.rules.old_sidecars import companions
from capabilities.rules.works import WorkKind
from ledger.stores.placed_files import PlacedFile


class OldFiles:
    """What goes, each file once; the methods block.

    Attributes:
        found: them, by the candidate that each goes for.
        folder: the library that the import goes to.
    """

    def __init__(self, libraries: Mapping[str, Root], folder: str) -> None:
        """Take the roots of all libraries by folder, and the one that the import goes to."""
        self._libraries = libraries
        self.folder = folder
        self.found: list[OldFile] = []

    def names_here(self, stays: Collection[int]) -> set[str]:
        """The names in the import's own library that become free, if some candidates stay."""
        return {
            one.was.path
            for one in self.found
            if one.folder == self.folder and one.file not in stays
        }

    def may_stand(self, path: str) -> bool:
        """Whether a file of a library is there; of one elsewhere, nobody can say that it is not."""
        for folder, root in self._libraries.items():
            if path.startswith(f"{folder}/"):
                try:
                    root.status(path.removeprefix(f"{folder}/"))
                except NotFoundError:
                    return False
        return True

    def take_video(self, video: PlacedFile, number: int) -> str | None:
        """A video, with what belongs to it; why it cannot be taken, where it cannot."""
        name = PurePosixPath(video.path).name
        for folder, root in self._libraries.items():
            if not video.path.startswith(f"{folder}/"):
                continue
            relative = video.path.removeprefix(f"{folder}/")
            if disc_of(PurePosixPath(relative)) != PurePosixPath(relative):
                return f"{name} is a part of a disc, which is not replaced"
            if not self._take(root, folder, relative, number, video.asset, inode=video.inode):
                return f"{name} is not the file that is known there; the library is looked at first"
            self._companions(root, folder, relative, number)
            return None
        return f"{name} stands outside of the libraries"

    def take_earlier(self, one: Earlier, number: int) -> None:
        """What was placed before, if it stands there still and is no other file by now."""
        root = self._libraries.get(one.folder)
        if root is None:
            return
        with suppress(WorldFaultError):
            if root.status(one.target).st_ino != one.inode:
                return
            if self._take(root, one.folder, one.target, number, one.asset) and one.asset:
                self._companions(root, one.folder, one.target, number)

    def _take(
        self,
        root: Root,
        folder: str,
        relative: str,
        number: int,
        asset: str | None,
        *,
        inode: int | None = None,
    ) -> bool:
        """Freeze a file or link as what goes; with an ``inode``, no other one."""
        if any((one.folder, one.was.path) == (folder, relative) for one in self.found):
            return False
        try:
            status = root.status(relative)
        except WorldFaultError:
            return False
        plain = stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode)
        if not plain or inode not in {None, status.st_ino}:
            return False
        now = frozen_from(status)
        was = FrozenSource(
            path=relative,
            device=now.device,
            inode=now.inode,
            size=now.size,
            mtime_ns=now.mtime_ns,
        )
        self.found.append(OldFile(folder=folder, was=was, file=number, asset=asset))
        return True

    def _companions(self, root: Root, folder: str, video: str, number: int) -> None:
        parent, name = root.split(video)
        with root.folder(parent) as handle, translated(root.system), os.scandir(handle) as found:
            readable = [one.name for one in found if one.name.isprintable()]
        for one in companions(name, readable):
            self._take(root, folder, str(PurePosixPath(parent, one)), number, None)


@asynccontextmanager
async def other_libraries(folders: Folders, library: Root) -> AsyncGenerator[dict[str, Root]]:
    """The roots of all libraries by folder, `library` among them; one that is away is left out."""
    roots_of = {str(library.path): library}
    async with AsyncExitStack() as stack:
        for kind in WorkKind:
            folder = folders.library(kind)
            if str(folder) in roots_of:
                continue
            with suppress(WorldFaultError):
                opened = roots.opened(folder, f"the library {folders.name(kind)}")
                roots_of[str(folder)] = await stack.enter_async_context(opened)
        yield roots_of
