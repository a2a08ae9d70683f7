"""The keys that seal and open: from the environment, from the system's keyring, or from a file.

The first place that is configured seals, in that order; every place may open, so that secrets move
from one place to another by being sealed anew.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ledger.sealing import SealingKey
from server.secrets_at_rest.slots import FileSlots, KeyringSlots, SealingKeyError, Slot, Slots

VARIABLE = "MATINEE_SECRET_KEY"
OLD_VARIABLE = "MATINEE_SECRET_KEY_OLD"


@dataclass(frozen=True, slots=True)
class Openers:
    """What may open.

    Attributes:
        keys: by their ids.
        troubles: places that could not be looked into, as sentences.
    """

    keys: Mapping[str, SealingKey]
    troubles: tuple[str, ...] = ()


class Place(Protocol):
    """Where keys are; every method raises `SealingKeyError` where it cannot do its work."""

    def held(self) -> list[SealingKey]:
        """Every key there is here, the one that seals first."""
        ...

    def sealer(self) -> SealingKey:
        """The key that seals; made at first need."""
        ...

    def successor(self) -> SealingKey:
        """The key that everything is to be sealed with anew; kept beside the one in use."""
        ...

    def adopt(self) -> None:
        """Put the successor in the place of the key in use, once everything is sealed with it."""
        ...


class Environment:
    """A key that only the owner changes: the new one in one variable, the old one in another."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        """Take variables of which `VARIABLE` is set."""
        self._environ = environ

    def held(self) -> list[SealingKey]:
        """The key, and the old one if it is given."""
        return [_read(name, text) for name in (VARIABLE, OLD_VARIABLE) if (text := self._of(name))]

    def sealer(self) -> SealingKey:
        """The key of `VARIABLE`."""
        return self.held()[0]

    def successor(self) -> SealingKey:
        """The key of `VARIABLE`: the owner has changed it already, or nothing is to be done."""
        return self.sealer()

    def adopt(self) -> None:
        """Nothing: the environment is the owner's."""

    def _of(self, name: str) -> str | None:
        return self._environ.get(name)


class Kept:
    """Keys that Matinee makes and replaces itself.

    The key that was replaced is kept until the next time, so that a backup from before opens.
    """

    def __init__(self, slots: Slots) -> None:
        """Take the slots of one place."""
        self._slots = slots

    @property
    def in_files(self) -> bool:
        """Whether these are files of the home."""
        return isinstance(self._slots, FileSlots)

    def held(self) -> list[SealingKey]:
        """The keys of all slots."""
        found = [self._slots.read(slot) for slot in Slot]
        return [key for key in found if key is not None]

    def sealer(self) -> SealingKey:
        """The one in use."""
        return self._slots.read(Slot.CURRENT) or self._slots.begin(SealingKey.fresh())

    def successor(self) -> SealingKey:
        """A new key, or the one of an attempt that was cut short: something may be under it."""
        waiting = self._slots.read(Slot.NEXT)
        if waiting is not None:
            return waiting
        made = SealingKey.fresh()
        self._slots.write(Slot.NEXT, made)
        return made

    def adopt(self) -> None:
        """At every moment, whatever interrupts it, both keys are in some slot."""
        successor, current = self._slots.read(Slot.NEXT), self._slots.read(Slot.CURRENT)
        if successor is None:
            return
        if current is not None and current != successor:
            self._slots.write(Slot.OLD, current)
        self._slots.write(Slot.CURRENT, successor)
        self._slots.clear(Slot.NEXT)


class SealingKeys:
    """All places together; everything here blocks."""

    def __init__(self, places: Sequence[Place]) -> None:
        """Take the places, the one that seals first."""
        self._places = places

    @property
    def only_owner_changes(self) -> bool:
        """Whether the key that seals is one that Matinee cannot replace itself."""
        return isinstance(self._places[0], Environment)

    @property
    def elsewhere(self) -> str | None:
        """Where the key that seals is, as a person says it; None: in files of the home."""
        first = self._places[0]
        if isinstance(first, Environment):
            return f"the environment ({VARIABLE})"
        return None if isinstance(first, Kept) and first.in_files else "the system's keyring"

    def openers(self) -> Openers:
        """Every key that can be had; a place that cannot be looked into hides no other."""
        keys: dict[str, SealingKey] = {}
        troubles: list[str] = []
        for place in self._places:
            try:
                keys |= {key.id: key for key in place.held()}
            except SealingKeyError as trouble:
                troubles.append(str(trouble))
        return Openers(keys, tuple(troubles))

    def sealer(self) -> SealingKey:
        """The key that seals now; see `Place.sealer`."""
        return self._places[0].sealer()

    def successor(self) -> SealingKey:
        """The key to seal anew with; see `Place.successor`."""
        return self._places[0].successor()

    def adopt(self) -> None:
        """The successor is the key in use; see `Place.adopt`."""
        self._places[0].adopt()


def sealing_keys(
    home: Path, environ: Mapping[str, str] | None = None, *, keyring: bool = False
) -> SealingKeys:
    """The keys of a home.

    Args:
        home: the folder that may hold ``secret.key``.
        environ: the environment; by default that of the process.
        keyring: whether the settings ask for the system's keyring.
    """
    environment = os.environ if environ is None else environ
    places: list[Place] = [Kept(FileSlots(home))]
    if keyring:
        places.insert(0, Kept(KeyringSlots(home)))
    if environment.get(VARIABLE):
        places.insert(0, Environment(environment))
    return SealingKeys(places)


def _read(name: str, text: str) -> SealingKey:
    try:
        return SealingKey.read(text)
    except ValueError as wrong:
        raise SealingKeyError(
            f"The variable {name} is no key of 32 bytes in Base64. Correct it, or unset it."
        ) from wrong
