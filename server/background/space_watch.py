"""Letting downloads stand still while the disk is short of room, and go on when it is not."""

from collections.abc import Sequence
from typing import Any, Final

import structlog

from capabilities.adapters.downloader.port import ClientState, Downloaders, Pauser
from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.folders import Folders
from capabilities.adapters.shelf.space import space
from capabilities.kernel.faults import DeclinedError, WorldFaultError
from capabilities.rules.holding import HELD, Hold, hold_of
from capabilities.rules.outside_text import cleaned
from capabilities.rules.relief import Load, Relief, relief
from capabilities.rules.wording import counted
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import decisions, downloads
from ledger.stores.decisions import (
    DecisionKind,
    DecisionState,
    NewDecision,
    Option,
    Severity,
    offered,
)
from ledger.stores.downloads import DownloadRow
from ledger.writer import Transaction
from server.background.maintenance import Job

EVERY_S: Final = 30.0
GB: Final = 1e9
NAMED: Final = 10
MOST: Final = 1_000
KEY: Final = "no_space:downloads"
TAKING: Final = ("submitted", "queued", "metadata", "downloading", "stalled", "checking")
"""States in which room is taken, or will be without anybody being asked."""

log = structlog.get_logger()


class SpaceWatch:
    """Compares the disk with what is still to come, and acts on our own downloads only.

    What the owner paused is left alone, as is what stands still for another reason of ours.
    """

    def __init__(self, ledger: Ledger, clients: Downloaders, folders: Folders) -> None:
        """Take where downloads are written down, who has them, and the disk that they go to."""
        self._ledger = ledger
        self._clients = clients
        self._folders = folders

    @property
    def job(self) -> Job:
        """The look at the disk as a recurring job."""
        return Job("space", EVERY_S, self.look)

    async def look(self) -> None:
        """Look once, and let stand still or go on what that comes to."""
        states = (*TAKING, ClientState.PAUSED_BY_US.value)
        rows = await self._ledger.read(lambda conn: downloads.listing(conn, states=states))
        rows = [row for row in rows if row.completed_at is None and _counts(row)]
        try:
            async with roots.opened(self._folders.downloads, "the download folder") as root:
                now = await space(root)
        except WorldFaultError as fault:
            log.warning("the room for downloads is not known", why=str(fault))
            return
        by_id = {row.id: row for row in rows}
        floor = self._folders.floor_bytes
        found = relief(now.free, floor, [_load(row) for row in rows])
        await self._let_go([row for row in rows if _runs_again(row)])
        for id_ in found.pause:
            await self._pause(by_id[id_])
        for id_ in found.resume:
            await self._resume(by_id[id_])
        if found.pause or await self._ledger.read(_is_told_or_held):
            await self._ledger.write(lambda tx: self._tell(tx, now.free, found))

    async def _pause(self, row: DownloadRow) -> None:
        await self._note(row, Hold.SPACE)
        try:
            await self._clients.named(row.client).pause(row.info_hash, by=Pauser.US)
        except (WorldFaultError, LookupError) as fault:
            log.warning("a download could not be paused", client=row.client, why=str(fault))
            await self._note(row, None)
        else:
            await self._note(row, Hold.SPACE, state=ClientState.PAUSED_BY_US.value)

    async def _resume(self, row: DownloadRow) -> None:
        try:
            await self._clients.named(row.client).resume(row.info_hash, by=Pauser.US)
        except DeclinedError:
            pass  # the owner paused it meanwhile, or it is gone: it is not ours to let go on
        except (WorldFaultError, LookupError) as fault:
            log.warning("a download could not be resumed", client=row.client, why=str(fault))
            return
        await self._note(row, None)

    async def _let_go(self, rows: Sequence[DownloadRow]) -> None:
        """Forget why something stands still that runs by now, whoever let it run."""
        for row in rows:
            await self._note(row, None)

    async def _note(self, row: DownloadRow, hold: Hold | None, **columns: Any) -> None:
        """Write why it stands still, unless it has stood still for another reason by now."""

        def write(tx: Transaction) -> None:
            now = downloads.by_id(tx.conn, row.id)
            if now is None or hold_of(now.facts) not in {None, Hold.SPACE}:
                return
            facts = {key: held for key, held in now.facts.items() if key != HELD}
            if hold is not None:
                facts[HELD] = hold.value
            downloads.change(tx, row.id, facts=facts, **columns)

        await self._ledger.write(write)

    def _tell(self, tx: Transaction, free: int, found: Relief) -> None:
        at = self._ledger.now()
        held = _held(tx.conn)
        if not held:
            decisions.close_for(tx, KEY, by="system:space", resolution="there is room", at=at)
            return
        owed = sum(max(row.size - row.done, 0) for row in held)
        floor = self._folders.floor_bytes
        many = counted(len(held), "download")
        new = NewDecision(
            DecisionKind.NO_SPACE,
            KEY,
            f"There is too little room on the download disk: {free / GB:.2f} GB are free, "
            f"{floor / GB:.2f} GB must stay free, and {owed / GB:.2f} GB are still to come of "
            f"{many} that we paused. They go on by themselves when there is room.",
            Severity.HIGH,
            evidence={
                "free_gb": round(free / GB, 2),
                "floor_gb": round(floor / GB, 2),
                "left_gb": round(found.left / GB, 2),
                "owed_gb": round(owed / GB, 2),
                "paused": [cleaned(row.name) for row in held[:NAMED]],
                "paused_in_all": len(held),
            },
            options=offered(Option.DISMISS),
            lasting=True,
        )
        decisions.raise_(tx, new, at)


def _held(conn: Snapshot) -> list[DownloadRow]:
    """What stands still for want of room."""
    paused = downloads.listing(conn, states=(ClientState.PAUSED_BY_US.value,))
    return [row for row in paused if hold_of(row.facts) is Hold.SPACE]


def _is_told_or_held(conn: Snapshot) -> bool:
    return decisions.open_for(conn, KEY) is not None or bool(_held(conn)) or _is_dismissed(conn)


def _is_dismissed(conn: Snapshot) -> bool:
    """Whether the owner wants to hear no more of this shortage, which ends with it."""
    states, kind = (DecisionState.DISMISSED,), DecisionKind.NO_SPACE
    rows, _ = decisions.listing(conn, states=states, kind=kind, limit=MOST)
    return any(row.dedupe_key == KEY for row in rows)


def _counts(row: DownloadRow) -> bool:
    return row.state in TAKING or _stands_for_space(row)


def _stands_for_space(row: DownloadRow) -> bool:
    held = hold_of(row.facts) is Hold.SPACE
    return held and row.state == ClientState.PAUSED_BY_US


def _runs_again(row: DownloadRow) -> bool:
    return hold_of(row.facts) is Hold.SPACE and row.state in TAKING


def _load(row: DownloadRow) -> Load:
    stands = _stands_for_space(row)
    return Load(
        row.id, max(row.size - row.done, 0), row.created_at, running=not stands, held=stands
    )
