"""The source of a placement, and the proof that it is still the one that was planned."""

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from capabilities.adapters.shelf.digests import pieces
from capabilities.adapters.shelf.faults import SourceChangedError, translated
from capabilities.adapters.shelf.freezing import Frozen, frozen_from, same
from capabilities.adapters.shelf.roots import Root


@dataclass(frozen=True, slots=True)
class Origin:
    """A regular file below a download folder, and what it was when the plan was made."""

    root: Root
    relative: str
    frozen: Frozen

    def confirm(self, now: Frozen) -> None:
        """Raise `SourceChangedError` unless `now` is the planned file, unchanged."""
        if not same(self.frozen, now):
            raise SourceChangedError(
                self.root.system,
                "The source is not the file that the plan was made for any more. Plan it again.",
            )

    @contextmanager
    def opened(self) -> Generator[int]:
        """A reading handle on the planned file; checked when opened and again when done."""
        with self.root.file(self.relative) as handle:
            self.confirm(frozen_from(os.fstat(handle)))
            yield handle
            self.confirm(frozen_from(os.fstat(handle)))

    def read(self) -> Iterator[bytes]:
        """The bytes of the planned file, in pieces; read to the end, they are proven to be its."""
        with self.opened() as handle, translated(self.root.system):
            yield from pieces(handle)

    def remove(self) -> None:
        """Take the source's name away, if it still belongs to the planned file."""
        folder, name = self.root.split(self.relative)
        with self.root.folder(folder) as handle, translated(self.root.system):
            self.confirm(frozen_from(os.stat(name, dir_fd=handle, follow_symlinks=False)))
            os.unlink(name, dir_fd=handle)
            os.fsync(handle)
