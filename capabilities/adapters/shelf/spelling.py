"""How a library writes the folders and files that it has already."""

import os
from pathlib import PurePosixPath

from capabilities.adapters.shelf.faults import NotFoundError, ObstructedError, translated
from capabilities.adapters.shelf.roots import Root
from capabilities.rules.same_names import as_existing


class Spelling:
    """The names in the folders of one library, each folder read once."""

    def __init__(self, library: Root) -> None:
        """Read nothing yet."""
        self._library = library
        self._names: dict[str, list[str]] = {}

    def of(self, target: PurePosixPath) -> PurePosixPath:
        """The path with every part as the library writes it; case and accents may differ.

        Args:
            target: relative to the library.

        Raises:
            WorldFaultError: the library cannot be read.
        """
        return as_existing(target, self._names_in)

    def _names_in(self, folder: str) -> list[str]:
        if folder not in self._names:
            self._names[folder] = self._read(folder)
        return self._names[folder]

    def _read(self, folder: str) -> list[str]:
        try:
            with self._library.folder(folder) as handle, translated(self._library.system):
                return os.listdir(handle)  # noqa: PTH208 - by its handle, no path is followed
        except (NotFoundError, ObstructedError):
            return []
