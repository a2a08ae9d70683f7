"""Following a submitted torrent until its bytes are here, or until somebody has to decide."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Final

from capabilities.adapters.downloader.port import (
    ClientState,
    Downloader,
    Downloaders,
    Pauser,
    Transfer,
)
from capabilities.download.failing import Block, Failure, record_failure
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.owing import IMPORT, TRACK, owe
from capabilities.rules.blame import is_of_the_house
from capabilities.rules.holding import KEPT_BACK, hold_of
from capabilities.rules.outside_text import cleaned
from capabilities.rules.stalling import RUNNING
from ledger.ledger import Ledger
from ledger.stores import decisions, downloads, events, tasks
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.stores.downloads import DownloadRow
from ledger.stores.tasks import TaskRow, TaskState
from ledger.writer import Transaction
from server.background.readings import LOST, reading, unseen
from server.background.results import Done, Result, Wait
from server.background.since_read import is_overtaken, waits_for_us
from server.background.stalls import close_stalled, weigh
from server.background.suspects import is_unlooked, look_at, looked, stop
from server.background.ways_on import remove

POLL_S = 60.0
AWAY_S = 30.0
OWNER_S = 60.0
HELD_S = 600.0
LOOKS_BEFORE_LOST: Final = 2
OVER = (ClientState.FAILED, ClientState.REMOVED)
URGENT = (ClientState.FAILED, ClientState.MISSING_FILES)


class Tracker:
    """Attends to tasks of the kind ``track``; the client's word counts, not ours."""

    def __init__(self, ledger: Ledger, clients: Downloaders) -> None:
        """Take the ledger and the clients."""
        self._ledger = ledger
        self._clients = clients

    async def attend(self, task: TaskRow) -> Result:
        """Look at the torrent once, and write down what was seen."""
        row = await self._ledger.read(lambda conn: downloads.by_id(conn, task.subject))
        if row is None:
            return Done("its download is gone")
        try:
            found = await self._found(row)
            if found is None:
                return await self._not_there(row)
            row, transfer = found
            if hold_of(row.facts) in KEPT_BACK:
                return await self._kept_back(row, transfer)
            if is_unlooked(row, transfer) and await self._is_stopped(row, transfer):
                return await self._kept_back(row, transfer)
            paused = transfer.state is ClientState.PAUSED_BY_US
            if paused and await self._ledger.read(lambda conn: waits_for_us(conn, row)):
                await self._clients.named(row.client).resume(row.info_hash, by=Pauser.US)
        except (WorldFaultError, LookupError):
            await self._changed(row, unseen)
            return Wait(AWAY_S)
        if transfer.complete:
            return await self._arrived(row, transfer)
        return await self._under_way(row, transfer)

    async def _found(self, row: DownloadRow) -> tuple[DownloadRow, Transfer] | None:
        """The torrent in its client, or in another one that it was moved to; that is kept."""
        transfer = await self._clients.named(row.client).transfer(row.info_hash)
        if transfer is not None:
            return row, transfer
        found = await self._clients.find(row.info_hash)
        if found is None:
            return None
        client, transfer = found
        await self._ledger.write(lambda tx: downloads.change(tx, row.id, client=client.name))
        return replace(row, client=client.name), transfer

    async def note(self, client: Downloader) -> bool:
        """Write what a client reports now of all we wait for, and wake whose task should look.

        True where such a task was at work just then and may have looked before: a wake-up is lost
        on it, so it has to be noted once more.
        """
        rows = await self._ledger.read(downloads.listing)
        waiting = [row for row in rows if row.client == client.name and row.completed_at is None]
        if not waiting:
            return False
        # A magnet's other hash comes later, and then it is the one to file the torrent under.
        seen = {
            name: transfer
            for transfer in await client.transfers()
            for name in transfer.hashes.names()
        }

        def write(tx: Transaction) -> bool:
            missed = False
            for earlier in waiting:
                transfer = seen.get(earlier.info_hash)
                row = downloads.by_id(tx.conn, earlier.id)
                if row is None or row.completed_at is not None:
                    continue  # it went on while the client was asked
                if transfer is None or row.state in OVER or hold_of(row.facts) in KEPT_BACK:
                    continue
                reading(tx, row, transfer, self._ledger.now())
                about = tasks.of_subject(tx.conn, row.id)
                turned = transfer.state.value != row.state or _is_at_work(about)
                urgent = transfer.complete or (turned and transfer.state in URGENT)
                if urgent or is_unlooked(row, transfer):
                    missed |= self._is_missed(tx, about)
            return missed

        return await self._ledger.write(write)

    def _is_missed(self, tx: Transaction, about: Iterable[TaskRow]) -> bool:
        """Wake the tasks of a download; whether one of them is at work and cannot be woken."""
        for task in about:
            self._ledger.engine.wake(tx, "task", task.id)
        return _is_at_work(about)

    async def _changed(
        self, row: DownloadRow, work: Callable[[Transaction, DownloadRow], None]
    ) -> bool:
        """Change a download by what its row is now, unless it is over since ``row`` was read.

        False where nothing was written.
        """

        def write(tx: Transaction) -> bool:
            now = downloads.by_id(tx.conn, row.id)
            if now is None or is_overtaken(row, now):
                return False
            work(tx, now)
            return True

        return await self._ledger.write(write)

    async def _is_stopped(self, row: DownloadRow, transfer: Transfer) -> bool:
        """Look at the names of its files, once; whether it was stopped for them."""
        why = await self._ledger.read(lambda conn: look_at(conn, row, transfer))
        at = self._ledger.now()
        if why is None:
            await self._changed(row, looked)
        else:
            await self._changed(row, lambda tx, now: stop(tx, self._ledger, now, why, at))
        return why is not None

    async def _kept_back(self, row: DownloadRow, transfer: Transfer) -> Result:
        """Let stand still what is not to run, whoever let it run."""
        if transfer.state not in {ClientState.PAUSED_BY_US, ClientState.PAUSED_BY_OWNER}:
            await self._clients.named(row.client).pause(row.info_hash, by=Pauser.US)
        await self._ledger.write(lambda tx: self._stands_still(tx, row))
        return Wait(HELD_S, "It stands still until you decide.")

    def _stands_still(self, tx: Transaction, row: DownloadRow) -> None:
        close_stalled(tx, row.id, "it stands still now", self._ledger.now())
        self._weigh(tx, row)

    async def _arrived(self, row: DownloadRow, transfer: Transfer) -> Result:
        def write(tx: Transaction, now: DownloadRow) -> None:
            at = self._ledger.now()
            reading(tx, now, transfer, at)
            downloads.change(tx, now.id, state="completed", completed_at=at)
            _solved(tx, now, at, "it arrived")
            title = cleaned(now.name)
            events.append(tx, "download_completed", {"title": title}, at, run=now.run)
            owe(tx, self._ledger, IMPORT, now.id)
            self._weigh(tx, now)

        if not await self._changed(row, write):
            return Wait(AWAY_S)
        return Done("every wanted byte has passed its hash")

    async def _under_way(self, row: DownloadRow, transfer: Transfer) -> Result:
        trouble = _trouble(row, transfer)

        def write(tx: Transaction, now: DownloadRow) -> None:
            at = self._ledger.now()
            seen = reading(tx, now, transfer, at)
            if trouble is not None:
                decisions.raise_(tx, trouble, at)
            else:
                _close(tx, now, at, "it goes on")
            if seen.state not in RUNNING:
                close_stalled(tx, now.id, f"it is {seen.state.replace('_', ' ')} now", at)
            if transfer.state is ClientState.FAILED:
                record_failure(tx, self._ledger, seen, _failure(transfer.error))
            self._weigh(tx, now)

        if not await self._changed(row, write):
            return Wait(AWAY_S)
        if transfer.state is ClientState.FAILED:
            return Done("the client gave it up")
        return Wait(POLL_S if trouble is None else OWNER_S)

    def _weigh(self, tx: Transaction, row: DownloadRow) -> None:
        weigh(tx, row.client, self._ledger.now())

    async def _not_there(self, row: DownloadRow) -> Result:
        """What no client has is looked for once more before it is called gone.

        A client that has just started may not list everything yet.
        """
        looks = int(row.facts.get(LOST, 0)) + 1
        if row.state == ClientState.REMOVED:
            return Done("it was removed from its client")
        if looks < LOOKS_BEFORE_LOST:
            await self._changed(row, _lost_once)
            return Wait(AWAY_S, f"{row.client} does not have it; it is looked for once more.")
        if not await self._changed(row, self._gone):
            return Wait(AWAY_S)
        return Done("it was removed from its client")

    def _gone(self, tx: Transaction, row: DownloadRow) -> None:
        at = self._ledger.now()
        sentence = f"{row.client} no longer has it."
        if hold_of(row.facts) in KEPT_BACK:
            _solved(tx, row, at, sentence)
        else:
            decisions.raise_(tx, _decision(row, DecisionKind.DOWNLOAD_FAILED, sentence), at)
        gone = Failure(sentence, ClientState.REMOVED.value, asks_next=False)
        record_failure(tx, self._ledger, row, gone)
        self._weigh(tx, row)


def _lost_once(tx: Transaction, row: DownloadRow) -> None:
    downloads.change(tx, row.id, facts={**row.facts, LOST: 1})


def _is_at_work(about: Iterable[TaskRow]) -> bool:
    return any(task.kind == TRACK and task.state is TaskState.RUNNING for task in about)


def _failure(error: str | None) -> Failure:
    """What an error of the client comes to: the release is at fault, or the house is."""
    sentence = error or "The client reports an error."
    ours = is_of_the_house(error)
    block = Block.NOTHING if ours else Block.WORK
    return Failure(sentence, ClientState.FAILED.value, block=block, asks_next=not ours)


def _trouble(row: DownloadRow, transfer: Transfer) -> NewDecision | None:
    match transfer.state:
        case ClientState.FAILED:
            sentence = transfer.error or "The client reports an error."
            return _decision(row, DecisionKind.DOWNLOAD_FAILED, sentence, removable=True)
        case ClientState.MISSING_FILES:
            sentence = "Files that had been downloaded are gone; it is held until you decide."
            return _decision(row, DecisionKind.DOWNLOAD_FAILED, sentence)
        case _:
            return None


def _decision(
    row: DownloadRow, kind: DecisionKind, sentence: str, *, removable: bool = False
) -> NewDecision:
    usual = offered(Option.RE_EVALUATE, Option.DISMISS)
    return NewDecision(
        kind,
        f"{kind}:{row.id}",
        f"{cleaned(row.name)}: {sentence}",
        Severity.HIGH,
        evidence={"title": cleaned(row.name), "client": row.client, "sentence": sentence},
        options=[remove(row), *usual] if removable else usual,
        lasting=True,
        run=row.run,
        subject=row.id,
    )


def _solved(tx: Transaction, row: DownloadRow, at: datetime, resolution: str) -> None:
    """Close everything that was asked about a download."""
    _close(tx, row, at, resolution, DecisionKind.DANGEROUS_CONTENT)
    close_stalled(tx, row.id, resolution, at)


def _close(
    tx: Transaction, row: DownloadRow, at: datetime, resolution: str, *besides: DecisionKind
) -> None:
    for kind in (DecisionKind.DOWNLOAD_FAILED, *besides):
        decisions.close_for(tx, f"{kind}:{row.id}", by="system:track", resolution=resolution, at=at)
