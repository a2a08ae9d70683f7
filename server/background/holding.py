"""Giving the embedded download client to one process, and to another one when that died."""

import anyio
import structlog
from anyio.abc import TaskStatus

from capabilities.adapters.downloader.in_one_place import NOWHERE, InOnePlace
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
    name = f"downloader:{client.name}"
    told = False
    while True:
        fence = await _acquired(ledger, client, name)
        if fence is not None:
            async with client.here():
                if not told:
                    task_status.started()
                    told = True
                await _until_taken(ledger, name, fence, look_s)
            log.warning("the download client went to another process", client=client.name)
        elif not told:
            task_status.started()
            told = True
        await anyio.sleep(look_s)


async def _acquired(ledger: Ledger, client: InOnePlace, name: str) -> int | None:
    def take(tx: Transaction) -> tuple[int | None, str]:
        fence = leases.acquire(tx, name, ledger.worker, ledger.now())
        return fence, NOWHERE if fence is not None else _whereabouts(tx, name)

    try:
        fence, whereabouts = await ledger.write(take)
    except LedgerUnavailableError as fault:
        log.warning("the lease of the download client could not be asked for", why=str(fault))
        return None
    client.runs_elsewhere(whereabouts)
    return fence


def _whereabouts(tx: Transaction, name: str) -> str:
    holder = leases.holder_of(tx.conn, name)
    found = None if holder is None else workers.by_id(tx.conn, holder)
    return NOWHERE if found is None else f"that is {found.id} on {found.host}"


async def _until_taken(ledger: Ledger, name: str, fence: int, look_s: float) -> None:
    while True:
        await anyio.sleep(look_s)
        try:
            if not await ledger.read(lambda conn: leases.holds(conn, name, ledger.worker, fence)):
                return
        except LedgerUnavailableError:
            continue
