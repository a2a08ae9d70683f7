"""Info-hashes: the names of one torrent, of which there may be three."""

import base64
import binascii
import re
from dataclasses import dataclass

V1_DIGITS = 40
V2_DIGITS = 64
_V1 = re.compile(r"[0-9a-f]{40}")
_V2 = re.compile(r"[0-9a-f]{64}")
_BASE32 = re.compile(r"[a-z2-7]{32}")


def normal_hash(text: str) -> str | None:
    """One spelling for a hash that somebody wrote: lower-case hexadecimal, or None if it is none.

    Understood are 40 hexadecimal digits (v1, or v2 cut short as BEP 52 has it on the wire), 32
    base32 letters (v1, BEP 9) and 64 hexadecimal digits (v2).
    """
    text = text.strip().lower()
    if _V1.fullmatch(text) or _V2.fullmatch(text):
        return text
    if _BASE32.fullmatch(text):
        return binascii.hexlify(base64.b32decode(text.upper())).decode("ascii")
    return None


@dataclass(frozen=True, slots=True)
class InfoHashes:
    """What a torrent is called: by SHA-1 (v1), by SHA-256 (v2), or by both (hybrid, BEP 52).

    Attributes:
        v1: 40 lower-case hexadecimal digits.
        v2: 64 lower-case hexadecimal digits.

    Raises:
        ValueError: neither is given, or one is spelt differently.
    """

    v1: str | None = None
    v2: str | None = None

    def __post_init__(self) -> None:
        """Refuse what could never be compared."""
        if self.v1 is None and self.v2 is None:
            raise ValueError("a torrent has at least one info-hash")
        if self.v1 is not None and not _V1.fullmatch(self.v1):
            raise ValueError("a v1 info-hash is 40 lower-case hexadecimal digits")
        if self.v2 is not None and not _V2.fullmatch(self.v2):
            raise ValueError("a v2 info-hash is 64 lower-case hexadecimal digits")

    @property
    def key(self) -> str:
        """The one to file it under: v1 where there is one, else v2."""
        return self.v1 or self.v2 or ""

    def names(self) -> frozenset[str]:
        """Every spelling that a client may use for it, the shortened v2 hash included."""
        short = None if self.v2 is None else self.v2[:V1_DIGITS]
        return frozenset(name for name in (self.v1, self.v2, short) if name)

    def same_as(self, other: "InfoHashes") -> bool:
        """Whether both name one torrent; a hybrid known by one hash is itself known by both."""
        return not self.names().isdisjoint(other.names())


def named_by(text: str) -> InfoHashes | None:
    """The info-hashes that a bare hash stands for, or None if the text is no hash."""
    normal = normal_hash(text)
    if normal is None:
        return None
    return InfoHashes(v1=normal) if len(normal) == V1_DIGITS else InfoHashes(v2=normal)
