"""Passphrases: Argon2id (RFC 9106) by argon2-cffi, away from the event loop, one at a time."""

import unicodedata

import anyio
import anyio.to_thread
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from capabilities.kernel.codes import Code
from server.guard.faults import DoorError

SHORTEST = 10
LONGEST = 1024


def refuse_weak(passphrase: str) -> None:
    """Refuse what is too short to withstand guessing, or too long to be one.

    Raises:
        DoorError: invalid input.
    """
    if len(passphrase) < SHORTEST:
        raise DoorError(
            Code.INVALID_INPUT,
            f"The passphrase has {len(passphrase)} characters; it needs at least {SHORTEST}. "
            "Several words are easy to remember and hard to guess.",
        )
    if len(passphrase) > LONGEST:
        raise DoorError(Code.INVALID_INPUT, f"The passphrase is over {LONGEST} characters.")


class Passphrases:
    """Hashes and compares; each takes some 50 ms and 64 MiB, so they queue."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        """Use the library's parameters, which follow RFC 9106, unless others are given."""
        self._hasher = hasher or PasswordHasher()
        self._one = anyio.CapacityLimiter(1)

    async def hashed(self, passphrase: str) -> str:
        """The hash to store."""
        return await anyio.to_thread.run_sync(
            self._hasher.hash, _canonical(passphrase), limiter=self._one
        )

    async def matches(self, passphrase: str, stored: str) -> bool:
        """Whether this is the passphrase; takes as long for a wrong one as for the right one."""
        return await anyio.to_thread.run_sync(
            self._compare, _canonical(passphrase), stored, limiter=self._one
        )

    def _compare(self, passphrase: str, stored: str) -> bool:
        try:
            return self._hasher.verify(stored, passphrase)
        except VerifyMismatchError:
            return False


def _canonical(passphrase: str) -> str:
    """Keyboards compose accents differently; the words are the same."""
    return unicodedata.normalize("NFC", passphrase)
