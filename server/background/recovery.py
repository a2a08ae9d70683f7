"""After a start: take up what earlier processes of this home left, looking before acting."""

from dataclasses import dataclass

import anyio
import structlog

from capabilities.kernel.registry import Registry
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.stores import claims
from ledger.stores.claims import ClaimState

AGAIN_S = 60.0

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a start found left over.

    Attributes:
        disowned: claims of dead processes, made unknown.
        settled: unknown claims that a look at the world settled.
        resumed: segments that the engine took up again.
    """

    disowned: int
    settled: int
    resumed: int


async def recover(ledger: Ledger, registry: Registry, disowned: int) -> Recovered:
    """For a process that holds the home's lock and has disowned the claims of dead ones.

    Claims come first, work second: a segment that is resumed finds its effects already settled.
    """
    settled = await look_at_unknown(ledger, registry)
    resumed = await ledger.engine.recover()
    return Recovered(disowned, settled, len(resumed))


async def look_at_unknown(ledger: Ledger, registry: Registry) -> int:
    """Probe every claim of unknown outcome; returns how many are known now."""
    await registry.give_up_unsettled()
    unknown = await ledger.read(lambda conn: claims.in_state(conn, ClaimState.UNKNOWN))
    for claim in unknown:
        await registry.reconcile(claim)
    left = await ledger.read(lambda conn: claims.in_state(conn, ClaimState.UNKNOWN))
    return len(unknown) - len(left)


async def keep_looking(ledger: Ledger, registry: Registry) -> None:
    """Look again at what is unknown, a minute apart, until cancelled."""
    while True:
        await anyio.sleep(AGAIN_S)
        try:
            await look_at_unknown(ledger, registry)
        except LedgerUnavailableError as fault:
            log.warning("unknown claims could not be looked at", why=str(fault))
