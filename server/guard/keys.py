"""Clients' keys: random, shown once, stored as hashes, scoped, expiring, revocable."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from capabilities.kernel.actors import Actor, client
from capabilities.kernel.codes import Code
from ledger.clock import new_token
from ledger.ledger import Ledger
from ledger.stores import access, audit
from ledger.stores.access import LOCAL_KEY, Key
from ledger.writer import Transaction
from server.guard.faults import DoorError, NotSignedInError
from server.guard.scopes import LOCAL_SCOPES

KEY_PREFIX = "matinee_"
USE_NOTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key as its maker sees it, once."""

    id: str
    name: str
    scopes: tuple[str, ...]
    expires_at: datetime
    secret: str = field(repr=False)


def ensure_local_key(tx: Transaction, at: datetime) -> None:
    """Make the built-in key of the local Unix socket, once; revoked, it stays revoked.

    One that an earlier version made carries from now on what this one gives it.
    """
    key = access.key_by_id(tx.conn, LOCAL_KEY)
    if key is None:
        access.add_key(
            tx, id_=LOCAL_KEY, name="this computer", secret=None, scopes=LOCAL_SCOPES, at=at
        )
    elif key.scopes != list(LOCAL_SCOPES):
        access.set_scopes(tx, LOCAL_KEY, LOCAL_SCOPES)
        summary = {"key": LOCAL_KEY, "scopes": list(LOCAL_SCOPES)}
        audit.write(tx, audit.Entry(at, "system:start", "key changed", summary=summary))


class Keys:
    """The keys of one home."""

    def __init__(self, ledger: Ledger, scopes: Mapping[str, str]) -> None:
        """Take the ledger and the scopes that there are."""
        self._ledger = ledger
        self.scopes = scopes

    async def create(self, by: Actor, name: str, scopes: Sequence[str], lasts: timedelta) -> NewKey:
        """Make a key; its secret is in the answer and nowhere else.

        Raises:
            DoorError: invalid input, naming a scope that does not exist.
        """
        for scope in scopes:
            if scope not in self.scopes:
                raise _unknown_scope(scope, self.scopes)
        carried = tuple(dict.fromkeys(scopes))
        secret = f"{KEY_PREFIX}{new_token()}"
        at = self._ledger.now()

        def make(tx: Transaction) -> str:
            id_ = access.add_key(
                tx, name=name, secret=secret, scopes=carried, at=at, expires_at=at + lasts
            )
            summary = {"key": id_, "name": name, "scopes": list(carried)}
            audit.write(tx, audit.Entry(at, str(by), "key created", summary=summary))
            return id_

        id_ = await self._ledger.write(make)
        return NewKey(id_, name, carried, at + lasts, secret)

    async def all(self) -> list[Key]:
        """All keys, newest first, without their secrets."""
        return await self._ledger.read(access.keys)

    async def revoke(self, by: Actor, id_: str) -> bool:
        """Revoke for ever; false when there is no such living key."""
        at = self._ledger.now()

        def end(tx: Transaction) -> bool:
            done = access.revoke_key(tx, id_, at)
            if done:
                entry = audit.Entry(at, str(by), "key revoked", summary={"key": id_})
                audit.write(tx, entry)
            return done

        return await self._ledger.write(end)

    async def bearer(self, authorization: str) -> Actor:
        """The client behind an ``Authorization`` header (RFC 6750).

        Raises:
            NotSignedInError: it is no usable key; unknown, revoked and expired answer alike.
        """
        scheme, _, secret = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise NotSignedInError("Send the key as `Authorization: Bearer …`.")
        key = await self._ledger.read(lambda conn: access.key_by_secret(conn, secret.strip()))
        return await self._admitted(key, "That key is not valid here: unknown, expired or revoked.")

    async def local(self) -> Actor:
        """The built-in key of whoever came through the local Unix socket.

        Raises:
            NotSignedInError: the owner revoked it.
        """
        key = await self._ledger.read(lambda conn: access.key_by_id(conn, LOCAL_KEY))
        return await self._admitted(
            key, "The built-in key of this computer is revoked. Set MATINEE_KEY to a key."
        )

    async def _admitted(self, key: Key | None, otherwise: str) -> Actor:
        at = self._ledger.now()
        if key is None or not key.usable(at):
            raise NotSignedInError(otherwise)
        if key.last_used_at is None or at - key.last_used_at >= USE_NOTED_EVERY:
            await self._ledger.write(lambda tx: access.touch_key(tx, key.id, at))
        return client(key.id, frozenset(key.scopes))


def _unknown_scope(scope: str, known: Mapping[str, str]) -> DoorError:
    near = difflib.get_close_matches(scope, known, n=1)
    hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(known)}."
    return DoorError(Code.INVALID_INPUT, f"There is no scope {scope[:80]!r}. {hint}")
