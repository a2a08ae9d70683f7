"""Seeing a whole library: what is new, changed, moved or gone since it was seen last."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

import anyio
from anyio import from_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.scanning import SeenFolder, walk
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel.context import Report, silent
from capabilities.kernel.faults import DeclinedError
from capabilities.rules.library_rows import KeptVideo, digest_of, kept, videos_of
from ledger.ledger import Ledger
from ledger.stores import assets, libraries
from ledger.stores.assets import Change
from ledger.stores.libraries import FolderRow
from ledger.stores.shelf import AssetRow
from ledger.writer import Transaction

AT_ONCE: Final = 1000
"""Folders that are written down together."""
BATCHES_WAITING: Final = 2
TOP: Final = ""
"""The path of the library itself."""
FAULTS_KEPT: Final = 20
TELL_EVERY: Final = 200

_Batch = tuple[FolderRow, ...]


@dataclass(slots=True)
class Survey:
    """What a look at a library found.

    Attributes:
        written: folders that were new or different.
        gone: folders that are not there any more.
        faults: folders that could not be read, with the reason; nothing is concluded about them.
        odd: how many names were left because they are links or no files.
        top: the library's own row.
    """

    folders: int = 0
    files: int = 0
    written: int = 0
    gone: list[str] = field(default_factory=list[str])
    faults: dict[str, str] = field(default_factory=dict[str, str])
    odd: int = 0
    top: FolderRow | None = None

    @property
    def is_changed(self) -> bool:
        """Whether anything is different from the time before."""
        return bool(self.written or self.gone)


@dataclass(frozen=True, slots=True)
class _Look:
    """One look at a library, and where what is different goes meanwhile."""

    library: str
    known: Mapping[str, str]
    ledger: Ledger
    report: Report
    different: MemoryObjectSendStream[_Batch]


async def survey(library: Path, ledger: Ledger, report: Report = silent) -> Survey:
    """Look at every file of a library, and write down what is different.

    An unchanged library is not written about at all. A folder that cannot be read keeps what is
    known of it and of everything below it.

    Raises:
        WorldFaultError: the library itself cannot be read, or is empty although it was not: a
            disk that is not mounted looks like that, and nothing is forgotten for it.
        LedgerUnavailableError: what was found could not be read or written.
    """
    path, begun = str(library), ledger.now()
    known = await ledger.read(lambda conn: libraries.digests(conn, path))
    async with roots.opened(library, f"the library {library.name}") as root:
        found = await _seen(root, path, known, ledger, report)
    if found.is_changed:
        await ledger.write(lambda tx: _settle(tx, path, found, ledger, begun))
    return found


async def _seen(
    root: Root, library: str, known: Mapping[str, str], ledger: Ledger, report: Report
) -> Survey:
    """The walk, with what is different written meanwhile; a fault of it is raised by itself."""
    found = Survey()
    send, receive = anyio.create_memory_object_stream[_Batch](BATCHES_WAITING)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_write_down, receive, library, ledger)
            async with send:
                found = await off_loop(_looked, root, _Look(library, known, ledger, report, send))
    except BaseExceptionGroup as raised:
        only, *others = raised.exceptions
        if others:
            raise
        raise only from only.__cause__
    return found


async def _write_down(
    different: MemoryObjectReceiveStream[_Batch], library: str, ledger: Ledger
) -> None:
    """Write while the walk goes on.

    The library's own row is taken away until all is settled: a look that was cut off in the middle
    is so made up for by the next one, which finds it different.
    """

    def write(tx: Transaction, rows: _Batch) -> None:
        libraries.forget_folders(tx, library, [TOP])
        libraries.put_folders(tx, rows)

    async with different:
        async for rows in different:
            await ledger.write(partial(write, rows=rows))


def _looked(root: Root, look: _Look) -> Survey:
    """The walk, in a worker thread."""
    found = Survey()
    unseen = set(look.known)
    batch: list[FolderRow] = []
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
        if folder.path == TOP:
            found.top = _row(look, folder, digest)
        if look.known.get(folder.path) != digest:
            found.written += 1
            if folder.path != TOP:
                batch.append(_row(look, folder, digest))
        if len(batch) >= AT_ONCE:
            from_thread.run(look.different.send, tuple(batch))
            batch.clear()
        if found.folders % TELL_EVERY == 0:
            from_thread.check_cancelled()
            from_thread.run(_tell, look.report, found.files)
    if look.known and not found.files and not found.faults:
        raise DeclinedError(
            root.system,
            "It is empty now, and was not before. Is its disk mounted? Nothing was forgotten.",
        )
    if batch:
        from_thread.run(look.different.send, tuple(batch))
    found.gone = sorted(unseen)
    return found


async def _tell(report: Report, files: int) -> None:
    await report(files, None, f"{files} files seen.")


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


def seen_videos(rows: list[FolderRow]) -> Iterator[KeptVideo]:
    """Every video of the folders of a library."""
    for row in rows:
        yield from videos_of(row.path, row.device, row.files)


def _settle(tx: Transaction, library: str, found: Survey, ledger: Ledger, begun: datetime) -> None:
    """Let folders be gone, and the files on the shelf be what was seen: changed, moved, or gone.

    Only in a library that was adopted: of a part of one, a file may have moved to another part.
    What came onto the shelf since the look began may have come behind its back, and a file of a
    disk of which nothing was seen may only be away: neither is gone.
    """
    libraries.forget_folders(tx, library, found.gone)
    libraries.put_folders(tx, [] if found.top is None else [found.top])
    if libraries.by_path(tx.conn, library) is None:
        return
    rows = libraries.folders(tx.conn, library)
    standing = assets.below(tx.conn, library)
    seen = {f"{library}/{one.path}": one for one in seen_videos(rows)}
    elsewhere = {_mark(one): where for where, one in seen.items() if where not in standing}
    disks = {row.device for row in rows}
    changes: list[Change] = []
    gone: list[str] = []
    for path, asset in standing.items():
        where = path if path in seen else elsewhere.get(_mark(asset))
        if where is not None and (where == path or asset.mtime_ns in {None, seen[where].mtime_ns}):
            elsewhere.pop(_mark(asset), None)
            if where != path or _differs(asset, seen[where]):
                changes.append(_change(asset, where, seen[where]))
        elif asset.seen_at < begun and asset.device in disks:
            gone.append(asset.id)
    assets.change(tx, changes, ledger.now())
    assets.forget(tx, gone)


def _mark(file: AssetRow | KeptVideo) -> tuple[int, int, int]:
    """What a renamed file keeps; a new one may be given the inode of one that was deleted."""
    return file.device, file.inode, file.size


def _differs(asset: AssetRow, now: KeptVideo) -> bool:
    held = (asset.size, asset.device, asset.inode, asset.mtime_ns)
    return held != (now.size, now.device, now.inode, now.mtime_ns)


def _change(asset: AssetRow, where: str, now: KeptVideo) -> Change:
    return Change(asset.id, where, now.size, now.device, now.inode, now.mtime_ns)
