"""Which texts can be stored: PostgreSQL takes neither NUL nor half of a surrogate pair.

https://www.postgresql.org/docs/current/datatype-character.html
"""

import re
from collections.abc import Mapping
from typing import cast

_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
REPLACEMENT = "\ufffd"


def storable(text: str) -> str:
    """The text with U+FFFD in the place of every character that cannot be stored."""
    if text.isascii() and "\0" not in text:  # nearly all of it, and cheaper to see
        return text
    return _UNSTORABLE.sub(REPLACEMENT, text)


def is_storable(held: object) -> bool:
    """Whether every text in a JSON value can be stored as it is, names of members included."""
    rest = [held]
    while rest:
        each = rest.pop()
        if isinstance(each, str) and _UNSTORABLE.search(each):
            return False
        if isinstance(each, Mapping):
            members = cast("Mapping[object, object]", each)
            rest += [*members.keys(), *members.values()]
        elif isinstance(each, list | tuple):
            rest += cast("list[object]", each)
    return True
