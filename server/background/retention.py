"""Forgetting, once a day, what nobody needs any more. Audit rows and events are kept."""

from dataclasses import dataclass
from datetime import timedelta
from functools import partial

import anyio
import structlog
from anyio.lowlevel import checkpoint

from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.stores.forgetting import forget_claims

EVERY_S = 86_400.0
BATCH = 500
ENGINE_DAYS = 7
"""How long the engine's own rows are kept; they tell nothing that ours do not."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many rows went."""

    claims: int
    engine: int


async def forget_old(ledger: Ledger, days: int) -> Forgotten:
    """Delete claims of background work that ended ``days`` days ago, and engine rows that are over.

    With 0 days no claim goes by age. Claims of runs that are gone go in any case; what is running
    or unknown stays in any case. In small batches, so that nobody waits long.

    Raises:
        LedgerUnavailableError: what is left is deleted the next time.
    """
    at = ledger.now()
    before = None if days == 0 else at - timedelta(days=days)
    claims = 0
    while gone := await ledger.write(partial(forget_claims, before=before, limit=BATCH)):
        claims += gone
        await checkpoint()
    engine = await ledger.engine.forget(at - timedelta(days=ENGINE_DAYS))
    return Forgotten(claims, engine)


async def keep_forgetting(ledger: Ledger, days: int, every_s: float = EVERY_S) -> None:
    """Forget what is old, now and every ``every_s`` seconds, until cancelled."""
    while True:
        try:
            gone = await forget_old(ledger, days)
        except LedgerUnavailableError as fault:
            log.warning("old rows could not be deleted", why=str(fault))
        else:
            log.info("old rows were deleted", claims=gone.claims, engine=gone.engine)
        await anyio.sleep(every_s)
