"""Seeing a whole library: what is new, changed, moved or gone since it was seen last."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import anyio
from anyio import from_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.scanning import SeenFolder, refuse_replaced, walk
from capabilities.adapters.shelf.threads import off_loop
from capabilities.inventory.settling import forget_gone, settle_library
from capabilities.kernel.faults import DeclinedError
from capabilities.rules.library_rows import digest_of, kept
from ledger.ledger import Ledger
from ledger.stores import libraries, surveys
from ledger.stores.libraries import FolderRow
from ledger.writer import Transaction

FOLDERS_AT_ONCE: Final = 500
FILES_AT_ONCE: Final = 4_000
"""Folders that are written down together, or files: whoever else writes waits that long."""
BATCHES_WAITING: Final = 2
TOP: Final = ""
"""The path of the library itself."""
FAULTS_KEPT: Final = 20
TELL_EVERY: Final = 50
"""Folders between two looks at the clock."""
TELL_S: Final = 1.0

_Batch = tuple[FolderRow, ...]
Tell = Callable[["Survey"], Coroutine[None, None, None]]
"""Is told every second how far a look is."""


@dataclass(slots=True)
class Survey:
    """What a look at a library found.

    Attributes:
        written: folders that were new or different.
        names: files in these, whose names were read.
        gone: folders that are not there any more.
        faults: folders that could not be read, with the reason; nothing is concluded about them.
        odd: how many names were left because they are links or no files.
        made_up: an earlier look was cut off, and nothing had followed from it yet.
    """

    folders: int = 0
    files: int = 0
    written: int = 0
    names: int = 0
    gone: list[str] = field(default_factory=list[str])
    faults: dict[str, str] = field(default_factory=dict[str, str])
    odd: int = 0
    made_up: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether anything is different from the time before."""
        return bool(self.written or self.gone or self.made_up)


async def quiet(found: Survey) -> None:
    """Tell nobody."""
    del found


@dataclass(frozen=True, slots=True)
class _Look:
    """One look at a library, and where what is different goes meanwhile."""

    library: str
    known: Mapping[str, str]
    ledger: Ledger
    tell: Tell
    different: MemoryObjectSendStream[_Batch]


async def survey(
    library: Path, ledger: Ledger, tell: Tell = quiet, *, settles: bool = True
) -> Survey:
    """Look at every file of a library, and write down what is different.

    An unchanged library is not written about at all. A folder that cannot be read keeps what is
    known of it and of everything below it. Of one library there must be one look at a time.

    Args:
        library: its folder.
        ledger: where what is seen is kept.
        tell: told now and then how far it is.
        settles: whether the inventory follows, where the library was adopted. Otherwise it does
            in the next look that does so.

    Raises:
        WorldFaultError: the library itself cannot be read, or is empty although it was not, or
            another folder has taken its place: a disk that is not mounted looks like that, and
            nothing is forgotten for it.
        LedgerUnavailableError: what was found could not be read or written.
    """
    path, begun = str(library), ledger.now()
    known = await ledger.read(lambda conn: libraries.digests(conn, path))
    row = await ledger.read(lambda conn: surveys.by_path(conn, path))
    async with roots.opened(library, f"the library {library.name}") as root:
        found = await _seen(root, path, known, ledger, tell)
    found.made_up = row is not None and row.unsettled
    await forget_gone(path, found.gone, ledger)
    if found.is_changed and settles:
        await settle_library(path, ledger, begun)
    return found


async def _seen(
    root: Root, library: str, known: Mapping[str, str], ledger: Ledger, tell: Tell
) -> Survey:
    """The walk, with what is different written meanwhile; a fault of it is raised by itself."""
    found = Survey()
    send, receive = anyio.create_memory_object_stream[_Batch](BATCHES_WAITING)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_write_down, receive, library, ledger)
            async with send:
                found = await off_loop(_looked, root, _Look(library, known, ledger, tell, send))
    except BaseExceptionGroup as raised:
        only, *others = raised.exceptions
        if others:
            raise
        raise only from only.__cause__
    return found


async def _write_down(
    different: MemoryObjectReceiveStream[_Batch], library: str, ledger: Ledger
) -> None:
    """Write while the walk goes on; a look that is cut off is made up for by the next one."""

    def write(tx: Transaction, rows: _Batch) -> None:
        surveys.unsettle(tx, library)
        libraries.put_folders(tx, rows)

    async with different:
        async for rows in different:
            await ledger.write(partial(write, rows=rows))


def _looked(root: Root, look: _Look) -> Survey:
    """The walk, in a worker thread."""
    found, batch = Survey(), _Pending(look)
    unseen = set(look.known)
    clock = look.ledger.clock
    told_at = clock.monotonic()
    for folder in walk(root):
        if folder.fault is not None:
            _note_fault(found, folder)
            unseen = {one for one in unseen if not _is_within(one, folder.path)}
            continue
        unseen.discard(folder.path)
        found.folders += 1
        found.files += len(folder.files)
        found.odd += len(folder.odd)
        digest = digest_of(folder.device, folder.files)
        if look.known.get(folder.path) != digest:
            found.written += 1
            found.names += len(folder.files)
            batch.add(_row(look, folder, digest), len(folder.files))
        if found.folders % TELL_EVERY == 0:
            from_thread.check_cancelled()
            if clock.monotonic() - told_at >= TELL_S:
                from_thread.run(look.tell, found)
                told_at = clock.monotonic()
    if look.known and not found.files and not found.faults:
        raise DeclinedError(
            root.system,
            "It is empty now, and was not before. Is its disk mounted? Nothing was forgotten.",
        )
    refuse_replaced(root)
    batch.send()
    found.gone = sorted(unseen)
    return found


class _Pending:
    """Rows on their way to be written, some at a time."""

    def __init__(self, look: _Look) -> None:
        self._look = look
        self._rows: list[FolderRow] = []
        self._files = 0

    def add(self, row: FolderRow, files: int) -> None:
        self._rows.append(row)
        self._files += files
        if len(self._rows) >= FOLDERS_AT_ONCE or self._files >= FILES_AT_ONCE:
            self.send()

    def send(self) -> None:
        if self._rows:
            from_thread.run(self._look.different.send, tuple(self._rows))
        self._rows.clear()
        self._files = 0


def _row(look: _Look, folder: SeenFolder, digest: str) -> FolderRow:
    return FolderRow(
        key=libraries.folder_key(look.library, folder.path),
        library=look.library,
        path=folder.path,
        device=folder.device,
        digest=digest,
        files=kept(folder.path, folder.files),
        seen_at=look.ledger.now(),
    )


def _note_fault(found: Survey, folder: SeenFolder) -> None:
    if len(found.faults) < FAULTS_KEPT:
        found.faults[folder.path] = str(folder.fault)


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")
