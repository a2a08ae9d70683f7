"""Two submissions for one slot at the same moment: the one that was claimed first goes on."""

from collections.abc import Iterator

from capabilities.download.acquisition import Acquisition, acquisition
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError
from ledger.database import Snapshot
from ledger.stores import claims, plans, shelf
from ledger.stores.claims import Claim, ClaimState

NOT_SETTLED = (ClaimState.RUNNING, ClaimState.UNKNOWN)


async def refuse_overtaken(wanted: Acquisition, context: Context) -> None:
    """Let only one of several claims for the same slots touch the world.

    Raises:
        HaltError: failed and may be tried again; another one came first, and nothing was done.
    """
    if await context.ledger.read(lambda conn: _overtaken(conn, wanted, context.invocation)):
        raise HaltError(
            Failed(
                Code.CONFLICT,
                f"Another download for {wanted.work_title} was submitted a moment before.",
                "Nothing was done. Follow the other one with download__list.",
                retry=True,
            )
        )


def slots_unchanged(conn: Snapshot, wanted: Acquisition) -> bool:
    """Whether every slot still has the revision that it had when the plan was made."""
    for slot in wanted.slots:
        now = shelf.slot_for(conn, wanted.work, slot.season, slot.episode)
        if (0 if now is None else now.revision) != slot.revision:
            return False
    return True


def _overtaken(conn: Snapshot, wanted: Acquisition, invocation: str | None) -> bool:
    mine = None if invocation is None else claims.by_id(conn, invocation)
    if mine is None or not slots_unchanged(conn, wanted):
        return True
    slots = _slots(wanted)
    return any(rival.work == wanted.work and slots & _slots(rival) for rival in _before(conn, mine))


def _before(conn: Snapshot, mine: Claim) -> Iterator[Acquisition]:
    """What submissions that were claimed earlier, and are not settled, are for."""
    for state in NOT_SETTLED:
        for claim in claims.in_state(conn, state):
            earlier = (claim.claimed_at, claim.id) < (mine.claimed_at, mine.id)
            plan = plans.by_id(conn, claim.plan) if claim.plan is not None else None
            if claim.capability == mine.capability and earlier and plan is not None:
                yield acquisition(plan)


def _slots(wanted: Acquisition) -> set[tuple[int, int]]:
    return {(slot.season, slot.episode) for slot in wanted.slots}
