"""Two places that keep sealing keys by slot: files in the home, and the system's keyring."""

import importlib
import os
from collections.abc import Generator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from ledger.sealing import SealingKey

FILE = "secret.key"
SERVICE = "matinee"
OTHERS = 0o077
LONGEST = 1024


class Slot(StrEnum):
    """The key in use, the one it is being replaced with, and the one it replaced."""

    CURRENT = ""
    NEXT = "next"
    OLD = "old"


class SealingKeyError(Exception):
    """No sealing key can be had; the text says why, and how to mend it."""


class Slots(Protocol):
    """Where keys are kept; every method raises `SealingKeyError` where it cannot do its work."""

    def read(self, slot: Slot) -> SealingKey | None:
        """The key in a slot."""
        ...

    def write(self, slot: Slot, key: SealingKey) -> None:
        """Put a key into a slot, whole or not at all."""
        ...

    def begin(self, key: SealingKey) -> SealingKey:
        """Make `key` the one in use unless there is one already; the one in use."""
        ...

    def clear(self, slot: Slot) -> None:
        """Empty a slot."""
        ...


def file_name(slot: Slot) -> str:
    """What the file of a slot is called in the home."""
    return f"{FILE}.{slot}" if slot else FILE


class FileSlots:
    """Files in the home that only this user can read: ``secret.key`` and its neighbours."""

    def __init__(self, home: Path) -> None:
        """Nothing is read or made yet."""
        self._home = home

    def path(self, slot: Slot) -> Path:
        """The file of a slot."""
        return self._home / file_name(slot)

    def read(self, slot: Slot) -> SealingKey | None:
        """The key in a file that nobody else can read."""
        path = self.path(slot)
        try:
            with path.open("rb") as file:
                mode = os.fstat(file.fileno()).st_mode
                text = file.read(LONGEST).decode("ascii", errors="replace")
        except FileNotFoundError:
            return None
        except OSError as refused:
            raise SealingKeyError(
                f"{path.name} in the home cannot be read ({refused.strerror}). "
                "Give the file to the user that Matinee runs as."
            ) from refused
        if mode & OTHERS:
            raise SealingKeyError(
                f"{path.name} in the home can be read by other users, so it is not used. "
                "Set its mode to 0600, then make a new key with `matinee secret rekey`."
            )
        try:
            return SealingKey.read(text)
        except ValueError as wrong:
            raise SealingKeyError(
                f"{path.name} in the home is no key of 32 bytes in Base64. Put the right one back "
                "from a copy; without it, remove the file and set each secret anew."
            ) from wrong

    def write(self, slot: Slot, key: SealingKey) -> None:
        """Replace a file."""
        with _told():
            self._written(key).replace(self.path(slot))
            self._keep()

    def begin(self, key: SealingKey) -> SealingKey:
        """Make the file, or read the one that somebody made meanwhile."""
        with _told():
            written = self._written(key)
            try:
                self.path(Slot.CURRENT).hardlink_to(written)
            except FileExistsError:
                pass
            finally:
                written.unlink()
            self._keep()
        return self.read(Slot.CURRENT) or key

    def clear(self, slot: Slot) -> None:
        """Remove a file."""
        with _told():
            self.path(slot).unlink(missing_ok=True)
            self._keep()

    def _written(self, key: SealingKey) -> Path:
        """A file with the key in it, durable, under a name that nobody reads."""
        path = self._home / f".{FILE}.{os.getpid()}.{os.urandom(4).hex()}"
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{key.text}\n")
            file.flush()
            os.fsync(file.fileno())
        return path

    def _keep(self) -> None:
        """Make the folder's own change durable."""
        handle = os.open(self._home, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class KeyringSlots:
    """Entries in the system's keyring, by the optional package `keyring`; one account a home."""

    def __init__(self, home: Path) -> None:
        """Nothing is asked yet."""
        self._account = str(home.resolve())

    def read(self, slot: Slot) -> SealingKey | None:
        """The key in an entry."""
        text: str | None = self._asked("get_password", slot)
        if text is None:
            return None
        try:
            return SealingKey.read(text)
        except ValueError as wrong:
            raise SealingKeyError(
                "The entry of Matinee in the system's keyring is no key of 32 bytes in Base64. "
                "Put the right one back; without it, remove the entry and set each secret anew."
            ) from wrong

    def write(self, slot: Slot, key: SealingKey) -> None:
        """Replace an entry."""
        self._asked("set_password", slot, key.text)

    def begin(self, key: SealingKey) -> SealingKey:
        """Make the entry unless there is one."""
        held = self.read(Slot.CURRENT)
        if held is not None:
            return held
        self.write(Slot.CURRENT, key)
        return key

    def clear(self, slot: Slot) -> None:
        """Remove an entry."""
        if self.read(slot) is not None:
            self._asked("delete_password", slot)

    def _asked(self, what: str, slot: Slot, *more: str) -> Any:
        try:
            ring, errors = (importlib.import_module(name) for name in ("keyring", "keyring.errors"))
        except ModuleNotFoundError as missing:
            raise SealingKeyError(
                "The settings ask for the system's keyring, and the package `keyring` is not "
                "installed. Install `matinee[keyring]`, or unset secrets.keyring."
            ) from missing
        account = f"{self._account}:{slot}" if slot else self._account
        try:
            return getattr(ring, what)(SERVICE, account, *more)
        except errors.KeyringError as refused:
            raise SealingKeyError(
                "The system's keyring cannot be used now: it is locked, or there is none. Unlock "
                "it, or unset secrets.keyring."
            ) from refused


@contextmanager
def _told() -> Generator[None]:
    """What the file system refuses, as a sentence."""
    try:
        yield
    except OSError as refused:
        raise SealingKeyError(
            f"{FILE} in the home cannot be written ({refused.strerror}). Make room, or let this "
            "user write to the home."
        ) from refused
