"""What releases of a work are judged by: the policies in force, and what is there of it."""

from dataclasses import dataclass

from capabilities.kernel.context import Context
from capabilities.release.policies_in_force import Policies, policies_in_force
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.standing import Around
from capabilities.rules.stored import work_from
from capabilities.rules.surroundings import surroundings
from capabilities.rules.targets import Target
from capabilities.rules.under_way import ACTIVE
from capabilities.rules.works import Work
from ledger.database import Snapshot
from ledger.stores import blocklist, copies, shelf, works


@dataclass(frozen=True, slots=True)
class Standard:
    """What a release is judged by.

    Attributes:
        version: of the acquisition policy.
        work: what the release is for, None where nobody knows or asked.
        around: what is there of the work, and what is blocked for it.
        on_shelf: targets of the work that stand on the shelf, wherever they came from.
    """

    version: int
    policy: AcquisitionPolicy
    identity: IdentityPolicy
    work: Work | None
    around: Around
    on_shelf: frozenset[Target] = frozenset()


async def standard(work_id: str | None, context: Context) -> Standard | None:
    """The policies in force, and what is around a work; None where no policy is published.

    Raises:
        HaltError: refused; a published policy cannot be used.
    """
    held = await policies_in_force(context)
    if held is None:
        return None
    return await context.ledger.read(lambda conn: _standard(conn, work_id, held))


def _standard(conn: Snapshot, work_id: str | None, held: Policies) -> Standard:
    policy, identity = held.acquisition, held.identity
    known = None if work_id is None else works.by_id(conn, work_id)
    blocked = blocklist.standing(conn, None if known is None else known.id)
    if known is None:
        around = surroundings((), blocked, policy, None, identity.words)
        return Standard(held.version, policy, identity, None, around)
    work, filled = work_from(known.body), copies.copies(conn, known.id, ACTIVE)
    around = surroundings(filled, blocked, policy, work, identity.words)
    satisfied = {
        (slot.season, slot.episode)
        for slot in shelf.slots(conn, work=known.id)
        if slot.state == copies.SATISFIED
    }
    return Standard(
        held.version, policy, identity, work, around, frozenset({*satisfied, *around.held})
    )
