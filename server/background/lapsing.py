"""Ending what the owner was asked and nobody decided, or decided and nobody used, in time."""

import anyio
import structlog

from capabilities.kernel.deciding import lapse_overdue
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger

AGAIN_S = 60.0

log = structlog.get_logger()


async def keep_lapsing(ledger: Ledger, again_s: float = AGAIN_S) -> None:
    """Let approvals lapse when their time is over, ``again_s`` seconds apart, until cancelled.

    An approval that is late to lapse allows nothing meanwhile: whoever acts looks at its time.
    """
    while True:
        try:
            await lapse_overdue(ledger)
        except LedgerUnavailableError as fault:
            log.warning("approvals could not be looked at", why=str(fault))
        await anyio.sleep(again_s)
