"""The policies that releases are judged by, as they are published now."""

from dataclasses import dataclass

from anyio import to_thread

from capabilities.kernel.context import Context
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.usable_policy import usable, usable_identity
from ledger.database import Snapshot
from ledger.stores import policies
from ledger.stores.policies import PolicyRow


@dataclass(frozen=True, slots=True)
class Policies:
    """What is published; ``version`` is that of the acquisition policy."""

    version: int
    acquisition: AcquisitionPolicy
    identity: IdentityPolicy


async def policies_in_force(context: Context) -> Policies | None:
    """The published policies; None where no acquisition policy is.

    A home without an identity policy has that of a new one.

    Raises:
        HaltError: refused; one that is published cannot be used, and which one is said.
    """
    taken, identity = await context.ledger.read(_published)
    if taken is None:
        return None
    # Checking the owner's expressions takes a while, which everybody else would wait for.
    acquisition = await to_thread.run_sync(usable, AcquisitionPolicy, taken.body)
    read = usable_identity(identity)
    return Policies(taken.version, acquisition, read)


def _published(conn: Snapshot) -> tuple[PolicyRow | None, PolicyRow | None]:
    return policies.published(conn, "acquisition"), policies.published(conn, "identity")
