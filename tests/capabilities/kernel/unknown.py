"""Acts of which nobody knows yet whether they happened."""

from capabilities.kernel.context import Context
from capabilities.kernel.faults import LostAnswerError
from capabilities.kernel.outcomes import AnyOutcome
from ledger.stores import decisions
from ledger.stores.claims import Claim, ClaimState
from ledger.stores.decisions import Decision
from tests.capabilities.kernel.lamps import Given, House


async def left_unknown(here: House, *, lit: bool, **changed: object) -> Claim:
    """A call whose answer was lost, after the lamp was lit or not."""

    async def lose(given: Given, _context: Context) -> AnyOutcome:
        if lit:
            here.lamps.lit.append(given.name)
        raise LostAnswerError("the fuse box", "It hung up.")

    here.lamps.act = lose
    await here.light(**{"request": "one", **changed})  # pyright: ignore[reportArgumentType]  # parts of a call
    here.lamps.act = None
    claim = await here.claim()
    assert claim.state == ClaimState.UNKNOWN
    return claim


async def decision_about(here: House, claim: Claim) -> Decision | None:
    """What the owner is asked about it now, if anything."""
    return await here.ledger.read(lambda conn: decisions.open_for(conn, f"unknown:{claim.id}"))
