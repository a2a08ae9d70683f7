"""Keeping adopted libraries as they are: seen again and again, and their streams read."""

from collections.abc import Collection
from functools import partial
from pathlib import Path

import structlog

from capabilities.inventory.streams import read_streams
from capabilities.inventory.surveying import survey
from capabilities.inventory.unclear import new_videos, new_videos_key
from capabilities.kernel.faults import WorldFaultError
from capabilities.rules.library_rows import videos_of
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import assets, decisions, libraries
from ledger.stores.libraries import LibraryRow
from ledger.writer import Transaction

READING_S = 200.0
"""Of one turn, for streams; the rest is for the next one."""

log = structlog.get_logger()


async def keep_libraries(ledger: Ledger) -> None:
    """See every adopted library once more, then read streams that are still to be read.

    Nothing is written about a library that did not change. One that cannot be read is left as it
    is known.

    Raises:
        LedgerUnavailableError: what was found could not be written.
    """
    await see_libraries(ledger)
    clock = ledger.clock
    until = clock.monotonic() + READING_S
    await read_streams(ledger, is_late=lambda: clock.monotonic() >= until)


async def see_libraries(ledger: Ledger, among: Collection[str] | None = None) -> None:
    """See the adopted libraries once more, those whose paths are ``among`` these or all.

    Raises:
        LedgerUnavailableError: what was found could not be written.
    """
    for library in await ledger.read(libraries.adopted):
        if among is not None and not any(
            library.path == one or library.path.startswith(f"{one}/") for one in among
        ):
            continue
        try:
            found = await survey(Path(library.path), ledger)
        except WorldFaultError as fault:
            log.warning("a library cannot be seen", library=library.path, why=fault.sentence)
            continue
        if found.is_changed or await ledger.read(partial(_is_answered, library=library)):
            await ledger.write(partial(_ask_about_new, library=library, ledger=ledger))


def _ask_about_new(tx: Transaction, library: LibraryRow, ledger: Ledger) -> None:
    """One question about all that came since the owner last took something in."""
    found = unknown_videos(tx.conn, library)
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


def _is_answered(conn: Snapshot, library: LibraryRow) -> bool:
    """Whether a question about new videos is open and none is left: an import recorded them."""
    open_ = decisions.open_for(conn, new_videos_key(library.path)) is not None
    return open_ and not unknown_videos(conn, library)


def unknown_videos(conn: Snapshot, library: LibraryRow) -> list[str]:
    """Videos that no asset stands for, in folders that changed since the last adoption."""
    known = assets.below(conn, library.path)
    return [
        video.path
        for folder in libraries.folders(conn, library.path)
        if folder.seen_at > library.adopted_at
        for video in videos_of(folder.path, folder.device, folder.files)
        if f"{library.path}/{video.path}" not in known
    ]
