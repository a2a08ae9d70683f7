"""The identity policy that is in force."""

from capabilities.kernel.context import Context
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.usable_policy import usable_identity
from ledger.stores import policies


async def published_policy(context: Context) -> IdentityPolicy:
    """The published identity policy; the first version's where there is none.

    Raises:
        HaltError: precondition; the one that is published cannot be used.
    """
    row = await context.ledger.read(lambda conn: policies.published(conn, "identity"))
    return usable_identity(row)
