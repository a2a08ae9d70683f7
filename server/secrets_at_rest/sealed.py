"""The sealed secrets of one home: set, listed, removed and sealed anew; never given back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

import anyio
import anyio.to_thread
import structlog

from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from ledger.ledger import Ledger
from ledger.sealing import SealBrokenError, Sealed, SealingKey
from ledger.stores import audit, sealed_secrets
from ledger.stores.sealed_secrets import SealedSecret
from ledger.writer import Transaction
from server.guard.faults import DoorError
from server.secrets_at_rest.keys import OLD_VARIABLE, VARIABLE, Openers, SealingKeys
from server.secrets_at_rest.names import with_sealed
from server.secrets_at_rest.slots import SealingKeyError
from server.settings import Settings

T = TypeVar("T")

UNOPENED = "Its key is sealed, and the key that opens it (secret.key) is not here or not whole."
"""What is said for a system whose secret does not open."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SecretState:
    """A secret as anybody may see it; `trouble` says why it cannot be opened, if it cannot."""

    name: str
    set_at: datetime
    trouble: str | None


@dataclass(frozen=True, slots=True)
class Opened:
    """What opens, for the adapters alone, and why the rest does not, by name."""

    values: Mapping[str, str] = field(repr=False)
    troubles: Mapping[str, str]


class SealedSecrets:
    """The secrets in the ledger of one home, and the keys beside it.

    Attributes:
        shut: the names that did not open when settings were filled, so that whoever needs one goes
            without for as long as this process lives.
    """

    def __init__(self, ledger: Ledger, keys: SealingKeys) -> None:
        """Build on an opened ledger; no key is read or made yet."""
        self._ledger = ledger
        self._keys = keys
        self._sealing = anyio.Lock()
        self.shut: frozenset[str] = frozenset()

    async def put(self, by: Actor, name: str, value: str) -> None:
        """Seal a secret; one of the same name is replaced.

        Raises:
            DoorError: no key can be had (precondition).
        """
        async with self._sealing:
            key = await self._key(self._keys.sealer)
            sealed, at = key.seal(name, value), self._ledger.now()

            def write(tx: Transaction) -> None:
                sealed_secrets.put(tx, name, sealed, at)
                self._note(tx, by, "secret set", name)

            await self._ledger.write(write)

    async def remove(self, by: Actor, name: str) -> bool:
        """Forget a secret; false when there is none of this name."""

        def write(tx: Transaction) -> bool:
            done = sealed_secrets.remove(tx, name)
            if done:
                self._note(tx, by, "secret removed", name)
            return done

        return await self._ledger.write(write)

    async def all(self) -> list[SecretState]:
        """All secrets by name, without their values."""
        rows = await self._ledger.read(sealed_secrets.all_of)
        opened = await self._opened(rows)
        return [SecretState(r.name, r.set_at, opened.troubles.get(r.name)) for r in rows]

    async def opened(self) -> Opened:
        """The values, for those who act with them and those who must not show them."""
        return await self._opened(await self._ledger.read(sealed_secrets.all_of))

    async def unopened(self) -> list[str]:
        """The names of what did not open at the start, or does not now, in order."""
        opened = await self.opened()
        return sorted(self.shut | opened.troubles.keys())

    async def key_texts(self) -> set[str]:
        """The sealing keys as they are kept, for those who must not show them."""
        openers = await anyio.to_thread.run_sync(self._keys.openers)
        return {key.text for key in openers.keys.values()}

    async def filled(self, settings: Settings) -> Settings:
        """The settings with the sealed secrets in the places that they leave open."""
        opened = await self.opened()
        for name, trouble in opened.troubles.items():
            log.warning("a secret cannot be opened", name=name, why=trouble)
        self.shut = frozenset(opened.troubles)
        return with_sealed(settings, opened.values)

    async def reseal(self, by: Actor) -> list[str]:
        """Seal everything with a new key, in one transaction; the names.

        Whatever interrupts it, everything opens: the new key is kept before anything is sealed
        with it, the old one until the next time.

        Raises:
            DoorError: nothing is sealed, something does not open (nothing was changed), or the
                key is one that only the owner can change (precondition).
        """
        async with self._sealing:
            names = [row.name for row in await self._ledger.read(sealed_secrets.all_of)]
            if not names:
                raise DoorError(Code.PRECONDITION, "No secret is sealed, so no key is in use.")
            successor = await self._key(self._keys.successor)
            openers = await anyio.to_thread.run_sync(self._keys.openers)
            changed = await self._ledger.write(lambda tx: self._reseal(tx, by, successor, openers))
            if not changed and self._keys.only_owner_changes:
                raise _already_current()
            await self._key(self._keys.adopt)
        return names

    def _reseal(self, tx: Transaction, by: Actor, key: SealingKey, openers: Openers) -> list[str]:
        def anew(row: SealedSecret) -> Sealed | None:
            if row.key_id == key.id:
                return None
            try:
                return key.seal(row.name, _open(row, openers))
            except SealingKeyError as trouble:
                raise DoorError(Code.PRECONDITION, f"{trouble} Nothing was changed.") from trouble

        names = sealed_secrets.reseal(tx, anew)
        if names:
            self._note(tx, by, "secrets sealed anew", *names)
        return names

    async def _opened(self, rows: list[SealedSecret]) -> Opened:
        if not rows:
            return Opened({}, {})
        openers = await anyio.to_thread.run_sync(self._keys.openers)
        values: dict[str, str] = {}
        troubles: dict[str, str] = {}
        for row in rows:
            try:
                values[row.name] = _open(row, openers)
            except SealingKeyError as trouble:
                troubles[row.name] = str(trouble)
        return Opened(values, troubles)

    async def _key(self, ask: Callable[[], T]) -> T:
        try:
            return await anyio.to_thread.run_sync(ask)
        except SealingKeyError as trouble:
            raise DoorError(Code.PRECONDITION, str(trouble)) from trouble

    def _note(self, tx: Transaction, by: Actor, action: str, *names: str) -> None:
        summary = {"secrets": list(names)}
        audit.write(tx, audit.Entry(self._ledger.now(), str(by), action, summary=summary))


def _already_current() -> DoorError:
    return DoorError(
        Code.PRECONDITION,
        f"Everything is sealed with the key of {VARIABLE} already. For another one, put it there "
        f"and this one into {OLD_VARIABLE}, start the server anew, and repeat this.",
    )


def _open(row: SealedSecret, openers: Openers) -> str:
    key = openers.keys.get(row.key_id)
    if key is None:
        why = openers.troubles[0] if openers.troubles else _GONE
        raise SealingKeyError(f"The secret {row.name!r} does not open: {why}")
    try:
        return key.open(row.name, row.seal)
    except SealBrokenError as broken:
        raise SealingKeyError(
            f"The secret {row.name!r} does not open: what is stored was changed. Set it anew."
        ) from broken


_GONE = (
    "the key that sealed it is not here. Put it back where it was (secret.key in the home, the "
    f"keyring, or {VARIABLE}), or set the secret anew."
)
