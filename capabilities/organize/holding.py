"""Whether the claim under which files are placed is still this attempt's.

A process that was stopped while another one took its claim over wakes up in the middle of its
work. Every step that it writes down goes through here first, so it ends at the next one.
"""

from capabilities.kernel.context import Context
from capabilities.kernel.faults import LostAnswerError
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import claims
from ledger.stores.claims import ClaimState, Held


async def held_by(context: Context) -> Held | None:
    """The claim of this call as it is held now; None for a call by hand, which has none.

    Raises:
        LostAnswerError: somebody else has it already.
    """
    id_ = context.invocation
    if id_ is None:
        return None
    claim = await context.ledger.read(lambda conn: claims.by_id(conn, id_))
    if (
        claim is None
        or claim.state is not ClaimState.RUNNING
        or claim.worker != context.ledger.worker
    ):
        raise overtaken()
    return Held(claim.id, claim.token)


def holds(conn: Snapshot, held: Held | None) -> bool:
    """Whether nobody else has the claim by now; true for a call without one."""
    if held is None:
        return True
    claim = claims.by_id(conn, held.id)
    return claim is not None and claim.token == held.token


async def confirm(ledger: Ledger, held: Held | None) -> None:
    """Raise `LostAnswerError` unless the claim is still held."""
    if not await ledger.read(lambda conn: holds(conn, held)):
        raise overtaken()


def overtaken() -> LostAnswerError:
    """What ends an attempt whose claim somebody else has: that one says how it ends."""
    return LostAnswerError(
        "the library", "Another attempt took over, so this one stopped. That one goes on from here."
    )
