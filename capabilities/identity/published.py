"""The identity policy that is in force."""

from capabilities.kernel.context import Context
from capabilities.rules.policy import IdentityPolicy
from capabilities.rules.policy_json import identity_in_force
from ledger.stores import policies


async def published_policy(context: Context) -> IdentityPolicy:
    """The published identity policy; the first version's where there is none."""
    row = await context.ledger.read(lambda conn: policies.published(conn, "identity"))
    return identity_in_force(None if row is None else row.body)
