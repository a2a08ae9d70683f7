"""Beginning to work: at once, or once the client that runs in one process only is here."""

import anyio
import structlog

from capabilities.adapters.downloader.in_one_place import InOnePlace
from capabilities.kernel.registry import Registry
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from server.background.recovery import NOTHING, Recovered, recover

AGAIN_S = 2.0

log = structlog.get_logger()


async def begin(
    ledger: Ledger, registry: Registry, client: InOnePlace | None, *, disowned: int
) -> Recovered:
    """Work at runs and tasks from now on, unless the download client works elsewhere.

    Work that needs the client would fail here, so such a process stands by: `stand_by` goes on.
    """
    if client is not None and not client.is_here:
        log.warning("this process stands by", client=client.name)
        return NOTHING
    await ledger.engine.launch()
    return await recover(ledger, registry, disowned)


async def stand_by(ledger: Ledger, registry: Registry, client: InOnePlace) -> None:
    """Begin to work when the client comes, which it does when its process died."""
    await client.arrival()
    log.warning("this process takes over", client=client.name)
    while True:
        try:
            await begin(ledger, registry, client, disowned=0)
        except LedgerUnavailableError as fault:
            log.warning("work could not be taken over yet", why=str(fault))
            await anyio.sleep(AGAIN_S)
        else:
            return
