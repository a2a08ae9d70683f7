"""What follows for the inventory from a look at a library: files that changed, moved, or are gone.

Little at a time, so that nobody else who writes waits long. Until all is written the library is
marked as unsettled; whoever is cut off in between is made up for by the next look.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Final

from capabilities.kernel.faults import DeclinedError
from capabilities.rules.file_kinds import FileKind
from capabilities.rules.library_rows import KeptVideo, videos_of
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import assets, libraries, surveys
from ledger.stores.assets import Change
from ledger.stores.shelf import AssetRow
from ledger.writer import Transaction

FOLDERS_AT_ONCE: Final = 1_000
CHANGED_AT_ONCE: Final = 200
GONE_AT_ONCE: Final = 50
"""Files of one transaction; each takes several statements."""


@dataclass(slots=True)
class Differences:
    """What is to be written about files on the shelf; ``gone`` holds their ids."""

    changes: list[Change] = field(default_factory=list[Change])
    gone: list[str] = field(default_factory=list[str])


async def forget_gone(library: str, folders: Sequence[str], ledger: Ledger) -> None:
    """Forget what was known of folders that are not there any more.

    Raises:
        LedgerUnavailableError: it could not be written.
    """

    def write(tx: Transaction, first: int) -> None:
        surveys.unsettle(tx, library)
        libraries.forget_folders(tx, library, folders[first : first + FOLDERS_AT_ONCE])

    for first in range(0, len(folders), FOLDERS_AT_ONCE):
        await ledger.write(partial(write, first=first))


async def settle_library(library: str, ledger: Ledger, begun: datetime) -> None:
    """Let the files on the shelf be what was seen, where the library was adopted.

    Args:
        library: its path.
        ledger: where all of it stands.
        begun: when the look began.

    Raises:
        DeclinedError: no video is seen in it any more, though files of the inventory are to be
            there: that is not believed.
        LedgerUnavailableError: it could not be read or written.
    """
    if await ledger.read(lambda conn: libraries.by_path(conn, library)) is not None:
        while await ledger.write(partial(_forget_below, library=library)):
            pass
        found = await ledger.read(partial(differences, library=library, begun=begun))
        for first in range(0, len(found.changes), CHANGED_AT_ONCE):
            some = found.changes[first : first + CHANGED_AT_ONCE]
            await ledger.write(partial(assets.change, changes=some, at=ledger.now()))
        for first in range(0, len(found.gone), GONE_AT_ONCE):
            gone = found.gone[first : first + GONE_AT_ONCE]
            await ledger.write(partial(assets.forget, ids=gone))
    await ledger.write(partial(surveys.settle, path=library))


def _forget_below(tx: Transaction, library: str) -> int:
    return libraries.forget_below(tx, library, limit=FOLDERS_AT_ONCE)


def differences(conn: Snapshot, library: str, begun: datetime) -> Differences:
    """What the last look and the inventory of an adopted library say differently.

    Of a part of a library, a file may have moved to another part, so only the whole is asked. What
    came onto the shelf since the look began may have come behind its back, a file of a disk of
    which nothing was seen may only be away, and one in a folder of a disc stands for that disc,
    which no look takes for a video: none of them is gone.

    Raises:
        DeclinedError: see `settle_library`.
    """
    rows = libraries.folders(conn, library)
    standing = assets.below(conn, library)
    seen = {
        f"{library}/{one.path}": one
        for row in rows
        for one in videos_of(row.path, row.device, row.files)
    }
    discs = {f"{library}/{row.path}" for row in rows if row.files["others"].get(FileKind.DISC)}
    if standing and not (seen or discs):
        raise DeclinedError(
            f"the library {library}",
            "No video is seen in it any more. Is its disk mounted? Nothing was forgotten.",
        )
    elsewhere = {_mark(one): where for where, one in seen.items() if where not in standing}
    disks = {row.device for row in rows}
    found = Differences()
    for path, asset in standing.items():
        where = path if path in seen else elsewhere.get(_mark(asset))
        if where is not None and (where == path or asset.mtime_ns in {None, seen[where].mtime_ns}):
            elsewhere.pop(_mark(asset), None)
            if where != path or _differs(asset, seen[where]):
                found.changes.append(_change(asset, where, seen[where]))
        elif (
            asset.seen_at < begun and asset.device in disks and path.rpartition("/")[0] not in discs
        ):
            found.gone.append(asset.id)
    return found


def _mark(file: AssetRow | KeptVideo) -> tuple[int, int, int]:
    """What a renamed file keeps; a new one may be given the inode of one that was deleted."""
    return file.device, file.inode, file.size


def _differs(asset: AssetRow, now: KeptVideo) -> bool:
    held = (asset.size, asset.device, asset.inode, asset.mtime_ns)
    return held != (now.size, now.device, now.inode, now.mtime_ns)


def _change(asset: AssetRow, where: str, now: KeptVideo) -> Change:
    return Change(asset.id, where, now.size, now.device, now.inode, now.mtime_ns)
