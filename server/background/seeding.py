"""Following what was imported while it seeds: asked about once it has given enough, never removed.

What its client removed before the import is said, too: a ratio or time limit that removes does so.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Final

import structlog
from anyio import to_thread

from capabilities.adapters.downloader.port import (
    ClientState,
    Downloader,
    Downloaders,
    Pauser,
    Transfer,
)
from capabilities.adapters.downloader.torrent_file import read_torrent
from capabilities.adapters.shelf.folders import Folders
from capabilities.download.removal_look import RemovalLook
from capabilities.download.removing import SEEDED, VANISHED
from capabilities.download.settled import open_files, waiting_plans
from capabilities.download.standing_still import CHECKED_FACT
from capabilities.kernel.faults import WorldFaultError
from capabilities.organize.closing import IMPORTED, IMPORTING
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.policy_json import from_json
from capabilities.rules.seeding import Floor, SeedingGoals, WhenSeeded, gave_enough
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import decisions, downloads, policies, releases, shelf
from ledger.stores.decisions import DecisionState, NewDecision
from ledger.stores.downloads import DownloadRow
from ledger.writer import Transaction
from server.background.importing import NEEDS_OWNER
from server.background.maintenance import Job
from server.background.readings import LOST
from server.background.seeding_questions import Seeder, gone_too_soon, may_it_go

KIND: Final = "seeding"
EVERY_S: Final = 900.0
ASKED_AGAIN: Final = timedelta(days=1)
"""How long a question stands before its list of files is looked at once more."""
FOLLOWED: Final = (IMPORTED, "completed", IMPORTING, NEEDS_OWNER)
BY: Final = "system:seeding"
MOST: Final = 1_000
LOOKS_BEFORE_LOST: Final = 2
"""Turns in a row without it, before what was imported is called removed."""

log = structlog.get_logger()


@dataclass(slots=True)
class Seen:
    """What the clients have, by every spelling of a hash, and who did not answer."""

    found: dict[str, list[tuple[Downloader, Transfer]]] = field(
        default_factory=dict[str, list[tuple[Downloader, Transfer]]]
    )
    silent: set[str] = field(default_factory=set[str])

    def of(self, row: DownloadRow) -> tuple[Downloader, Transfer] | None:
        """Where it is: with the client that it went to, or with another one."""
        held = self.found.get(row.info_hash, [])
        return min(held, key=lambda each: each[0].name != row.client, default=None)


class Seeding:
    """Looks at all that is complete, again and again."""

    def __init__(self, ledger: Ledger, clients: Downloaders, folders: Folders) -> None:
        """Take what is looked at."""
        self._ledger = ledger
        self._clients = clients
        self._look = RemovalLook(ledger, clients, folders)

    @property
    def job(self) -> Job:
        """A turn of it every `EVERY_S` seconds."""
        return Job(KIND, EVERY_S, self.turn)

    async def turn(self) -> None:
        """Ask about what has given enough, and say what is gone.

        Raises:
            LedgerUnavailableError: what was seen could not be written.
        """
        rows = await self._ledger.read(lambda conn: downloads.listing(conn, states=FOLLOWED))
        rows = [row for row in rows if row.completed_at is not None]
        if not rows:
            return
        seen = await self._seen()
        goals = await self._ledger.read(_goals)
        left_alone = await self._ledger.read(_left_alone)
        for row in rows:
            held = seen.of(row)
            if held is None:
                await self._gone(row, seen)
                continue
            there = await self._there(row)
            if there.state != IMPORTED:
                await self._came_back(there)
            else:
                await self._seeds(there, *held, goals, left_alone)

    async def _seen(self) -> Seen:
        seen = Seen()
        for client in self._clients.clients:
            try:
                transfers = await client.transfers()
            except WorldFaultError as fault:
                seen.silent.add(client.name)
                log.info("a client cannot be asked", client=client.name, why=fault.sentence)
                continue
            for transfer in transfers:
                for name in transfer.hashes.names():
                    seen.found.setdefault(name, []).append((client, transfer))
        return seen

    async def _gone(self, row: DownloadRow, seen: Seen) -> None:
        """Say that no client has it; with one that does not answer, nothing is known."""
        if seen.silent or row.client not in {one.name for one in self._clients.clients}:
            return
        try:
            found = await self._clients.find(row.info_hash)
        except WorldFaultError as fault:
            log.info("a client cannot be asked", client=row.client, why=fault.sentence)
            return
        if found is None:  # a list may lack what its client has, as while it starts
            await self._ledger.write(lambda tx: self._not_there(tx, row))

    def _not_there(self, tx: Transaction, row: DownloadRow) -> None:
        at, now = self._ledger.now(), downloads.by_id(tx.conn, row.id)
        if now is None or now.state != row.state:
            return
        if row.state != IMPORTED:
            if not _is_placed(tx.conn, row):
                decisions.raise_(tx, gone_too_soon(row), at)
            return
        looks = int(now.facts.get(LOST, 0)) + 1
        if looks < LOOKS_BEFORE_LOST:
            downloads.change(tx, row.id, facts={**now.facts, LOST: looks})
            return
        downloads.change(
            tx,
            row.id,
            state=ClientState.REMOVED.value,
            last_error=f"{row.client} no longer has it. What is in the library stays.",
            updated_at=at,
        )
        _close(tx, row, SEEDED, "it is gone from its client", self._ledger)

    async def _there(self, row: DownloadRow) -> DownloadRow:
        """Forget that it was missed before; its row as it is then."""
        if LOST not in row.facts:
            return row

        def write(tx: Transaction) -> DownloadRow:
            now = downloads.by_id(tx.conn, row.id) or row
            facts = {name: kept for name, kept in now.facts.items() if name != LOST}
            downloads.change(tx, row.id, facts=facts)
            return replace(now, facts=facts)

        return await self._ledger.write(write)

    async def _came_back(self, row: DownloadRow) -> None:
        if await self._ledger.read(lambda conn: _is_open(conn, row, VANISHED)):
            await self._ledger.write(
                lambda tx: _close(tx, row, VANISHED, "its client has it", self._ledger)
            )

    async def _seeds(
        self,
        row: DownloadRow,
        client: Downloader,
        transfer: Transfer,
        goals: SeedingGoals,
        left_alone: frozenset[str],
    ) -> None:
        if client.name != row.client:
            await self._ledger.write(lambda tx: downloads.change(tx, row.id, client=client.name))
        if row.facts.get(CHECKED_FACT) and transfer.complete:
            await self._let_run(row, client)
            return
        key = f"{SEEDED}:{row.id}"
        if not await self._may_go(row, transfer, goals):
            if key in left_alone or await self._ledger.read(lambda c: _is_open(c, row, SEEDED)):
                await self._ledger.write(
                    lambda tx: _close(tx, row, SEEDED, "it is to give more", self._ledger)
                )
            return
        if key in left_alone or await self._ledger.read(self._is_asked(row)):
            return
        frozen = await self._look.freeze(row, delete_data=True)
        seeder = Seeder(row, client, transfer, goals, await self._is_private(row))
        new = may_it_go(seeder, frozen)
        await self._ledger.write(lambda tx: self._ask(tx, row, new))

    async def _let_run(self, row: DownloadRow, client: Downloader) -> None:
        """What was stopped for a check runs again, now that all of it is there."""
        try:
            await client.resume(row.info_hash, by=Pauser.US)
        except WorldFaultError as fault:
            log.info("a checked torrent does not run", download=row.id, why=fault.sentence)
            return
        facts = {name: kept for name, kept in row.facts.items() if name != CHECKED_FACT}
        await self._ledger.write(lambda tx: downloads.change(tx, row.id, facts=facts))

    async def _may_go(self, row: DownloadRow, transfer: Transfer, goals: SeedingGoals) -> bool:
        """Whether the owner is to be asked: enough was given, and every wanted file has a place."""
        if goals.then is not WhenSeeded.ASK_TO_REMOVE or not transfer.complete:
            return False
        floor = await self._ledger.read(lambda conn: _floor(conn, row))
        stopped = transfer.stopped_at_limit
        if not gave_enough(
            goals, floor, transfer.ratio, transfer.seeding_s, stopped_at_limit=stopped
        ):
            return False
        return not await self._ledger.read(lambda c: open_files(c, row, waiting_plans(c)))

    def _is_asked(self, row: DownloadRow) -> Callable[[Snapshot], bool]:
        before = self._ledger.now() - ASKED_AGAIN

        def look(conn: Snapshot) -> bool:
            asked = decisions.open_for(conn, f"{SEEDED}:{row.id}")
            return asked is not None and asked.created_at > before

        return look

    def _ask(self, tx: Transaction, row: DownloadRow, new: NewDecision) -> None:
        """Ask once; a question whose list of files is another one by now is asked anew."""
        at = self._ledger.now()
        asked = decisions.open_for(tx.conn, new.dedupe_key)
        now = downloads.by_id(tx.conn, row.id)
        if now is None or now.state != IMPORTED:
            return
        if asked is not None:
            decisions.close(tx, asked.id, by=BY, resolution="it was looked at anew", at=at)
        decisions.raise_(tx, new, at)

    async def _is_private(self, row: DownloadRow) -> bool:
        raw = await self._ledger.read(lambda conn: releases.torrent(conn, row.release))
        if raw is None:
            return False
        torrent = await to_thread.run_sync(read_torrent, raw)
        return torrent.private


def _goals(conn: Snapshot) -> SeedingGoals:
    stored = policies.published(conn, "acquisition")
    return SeedingGoals() if stored is None else from_json(AcquisitionPolicy, stored.body).seeding


def _floor(conn: Snapshot, row: DownloadRow) -> Floor:
    """What its tracker asks at least, where its indexer said so."""
    release = releases.by_id(conn, row.release)
    found: Mapping[str, Any] = {} if release is None else release.found
    return Floor(found.get("minimum_ratio"), found.get("minimum_seeding_s"))


def _left_alone(conn: Snapshot) -> frozenset[str]:
    """What the owner does not want to be asked about any more."""
    rows, _ = decisions.listing(conn, states=(DecisionState.DISMISSED,), limit=MOST)
    return frozenset(row.dedupe_key for row in rows)


def _is_open(conn: Snapshot, row: DownloadRow, cause: str) -> bool:
    return decisions.open_for(conn, f"{cause}:{row.id}") is not None


def _is_placed(conn: Snapshot, row: DownloadRow) -> bool:
    return any(record.state == "verifying" for record in shelf.records_of(conn, row.id))


def _close(tx: Transaction, row: DownloadRow, cause: str, why: str, ledger: Ledger) -> None:
    decisions.close_for(tx, f"{cause}:{row.id}", by=BY, resolution=why, at=ledger.now())
