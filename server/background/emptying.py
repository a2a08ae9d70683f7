"""Emptying the recycle folders of what has lain there for as long as the owner's policy says."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from pathlib import Path

import structlog

from capabilities.adapters.shelf import recycling, roots
from capabilities.adapters.shelf.folders import Folders
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel.faults import WorldFaultError
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.policy_json import from_json
from capabilities.rules.works import WorkKind
from ledger.ledger import Ledger
from ledger.stores import policies
from ledger.stores import recycled as lying
from ledger.stores.recycled import Recycled
from server.background.maintenance import DAY_S, Job

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Emptied:
    """How many files a turn deleted, and of how many libraries nothing could be looked at."""

    files: int = 0
    away: int = 0


@dataclass(frozen=True, slots=True)
class Emptier:
    """Deletes what records put into recycle folders, and nothing else that lies there."""

    ledger: Ledger
    folders: Folders

    @property
    def job(self) -> Job:
        """Once a day."""
        return Job("recycling", DAY_S, self.empty)

    async def empty(self) -> Emptied:
        """Delete what is due; with 0 days in the policy, nothing ever is.

        A file is deleted only where a record's journal says that it was put there, and while it is
        that very file. One that cannot be deleted is left to the next time. A library
        that is away keeps what it has until it is back.

        Raises:
            LedgerUnavailableError: what is left is deleted the next time.
            UnsatisfiableError: the policy in force cannot be read, so nobody knows what is due.
        """
        stored, found = await self.ledger.read(
            lambda conn: (policies.published(conn, "organize"), lying.recycled(conn))
        )
        policy = OrganizePolicy() if stored is None else from_json(OrganizePolicy, stored.body)
        if not policy.recycle_days:
            return Emptied()
        before = self.ledger.now() - timedelta(days=policy.recycle_days)
        due = sorted((one for one in found if one.at <= before), key=lambda one: one.folder)
        files = away = 0
        for folder, some in groupby(due, lambda one: one.folder):
            try:
                files += await self._emptied(folder, list(some))
            except WorldFaultError as fault:
                away += 1
                log.warning("a recycle folder was not emptied", folder=folder, why=fault.sentence)
        return Emptied(files, away)

    async def _emptied(self, folder: str, due: Sequence[Recycled]) -> int:
        if folder not in {str(self.folders.library(kind)) for kind in WorkKind}:
            return 0  # it is no library of this home any more
        gone: list[Recycled] = []
        deleted = 0
        stuck: list[tuple[str, str]] = []
        async with roots.opened(Path(folder), "a library") as library:
            await off_loop(library.status, recycling.RECYCLE)
            for one in due:
                place, inode, size = one.place, one.inode, one.size
                try:
                    deleted += await off_loop(recycling.remove, library, place, inode, size)
                except WorldFaultError as fault:
                    stuck.append((place, fault.sentence))
                    continue
                gone.append(one)
        if stuck:
            log.warning("recycled files were not deleted", folder=folder, files=stuck)
        await self.ledger.write(lambda tx: lying.emptied(tx, gone, self.ledger.now()))
        return deleted
