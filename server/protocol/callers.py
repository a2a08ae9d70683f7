"""Who is at the other end of a connection, looked up anew at every call.

A key that is revoked or expires stops working at once, also on connections that are open.
"""

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from capabilities.kernel.actors import Actor, client
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.stores import access
from ledger.stores.access import LOCAL_KEY

USE_NOTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Caller:
    """What a request carries from its transport to its handler.

    Attributes:
        key: the id of the key the connection came with.
        connection: unique; together with a JSON-RPC id it names one call.
    """

    key: str
    connection: str


class Callers:
    """The keys of one ledger, as far as doors need them.

    Every method raises LedgerUnavailableError when the ledger cannot be read.
    """

    def __init__(self, ledger: Ledger) -> None:
        """Look keys up in ``ledger``."""
        self._ledger = ledger

    async def key_of(self, secret: str | None) -> str | None:
        """The id of the usable key with this secret (None: the built-in local key), or None."""
        key = await self._ledger.read(
            lambda conn: (
                access.key_by_id(conn, LOCAL_KEY)
                if secret is None
                else access.key_by_secret(conn, secret)
            )
        )
        return key.id if key is not None and key.usable(self._ledger.now()) else None

    async def actor(self, caller: Caller) -> Actor | None:
        """The actor behind a caller, or None when its key is no longer valid."""
        key = await self._ledger.read(lambda conn: access.key_by_id(conn, caller.key))
        now = self._ledger.now()
        if key is None or not key.usable(now):
            return None
        if key.last_used_at is None or now - key.last_used_at >= USE_NOTED_EVERY:
            with suppress(LedgerUnavailableError):
                await self._ledger.write(lambda tx: access.touch_key(tx, key.id, now))
        return client(key.id, frozenset(key.scopes))
