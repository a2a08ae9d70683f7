"""Forgetting what nobody needs any more. Audit rows and events are kept."""

from dataclasses import dataclass
from datetime import timedelta
from functools import partial

import structlog
from anyio.lowlevel import checkpoint

from ledger.ledger import Ledger
from ledger.stores.forgetting import forget_claims

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
    log.info("old rows were deleted", claims=claims, engine=engine)
    return Forgotten(claims, engine)
