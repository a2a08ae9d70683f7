"""Taking the name of a file that has another one: both exist whole at every moment."""

import errno
import os
from contextlib import ExitStack
from dataclasses import dataclass

from capabilities.adapters.shelf.faults import SourceChangedError, translated
from capabilities.adapters.shelf.freezing import Frozen, frozen_from
from capabilities.adapters.shelf.leftovers import temporary_name
from capabilities.adapters.shelf.origins import Origin
from capabilities.adapters.shelf.placements import Placement
from capabilities.adapters.shelf.renames import Renames
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.spots import Spot
from capabilities.adapters.shelf.writing import Checked, Written, check, write
from capabilities.kernel import fault_points
from capabilities.kernel.faults import DeclinedError, LostAnswerError


@dataclass(slots=True)
class Exchange:
    """One placement whose name an old file has; the methods block, and are called in order.

    Close it in any case. What is left of it under its temporary name goes then.

    Attributes:
        token: of this attempt alone.
    """

    placement: Placement
    sources: Root
    origin: str
    shelf: Root
    token: str
    held: ExitStack
    spot: Spot | None = None
    written: Written | None = None

    def write(self) -> Checked:
        """Bring the source to a temporary name beside the old file, flushed and checked.

        Raises:
            as `capabilities.adapters.shelf.writing.write` and `check`.
        """
        parent, _ = self.shelf.split(self.placement.target)
        folder = self.held.enter_context(self.shelf.folder(parent))
        self.spot = Spot(folder, temporary_name(self.token), self.shelf.system)
        source = Origin(self.sources, self.origin, self.placement.source)
        mode = self.placement.mode
        fault_points.at("before_link")
        self.written = write(mode, source, self.spot, self.held)
        return check(mode, source, self.spot, self.written)

    @property
    def temporary(self) -> str:
        """Where the new file stands until it has its name."""
        parent, _ = self.shelf.split(self.placement.target)
        return f"{parent}/{temporary_name(self.token)}" if parent else temporary_name(self.token)

    def exchange(self, old: Frozen) -> Frozen:
        """Let the new file have the name, and take the name that the old one got in exchange.

        The old file must have another name by now, or it is gone.

        Raises:
            SourceChangedError: another file had the name; it has it again.
            DeclinedError: the file system cannot exchange names.
            LostAnswerError: the names were exchanged, and the disk failed after that.
        """
        if self.spot is None or self.written is None:
            raise RuntimeError("nothing was written that could take the name")
        name = self.shelf.split(self.placement.target)[1]
        with translated(self.shelf.system):
            fault_points.at("before_name")
            self.spot.confirm(self.written.handle)
            renames = Renames.found()
            _exchange(renames, self.spot, name)
            fault_points.at("exchanged")
            try:
                return self._after(renames, old, name)
            except OSError as error:
                raise LostAnswerError(
                    self.shelf.system, "After two files had changed names the disk failed."
                ) from error

    def _after(self, renames: Renames, old: Frozen, name: str) -> Frozen:
        spot = self.spot
        if spot is None:
            raise RuntimeError("nothing was written that could take the name")
        now = os.stat(spot.name, dir_fd=spot.folder, follow_symlinks=False)
        if now.st_ino != old.inode:
            renames.exchange(spot.folder, spot.name, name)
            raise SourceChangedError(
                self.shelf.system,
                "Another file has the name by now than the one to be replaced. Plan again.",
            )
        os.unlink(spot.name, dir_fd=spot.folder)
        os.fsync(spot.folder)
        fault_points.at("named")
        return frozen_from(os.stat(name, dir_fd=spot.folder, follow_symlinks=False))


def _exchange(renames: Renames, spot: Spot, name: str) -> None:
    try:
        renames.exchange(spot.folder, spot.name, name)
    except OSError as error:
        if error.errno != errno.EOPNOTSUPP:
            raise
        raise DeclinedError(
            spot.system,
            "This file system cannot exchange two names in one act, so a file is not replaced under"
            " its own name here. Take the old one away by hand, then plan again.",
        ) from error
