"""The one-time code of the first start: 80 random bits that a person can type."""

import re
import secrets

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's Base32: no letter that looks like a digit."""
_GROUPS, _GROUP = 4, 4
PRINTED = re.compile(
    rf"\b[{_ALPHABET}]{{{_GROUP}}}(?:-[{_ALPHABET}]{{{_GROUP}}}){{{_GROUPS - 1}}}\b"
)
"""A code in a text, as it is printed."""
_MISREAD = str.maketrans("OIL", "011", " -")


def fresh_code() -> str:
    """A new code as it is printed: ``7K3M-…`` in four groups of four."""
    groups = ("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP)) for _ in range(_GROUPS))
    return "-".join(groups)


def as_typed(code: str) -> str:
    """A code as it is compared: case, spaces, hyphens and look-alike letters do not matter."""
    return code.upper().translate(_MISREAD)
