"""What a test may look at in a house: its ledger, row by row, and its shelf."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import anyio

from capabilities.adapters.downloader.embedded import EmbeddedDownloader
from capabilities.adapters.downloader.port import Transfer
from capabilities.adapters.shelf.folders import Folders
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import (
    approvals,
    claims,
    decisions,
    downloads,
    plans,
    shelf,
    tasks,
    works,
)
from ledger.stores.approvals import Approval
from ledger.stores.claims import Claim
from ledger.stores.decisions import WAITING, Decision
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan
from ledger.stores.shelf import RecordRow, SlotRow
from ledger.stores.tasks import TaskRow, TaskState
from ledger.writer import Transaction
from tests.stage_set import Base
from world.stage import Stage

T = TypeVar("T")

PATIENCE_S = 20


@dataclass(frozen=True)
class Looking:
    """The rows of a house, and the few that a test puts into another state by hand."""

    base: Base

    @property
    def ledger(self) -> Ledger:
        return self.base.ledger

    @property
    def stage(self) -> Stage:
        return self.base.stage

    @property
    def client(self) -> EmbeddedDownloader:
        return self.base.client

    @property
    def folders(self) -> Folders:
        return self.base.folders

    async def read(self, work: Callable[[Snapshot], T]) -> T:
        return await self.ledger.read(work)

    async def write(self, work: Callable[[Transaction], T]) -> T:
        return await self.ledger.write(work)

    async def until(self, look: Callable[[Snapshot], T | None]) -> T:
        """What ``look`` finds in the ledger, once it finds something."""
        with anyio.fail_after(PATIENCE_S):
            async with self.ledger.feed.listening() as bell:
                while not (found := await self.read(look)):
                    await bell.receive()
        return found

    async def until_complete(self, info_hash: str) -> Transfer:
        """The torrent, complete in the client."""
        with anyio.fail_after(PATIENCE_S):
            async with self.client.changes() as changes:
                transfer = await self.client.transfer(info_hash)
                while transfer is None or not transfer.complete:
                    await anext(changes)
                    transfer = await self.client.transfer(info_hash)
        return transfer

    async def download(self, id_: str) -> DownloadRow:
        row = await self.read(lambda conn: downloads.by_id(conn, id_))
        assert row is not None
        return row

    async def turn(self, download: str, state: str, **columns: object) -> None:
        """Let a download be in another state."""
        await self.write(lambda tx: downloads.change(tx, download, state=state, **columns))

    async def downloads(self) -> list[DownloadRow]:
        return await self.read(downloads.listing)

    async def plan(self, id_: str) -> Plan:
        row = await self.read(lambda conn: plans.by_id(conn, id_))
        assert row is not None
        return row

    async def claims(self, capability: str) -> list[Claim]:
        """Every claim of a capability."""
        rows = await self.read(lambda conn: claims.newest(conn, limit=200))
        return [row for row in rows if row.capability == capability]

    async def decisions(self) -> list[Decision]:
        """Every decision that waits."""
        rows, _ = await self.read(lambda conn: decisions.listing(conn, states=WAITING, limit=100))
        return rows

    async def approvals_of(self, plan: str) -> list[Approval]:
        return await self.read(lambda conn: approvals.of_plan(conn, plan, *approvals.ApprovalState))

    async def slots(self) -> list[SlotRow]:
        return await self.read(shelf.slots)

    async def records(self, download: str) -> list[RecordRow]:
        return await self.read(lambda conn: shelf.records_of(conn, download))

    async def tasks(self, subject: str) -> dict[str, TaskRow]:
        """The tasks about one thing, by kind."""
        rows = await self.read(lambda conn: tasks.of_subject(conn, subject))
        return {row.kind: row for row in rows}

    async def end_task(self, task: str, state: TaskState) -> None:
        """Let a task be over, for the engine too."""

        def write(tx: Transaction) -> None:
            tasks.change(tx, task, state=state, ended_at=self.ledger.now())
            self.ledger.engine.end(tx, "task", task)

        await self.write(write)

    async def work_id(self, key: str = "tmdb:film:45745") -> str:
        row = await self.read(lambda conn: works.by_key(conn, key))
        assert row is not None
        return row.id

    def on_shelf(self) -> list[str]:
        """Every file in the library of films, by relative path."""
        root = self.folders.films
        return sorted(str(p.relative_to(root)) for p in root.rglob("*") if p.is_file())
