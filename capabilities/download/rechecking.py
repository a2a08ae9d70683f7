"""Rechecking and resuming one torrent without a byte written into what the library shares.

A recheck that finds pieces missing has them fetched again, into the file that is there. Where that
file is the library's too, by another name, the library's copy would be written over (cross-seed
issue 74, qui issue 2686). Such a torrent stands still while it is checked, and runs again only when
all of it is there.
"""

from dataclasses import dataclass
from typing import Final

import anyio

from capabilities.adapters.downloader.port import (
    ClientState,
    Downloader,
    Pauser,
    Transfer,
)
from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.below import below
from capabilities.adapters.shelf.deleting import listed
from capabilities.adapters.shelf.folders import Folders
from capabilities.adapters.shelf.threads import off_loop
from capabilities.download.library_names import shared
from capabilities.download.removal_look import own_names
from capabilities.kernel import fault_points
from capabilities.kernel.faults import WorldFaultError
from ledger.stores.downloads import DownloadRow

IMPORTED: Final = "imported"
WAIT_S: Final = 15.0
"""For the end of a check; a longer one goes on by itself."""
STOPPED: Final = frozenset(
    {ClientState.PAUSED_BY_OWNER, ClientState.PAUSED_BY_US, ClientState.COMPLETED}
)


@dataclass(frozen=True, slots=True)
class Checked:
    """How a torrent stands after it; ``held``: it stands still because the library shares it."""

    state: ClientState
    complete: bool
    held: bool


async def is_shared(row: DownloadRow, transfer: Transfer, folders: Folders | None) -> bool:
    """Whether what is written into its files shows elsewhere too; in doubt it does."""
    if row.state == IMPORTED or folders is None:
        return True
    place = await off_loop(below, transfer.save_path, folders.downloads)
    if place is None:
        return True
    try:
        async with roots.opened(folders.downloads, "the download folder") as root:
            seen = await listed(root, own_names(transfer), below="/".join(place))
    except WorldFaultError:
        return True
    return shared(seen.files)


async def hash_anew(
    client: Downloader, transfer: Transfer, *, guarded: bool, stopped_by_us: bool
) -> Checked:
    """Hash it anew; where it is guarded, let it run again only once it is whole.

    One that somebody had stopped stays stopped; ``stopped_by_us``: an earlier attempt did so.
    """
    key = transfer.hashes.key
    runs = transfer.state not in STOPPED
    ran = runs or (stopped_by_us and transfer.state is not ClientState.PAUSED_BY_OWNER)
    if guarded and runs:
        await client.pause(key, by=Pauser.US)
        fault_points.at("stopped")
    await client.recheck(key)
    fault_points.at("answered")
    if not guarded:
        now = await client.transfer(key)
        state = ClientState.CHECKING if now is None else now.state
        return Checked(state, complete=False, held=False)
    now = await _after_the_check(client, key)
    if now is None or not _is_over(now):
        return Checked(ClientState.CHECKING, complete=False, held=ran)
    if now.complete and ran:
        await client.resume(key, by=Pauser.US)
        return Checked(ClientState.SEEDING, complete=True, held=False)
    return Checked(now.state, complete=now.complete, held=ran)


async def _after_the_check(client: Downloader, key: str) -> Transfer | None:
    """The torrent when the check is over, or as it stands when patience ends."""
    now: Transfer | None = None
    with anyio.move_on_after(WAIT_S):
        async with client.changes() as changes:
            now = await client.transfer(key)
            while now is not None and not _is_over(now):
                await anext(changes)
                now = await client.transfer(key)
    return now


def _is_over(now: Transfer) -> bool:
    """Whether the check has an end; what is whole is said to be so a moment later."""
    lacks = now.done_bytes < now.wanted_bytes
    return now.state is not ClientState.CHECKING and (now.complete or lacks)
