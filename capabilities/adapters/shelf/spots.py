"""A temporary name, and the proof that it still leads to the file that one attempt made."""

import os
from contextlib import suppress
from dataclasses import dataclass

from capabilities.adapters.shelf.faults import OvertakenError, translated


@dataclass(frozen=True, slots=True)
class Spot:
    """A temporary name in an open folder of the library; `system` as in `Root`.

    An attempt keeps its file open, so that no other file can have its inode meanwhile. The name
    alone proves nothing: an attempt that was stopped may find another one's file under it.
    """

    folder: int
    name: str
    system: str

    def leads_to(self, handle: int) -> bool:
        """Whether the name is one of the open file `handle`; an ``OSError`` is not translated."""
        try:
            named = os.stat(self.name, dir_fd=self.folder, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return os.path.samestat(named, os.fstat(handle))

    def confirm(self, handle: int) -> None:
        """Raise `OvertakenError` unless the name still is one of the open file `handle`."""
        with translated(self.system):
            if self.leads_to(handle):
                return
        raise OvertakenError(
            self.system,
            "The temporary file was taken away: another attempt took over, or somebody cleaned up."
            " This attempt stopped, and placed nothing. Look what stands there, then try again.",
        )

    def remove(self, handle: int) -> None:
        """Take the name away if it is the open file's; one that stays is known by its token."""
        with suppress(OSError):
            if self.leads_to(handle):
                os.unlink(self.name, dir_fd=self.folder)
