"""Hard links by the batch: the promises of `placing.place`, with one flush of a folder for many.

A link costs microseconds, and a thread, a transaction and a flush hundreds of them, so these are
taken once for a batch. What stands in the way of one file ends the batch before that file; what
came before it is carried to its end.
"""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, NamedTuple

from capabilities.adapters.shelf.exclusive import TAKEN, fault_in_naming
from capabilities.adapters.shelf.faults import (
    OvertakenError,
    SourceChangedError,
    TargetExistsError,
    translated,
)
from capabilities.adapters.shelf.freezing import Frozen, frozen_from
from capabilities.adapters.shelf.leftovers import refuse_temporary
from capabilities.adapters.shelf.probes import is_one_file
from capabilities.adapters.shelf.renames import Renames
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel import fault_points
from capabilities.kernel.faults import LostAnswerError, WorldFaultError

_CHANGED: Final = "The source is not the file that the plan was made for any more. Plan it again."
_GONE: Final = (
    "The temporary file was taken away: another attempt took over, or somebody cleaned up."
    " This attempt stopped. Look what stands there, then try again."
)


class Link(NamedTuple):
    """One file of a batch.

    Attributes:
        number: by which its caller knows it.
        device, inode, size, mtime_ns: its source, as it was when the plan was made.
        folder, origin: where that lies below the download folder.
        parent, name: where it goes below the library.
        temporary: the name that it has there before, of this attempt at this file alone.
    """

    number: int
    device: int
    inode: int
    size: int
    mtime_ns: int
    folder: str
    origin: str
    parent: str
    name: str
    temporary: str

    def leads(self, now: os.stat_result) -> bool:
        """Whether a look at one of its names saw the planned file, unchanged."""
        return (
            now.st_ino == self.inode
            and now.st_size == self.size
            and now.st_mtime_ns == self.mtime_ns
            and now.st_dev == self.device
            and stat.S_ISREG(now.st_mode)
        )

    @property
    def source(self) -> Frozen:
        """The same, as other looks are compared with it."""
        return Frozen(self.device, self.inode, self.size, self.mtime_ns, links=1)


@dataclass(slots=True)
class LinkBatch:
    """Links that are made together; the methods block, and are called in their order.

    Attributes:
        sources: the download folder.
        shelf: the library.
        links: what is to be placed; what stands at its place already is passed over.
        written: those with a temporary name that was checked.
        named: those of them that have their name now; another one had it already, or none yet.
        stopped: what ended the batch before its end, and at which link: those before it stand.
    """

    sources: Root
    shelf: Root
    links: Sequence[Link]
    written: list[Link] = field(default_factory=list[Link])
    named: list[Link] = field(default_factory=list[Link])
    stopped: tuple[Link, WorldFaultError] | None = None

    def write(self) -> None:
        """Link each source to a temporary name in its target's folder, and check it there.

        A link takes no bytes, so there is nothing to flush before it is named: the file's bytes
        are as durable as they were under the name that it had.
        """
        for (folder, parent), links in _grouped(self.links):
            before = len(self.written)
            try:
                with (
                    self.sources.folder(folder) as source,
                    self.shelf.folder(parent, make=True) as target,
                    translated(self.shelf.system),
                ):
                    for link in links:
                        self._write(link, source, target)
            except WorldFaultError as fault:
                self.stopped = links[len(self.written) - before], fault
                return

    def _write(self, link: Link, source: int, folder: int) -> None:
        refuse_temporary(self.shelf, link.name)
        fault_points.at("before_link")
        os.link(
            link.origin,
            link.temporary,
            src_dir_fd=source,
            dst_dir_fd=folder,
            follow_symlinks=False,
        )
        if not link.leads(os.stat(link.temporary, dir_fd=folder, follow_symlinks=False)):
            os.unlink(link.temporary, dir_fd=folder)
            raise SourceChangedError(self.sources.system, _CHANGED)
        self.written.append(link)

    def name(self) -> None:
        """Give each its name, if nothing has it, and put a folder's names on the disk together.

        Raises:
            LostAnswerError: the disk failed in the middle; a probe must tell what stands.
        """
        renames = Renames.found()
        for (_, parent), links in _grouped(self.written):
            with self.shelf.folder(parent) as folder:
                done = self._name_each(links, folder, renames)
                if done:
                    self._flush(folder)
            if done < len(links):
                return

    def _name_each(self, links: Sequence[Link], folder: int, renames: Renames) -> int:
        """How many of the links stand under their names now, from the first on."""
        for done, link in enumerate(links):
            try:
                fault_points.at("before_name")
                _take(folder, link.temporary, link.name, renames)
                fault_points.at("named")
                self.named.append(link)
            except OSError as error:
                fault = self._fault(link, folder, error)
                if isinstance(fault, LostAnswerError):
                    raise fault from error
                if fault is not None:
                    self.stopped = link, fault
                    return done
        return len(links)

    def _fault(self, link: Link, folder: int, error: OSError) -> WorldFaultError | None:
        """Why a name could not be given; None where the very file has it already."""
        if isinstance(error, FileNotFoundError):
            return OvertakenError(self.shelf.system, _GONE)
        if not isinstance(error, FileExistsError):
            return fault_in_naming(self.shelf.system, error)
        with translated(self.shelf.system):
            now = frozen_from(os.stat(link.name, dir_fd=folder, follow_symlinks=False))
            if not is_one_file(link.source, now):
                return TargetExistsError(self.shelf.system, TAKEN)
            os.unlink(link.temporary, dir_fd=folder)
        return None

    def _flush(self, folder: int) -> None:
        try:
            with translated(self.shelf.system):
                os.fsync(folder)
        except WorldFaultError as fault:
            said = f"After files had been placed: {fault.sentence}"
            raise LostAnswerError(self.shelf.system, said) from fault
        fault_points.at("folder_flushed")

    def close(self) -> None:
        """Take away the temporary names that are left; one that stays is known by its token."""
        if len(self.named) == len(self.written):
            return
        named = {link.number for link in self.named}
        left = [link for link in self.written if link.number not in named]
        for (_, parent), links in _grouped(left):
            with suppress(WorldFaultError), self.shelf.folder(parent) as folder:
                for link in links:
                    with suppress(OSError):
                        os.unlink(link.temporary, dir_fd=folder)


def _grouped(links: Sequence[Link]) -> Iterator[tuple[tuple[str, str], list[Link]]]:
    """Neighbours that come from one folder and go to one folder."""
    for key, group in groupby(links, lambda link: (link.folder, link.parent)):
        yield key, list(group)


def _take(folder: int, temporary: str, name: str, renames: Renames) -> None:
    """Name it; where nothing but link(2) promises to replace nobody (NFS), by that."""
    try:
        renames.to_free_name(folder, temporary, folder, name)
    except OSError as error:
        if error.errno != errno.EOPNOTSUPP:
            raise
        os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        fault_points.at("two_names")
        os.unlink(temporary, dir_fd=folder)
