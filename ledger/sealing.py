"""Sealing short secrets with one key: AES-256-GCM (NIST SP 800-38D), by `cryptography`.

The secret's name is authenticated with it, so that a sealed value opens under its own name only.
"""

import base64
import binascii
import hashlib
import os
from dataclasses import dataclass, field
from typing import Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES = 32
NONCE_BYTES = 12
_ID_BYTES = 8


class SealBrokenError(Exception):
    """What is sealed does not open: another key or name, or it was changed."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A secret at rest.

    Attributes:
        key_id: which key opens it; tells nothing of the key.
        nonce: 96 random bits, new at every sealing.
        sealed: the ciphertext with its tag of 128 bits.
    """

    key_id: str
    nonce: bytes
    sealed: bytes


@dataclass(frozen=True, slots=True)
class SealingKey:
    """256 bits that seal and open; two keys are equal if their bits are."""

    bits: bytes = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse anything but 256 bits.

        Raises:
            ValueError: it has another length.
        """
        if len(self.bits) != KEY_BYTES:
            raise ValueError(f"a sealing key has {KEY_BYTES} bytes")

    @classmethod
    def fresh(cls) -> Self:
        """A key that nobody has seen."""
        return cls(os.urandom(KEY_BYTES))

    @classmethod
    def read(cls, text: str) -> Self:
        """The key that `text` spells, with or without spaces around it.

        Raises:
            ValueError: it is not Base64 of 32 bytes; the text is not repeated.
        """
        try:
            return cls(base64.b64decode(text.strip(), validate=True))
        except (binascii.Error, ValueError):
            raise ValueError(f"a sealing key is {KEY_BYTES} bytes in Base64") from None

    @property
    def text(self) -> str:
        """The key in Base64, for the places where it is kept."""
        return base64.b64encode(self.bits).decode("ascii")

    @property
    def id(self) -> str:
        """A name that follows from the key and tells nothing of it."""
        return hashlib.sha256(b"matinee sealing key\0" + self.bits).hexdigest()[: 2 * _ID_BYTES]

    def seal(self, name: str, value: str) -> Sealed:
        """Seal a value under its name."""
        nonce = os.urandom(NONCE_BYTES)
        sealed = AESGCM(self.bits).encrypt(nonce, value.encode(), name.encode())
        return Sealed(self.id, nonce, sealed)

    def open(self, name: str, sealed: Sealed) -> str:
        """The value that was sealed under this name.

        Raises:
            SealBrokenError: another key or name, or it was changed.
        """
        try:
            return AESGCM(self.bits).decrypt(sealed.nonce, sealed.sealed, name.encode()).decode()
        except (InvalidTag, ValueError):
            raise SealBrokenError(f"the secret {name!r} does not open with this key") from None
