"""Following a submitted torrent until its bytes are here, or until somebody has to decide."""

from dataclasses import replace
from datetime import datetime

from capabilities.adapters.downloader.port import (
    ClientState,
    Downloader,
    Downloaders,
    Transfer,
)
from capabilities.download.submission import give_back
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.owing import IMPORT, owe
from capabilities.rules.outside_text import cleaned
from ledger.ledger import Ledger
from ledger.stores import decisions, downloads, events, tasks
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.stores.downloads import DownloadRow
from ledger.stores.tasks import TaskRow
from ledger.writer import Transaction
from server.background.results import Done, Result, Wait

POLL_S = 60.0
AWAY_S = 30.0
OWNER_S = 60.0
OVER = (ClientState.FAILED, ClientState.REMOVED)
URGENT = (ClientState.FAILED, ClientState.MISSING_FILES, ClientState.STALLED)


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
        except (WorldFaultError, LookupError):
            return Wait(AWAY_S)
        if found is None:
            return await self._lost(row)
        row, transfer = found
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

    async def note(self, client: Downloader) -> None:
        """Write what a client reports now of all we wait for, and wake whose task should look."""
        rows = await self._ledger.read(downloads.listing)
        waiting = [row for row in rows if row.client == client.name and row.completed_at is None]
        if not waiting:
            return
        # A magnet's other hash comes later, and then it is the one to file the torrent under.
        seen = {
            name: transfer
            for transfer in await client.transfers()
            for name in transfer.hashes.names()
        }

        def write(tx: Transaction) -> None:
            for earlier in waiting:
                transfer = seen.get(earlier.info_hash)
                row = downloads.by_id(tx.conn, earlier.id)
                if row is None or row.completed_at is not None:
                    continue  # it went on while the client was asked
                if transfer is not None and row.state not in OVER:
                    _reading(tx, row, transfer, self._ledger.now())
                    if transfer.complete or transfer.state in URGENT:
                        self._wake(tx, row)

        await self._ledger.write(write)

    def _wake(self, tx: Transaction, row: DownloadRow) -> None:
        for task in tasks.of_subject(tx.conn, row.id):
            self._ledger.engine.wake(tx, "task", task.id)

    async def _arrived(self, row: DownloadRow, transfer: Transfer) -> Result:
        def write(tx: Transaction) -> None:
            at = self._ledger.now()
            _reading(tx, row, transfer, at)
            downloads.change(tx, row.id, state="completed", completed_at=at)
            _solved(tx, row, at)
            title = cleaned(row.name)
            events.append(tx, "download_completed", {"title": title}, at, run=row.run)
            owe(tx, self._ledger, IMPORT, row.id)

        await self._ledger.write(write)
        return Done("every wanted byte has passed its hash")

    async def _under_way(self, row: DownloadRow, transfer: Transfer) -> Result:
        trouble = _trouble(row, transfer)

        def write(tx: Transaction) -> None:
            at = self._ledger.now()
            _reading(tx, row, transfer, at)
            if trouble is None:
                _solved(tx, row, at)
            else:
                decisions.raise_(tx, trouble, at)
            if transfer.state is ClientState.FAILED:
                self._over(tx, row)

        await self._ledger.write(write)
        if transfer.state is ClientState.FAILED:
            return Done("the client gave it up")
        return Wait(POLL_S if trouble is None else OWNER_S)

    async def _lost(self, row: DownloadRow) -> Result:
        def write(tx: Transaction) -> None:
            at = self._ledger.now()
            sentence = f"{row.client} no longer has it."
            downloads.change(
                tx, row.id, state=ClientState.REMOVED, last_error=sentence, updated_at=at
            )
            decisions.raise_(tx, _decision(row, DecisionKind.DOWNLOAD_FAILED, sentence), at)
            self._over(tx, row)

        await self._ledger.write(write)
        return Done("it was removed from its client")

    def _over(self, tx: Transaction, row: DownloadRow) -> None:
        """Nothing comes of it any more: its slots are wanted again, and its run learns of it."""
        give_back(tx, row)
        if row.run is not None:
            self._ledger.engine.wake(tx, "run", row.run)


def _reading(tx: Transaction, row: DownloadRow, transfer: Transfer, at: datetime) -> None:
    downloads.change(
        tx,
        row.id,
        state=transfer.state.value,
        done=transfer.done_bytes,
        size=transfer.wanted_bytes or row.size,
        facts={"rate": transfer.down_rate, "peers": transfer.peers},
        last_error=transfer.error,
        updated_at=at,
    )


def _trouble(row: DownloadRow, transfer: Transfer) -> NewDecision | None:
    match transfer.state:
        case ClientState.FAILED:
            sentence = transfer.error or "The client reports an error."
            return _decision(row, DecisionKind.DOWNLOAD_FAILED, sentence)
        case ClientState.MISSING_FILES:
            sentence = "Files that had been downloaded are gone; it is held until you decide."
            return _decision(row, DecisionKind.DOWNLOAD_FAILED, sentence)
        case ClientState.STALLED:
            sentence = "No peers and no progress; nothing else is tried without you."
            return _decision(row, DecisionKind.DOWNLOAD_STALLED, sentence)
        case _:
            return None


def _decision(row: DownloadRow, kind: DecisionKind, sentence: str) -> NewDecision:
    return NewDecision(
        kind,
        f"{kind}:{row.id}",
        f"{cleaned(row.name)}: {sentence}",
        Severity.HIGH,
        evidence={"title": cleaned(row.name), "client": row.client, "sentence": sentence},
        options=offered(Option.RE_EVALUATE, Option.DISMISS),
        lasting=True,
        run=row.run,
        subject=row.id,
    )


def _solved(tx: Transaction, row: DownloadRow, at: datetime) -> None:
    for kind in (DecisionKind.DOWNLOAD_STALLED, DecisionKind.DOWNLOAD_FAILED):
        decisions.close_for(
            tx, f"{kind}:{row.id}", by="system:track", resolution="it goes on", at=at
        )
