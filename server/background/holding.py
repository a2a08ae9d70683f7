"""Giving the embedded download client to one process, and to another one when that died."""

from collections.abc import Callable
from dataclasses import dataclass, field

import anyio
import structlog
from anyio.abc import TaskStatus

from capabilities.adapters.downloader.in_one_place import NOWHERE, InOnePlace
from ledger.database import Snapshot
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.stores import leases, workers
from ledger.writer import Transaction

LOOK_S = 5.0

log = structlog.get_logger()


async def hold(
    ledger: Ledger,
    client: InOnePlace,
    *,
    look_s: float = LOOK_S,
    task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED,
) -> None:
    """Run ``client`` here whenever its lease can be had, until cancelled.

    Started once it is known whether it runs here or elsewhere. While it runs elsewhere, the
    lease is asked for again every ``look_s`` seconds; while it runs here, it is asked at the same
    pace whether the lease is still ours. A ledger that cannot be asked changes nothing.
    """
    told = False

    def tell() -> None:
        nonlocal told
        if not told:
            task_status.started()
        told = True

    while True:
        fence = await _acquired(ledger, client)
        if fence is not None:
            lease = _Lease(ledger, client, fence, look_s)
            await lease.run(tell)
            log.warning("the download client went to another process", client=client.name)
        tell()
        await anyio.sleep(look_s)


async def follow(ledger: Ledger, client: InOnePlace, *, look_s: float = LOOK_S) -> None:
    """Know where ``client`` runs, in a process that never runs it itself, until cancelled."""
    while True:
        try:
            client.runs_elsewhere(await ledger.read(lambda conn: _whereabouts(conn, _name(client))))
        except LedgerUnavailableError:
            client.runs_elsewhere(NOWHERE)
        await anyio.sleep(look_s)


@dataclass(slots=True)
class _Lease:
    """A client that runs here for as long as its lease is surely ours.

    On a server others may bury this process while the ledger cannot be asked; the client then
    stops before they can have begun it, by our own monotonic clock.
    """

    ledger: Ledger
    client: InOnePlace
    fence: int
    look_s: float
    sure_at: float = 0.0
    gone: anyio.Event = field(default_factory=anyio.Event)

    async def run(self, tell: Callable[[], None]) -> None:
        """Run the client until the lease is lost, or no longer sure."""
        self.sure_at = self.ledger.clock.monotonic()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._ask)
            async with self.client.here():
                tell()
                while not self.gone.is_set() and self._is_sure():
                    with anyio.move_on_after(self.look_s):
                        await self.gone.wait()
            tasks.cancel_scope.cancel()

    def _is_sure(self) -> bool:
        if self.ledger.database.location.dialect == "sqlite":
            return True  # nobody else can be at work on a file
        pace = self.ledger.engine.pace
        unasked = self.ledger.clock.monotonic() - self.sure_at
        return unasked < pace.lease_s - pace.beat_s

    async def _ask(self) -> None:
        name, me = _name(self.client), self.ledger.worker
        while True:
            await anyio.sleep(self.look_s)
            asked_at = self.ledger.clock.monotonic()
            try:
                ours = await self.ledger.read(lambda conn: leases.holds(conn, name, me, self.fence))
            except LedgerUnavailableError:
                continue
            if not ours:
                self.gone.set()
                return
            self.sure_at = asked_at


def _name(client: InOnePlace) -> str:
    return f"downloader:{client.name}"


async def _acquired(ledger: Ledger, client: InOnePlace) -> int | None:
    name = _name(client)

    def take(tx: Transaction) -> tuple[int | None, str]:
        fence = leases.acquire(tx, name, ledger.worker, ledger.now())
        return fence, NOWHERE if fence is not None else _whereabouts(tx.conn, name)

    try:
        fence, whereabouts = await ledger.write(take)
    except LedgerUnavailableError as fault:
        log.warning("the lease of the download client could not be asked for", why=str(fault))
        return None
    client.runs_elsewhere(whereabouts)
    return fence


def _whereabouts(conn: Snapshot, name: str) -> str:
    holder = leases.holder_of(conn, name)
    found = None if holder is None else workers.by_id(conn, holder)
    return NOWHERE if found is None else f"that is {found.id} on {found.host}"
