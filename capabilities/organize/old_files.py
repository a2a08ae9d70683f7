"""The old files that an import takes the place of, frozen as they are now."""

import os
from collections.abc import AsyncGenerator, Mapping
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
from capabilities.rules.old_sidecars import companions
from capabilities.rules.works import WorkKind


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

    @property
    def names_here(self) -> set[str]:
        """The names in the import's own library that become free."""
        return {one.was.path for one in self.found if one.folder == self.folder}

    def may_stand(self, path: str) -> bool:
        """Whether a file of a library is there; of one elsewhere, nobody can say that it is not."""
        for folder, root in self._libraries.items():
            if path.startswith(f"{folder}/"):
                try:
                    root.status(path.removeprefix(f"{folder}/"))
                except NotFoundError:
                    return False
        return True

    def take_video(self, path: str, number: int, asset: str | None) -> bool:
        """A video by its absolute path, with what belongs to it; False where it cannot be taken."""
        for folder, root in self._libraries.items():
            if path.startswith(f"{folder}/"):
                relative = path.removeprefix(f"{folder}/")
                if self._take(root, folder, relative, number, asset):
                    self._companions(root, folder, relative, number)
                    return True
        return False

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

    def _take(self, root: Root, folder: str, relative: str, number: int, asset: str | None) -> bool:
        if any((one.folder, one.was.path) == (folder, relative) for one in self.found):
            return False
        try:
            now = frozen_from(root.status(relative))
        except WorldFaultError:
            return False
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
