"""Placing one file: never half of it, never over another, never without its source."""

import inspect
import os
from contextlib import ExitStack
from dataclasses import dataclass

from anyio import CancelScope

from capabilities.adapters.shelf.exclusive import refuse_taken, take_name
from capabilities.adapters.shelf.faults import translated
from capabilities.adapters.shelf.freezing import frozen_from
from capabilities.adapters.shelf.leftovers import refuse_temporary, temporary_name
from capabilities.adapters.shelf.origins import Origin
from capabilities.adapters.shelf.placements import Entry, Journal, Mode, Placed, Placement, Step
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.spots import Spot
from capabilities.adapters.shelf.threads import off_loop
from capabilities.adapters.shelf.writing import Checked, Written, check, write
from capabilities.kernel import fault_points
from capabilities.kernel.faults import LostAnswerError, WorldFaultError


async def place(
    placement: Placement,
    *,
    sources: Root,
    origin: str,
    shelf: Root,
    token: str,
    journal: Journal,
) -> Placed:
    """Bring the file `origin` of `sources` to ``placement.target`` below `shelf`.

    Missing folders are made. The file first stands under a temporary name in the target's folder
    (`leftovers.temporary_name`), is flushed and checked there, and then takes its name, if and
    only if nothing has it. A death at any moment leaves the target absent or whole, and the
    source present until the target is on the disk. Any error or cancellation before the rename
    takes the temporary file away again. The file stays open until the end, and only that very
    file is named or taken away: an attempt that was stopped while another one took over, and
    wakes up then, finds its temporary file gone and names nothing.

    Args:
        placement: the source as planned, where it goes, and how; its digest is not looked at.
        sources: the folder that holds the source.
        origin: the source's relative path there.
        shelf: the library.
        token: of this attempt alone (1 to 64 letters, digits, ``-``, ``_``).
        journal: is told each `Step`, and done with it, before the next one is begun. A fault of
            its own ends the attempt.

    Raises:
        DeclinedError: one of the faults of `capabilities.adapters.shelf.faults`; nothing placed.
        UnreachableError: the disk failed or is full (`NoSpaceError`); nothing placed.
        LostAnswerError: the disk failed after the rename had begun; only a probe can tell, as it
            must after a cancellation that came later than `Step.CHECKED`.
    """
    parent, name = shelf.split(placement.target)
    refuse_temporary(shelf, name)
    source = Origin(sources, origin, placement.source)
    sources.parts(origin)
    temporary = temporary_name(token)
    await _tell(journal, Entry(Step.PLANNED))
    held = ExitStack()
    try:
        folder = await off_loop(held.enter_context, shelf.folder(parent, make=True))
        spot = Spot(folder, temporary, shelf.system)
        return await _carry_out(_Attempt(placement, source, shelf, spot, name, held), journal)
    finally:
        with CancelScope(shield=True):
            await off_loop(held.close)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One try at one placement, from `spot` to `name` in one folder; the methods block."""

    placement: Placement
    origin: Origin
    shelf: Root
    spot: Spot
    name: str
    held: ExitStack

    def write(self) -> Written:
        refuse_taken(self.spot.folder, self.name, self.spot.system)
        fault_points.at("before_link")
        return write(self.placement.mode, self.origin, self.spot, self.held)

    def check(self, written: Written) -> Checked:
        return check(self.placement.mode, self.origin, self.spot, written)

    def rename(self, written: Written) -> None:
        take_name(self.spot, written.handle, self.name)

    def flush(self, checked: Checked) -> Placed:
        """Put the new name on the disk, and see from the root that it is the checked file's."""
        try:
            with translated(self.spot.system):
                os.fsync(self.spot.folder)
            now = frozen_from(self.shelf.status(self.placement.target))
        except WorldFaultError as fault:
            raise self._unconfirmed(fault.sentence) from fault
        if now.inode != checked.file.inode:
            raise self._unconfirmed("Something else has the target's name by now.")
        return Placed(self.placement.target, now, checked.digest)

    def _unconfirmed(self, reason: str) -> LostAnswerError:
        return LostAnswerError(self.spot.system, f"After a file had been placed: {reason}")


async def _carry_out(attempt: _Attempt, journal: Journal) -> Placed:
    written = await off_loop(attempt.write)
    await _tell(journal, Entry(Step.TEMPORARY_WRITTEN))
    checked = await off_loop(attempt.check, written)
    await _tell(journal, Entry(Step.CHECKED, checked.digest))
    await off_loop(attempt.rename, written)
    await _tell(journal, Entry(Step.RENAMED, checked.digest))
    placed = await off_loop(attempt.flush, checked)
    await _tell(journal, Entry(Step.FLUSHED, checked.digest))
    if attempt.placement.mode is Mode.MOVE:
        await off_loop(attempt.origin.remove)
        await _tell(journal, Entry(Step.SOURCE_REMOVED, checked.digest))
    return placed


async def _tell(journal: Journal, entry: Entry) -> None:
    told = journal(entry)
    if inspect.isawaitable(told):
        await told
