"""Asking about videos that came into an adopted library by another hand."""

from functools import partial

from capabilities.inventory.unclear import new_videos, new_videos_key
from capabilities.rules.library_rows import videos_of
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import assets, decisions, libraries
from ledger.stores.libraries import LibraryRow
from ledger.writer import Transaction


async def ask_about_new(ledger: Ledger, library: LibraryRow, *, changed: bool) -> None:
    """One question about all that came since the owner last took something in.

    Where nothing changed nothing is read of its folders, unless the question is open.

    Raises:
        LedgerUnavailableError: it could not be read or written.
    """
    key = new_videos_key(library.path)
    is_open = await ledger.read(lambda conn: decisions.open_for(conn, key)) is not None
    if not changed and not is_open:
        return
    found = await ledger.read(partial(unknown_videos, library=library))
    if found or is_open:
        await ledger.write(partial(_ask, library=library, found=found, ledger=ledger))


def _ask(tx: Transaction, library: LibraryRow, found: list[str], ledger: Ledger) -> None:
    if found:
        decisions.raise_(tx, new_videos(library.path, found), ledger.now())
        return
    decisions.close_for(
        tx,
        new_videos_key(library.path),
        by="system:inventory",
        resolution="they are gone, or in the inventory",
        at=ledger.now(),
    )


def unknown_videos(conn: Snapshot, library: LibraryRow) -> list[str]:
    """Videos that no asset stands for, in folders that changed since the last adoption."""
    known = set(assets.paths_below(conn, library.path))
    return [
        video.path
        for folder in libraries.folders(conn, library.path)
        if folder.seen_at > library.adopted_at
        for video in videos_of(folder.path, folder.device, folder.files)
        if f"{library.path}/{video.path}" not in known
    ]
