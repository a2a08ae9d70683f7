"""What is odd about a name as it came, and what was done about it before it was read."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from capabilities.rules.names.cleaning import cleaned
from capabilities.rules.names.parsing import LONGEST_NAME
from capabilities.rules.names.paths import is_path

MOST_NAMED: Final = 5
_MARKUP: Final = re.compile(r"<[a-z/!][^<>]{0,200}>|&(?:[a-z]{2,8}|#\d{1,6});", re.IGNORECASE)


def remarks(text: str) -> tuple[str, ...]:
    """One sentence for each oddity; none for an ordinary name."""
    return tuple(_remarks(text))


def _remarks(text: str) -> Iterator[str]:
    if len(text) > LONGEST_NAME and not is_path(text):
        yield f"it has {len(text)} characters, of which the first {LONGEST_NAME} are read"
        text = text[:LONGEST_NAME]
    controls = {sign for sign in text if unicodedata.category(sign) == "Cc"}
    if controls:
        yield f"control characters were read as blanks: {_named(controls)}"
    hidden = {sign for sign in text if sign not in controls and not cleaned(sign)}
    if hidden:
        yield f"invisible and direction characters were taken out: {_named(hidden)}"
    others = {sign for sign in text if sign not in controls | hidden and cleaned(sign) != sign}
    if others:
        yield f"characters were read in their plain form: {_named(others)}"
    if _MARKUP.search(text):
        yield "it holds markup, which is read and shown as plain text"


def _named(signs: set[str]) -> str:
    named = [f"U+{ord(sign):04X}" for sign in sorted(signs)]
    more = len(named) - MOST_NAMED
    return ", ".join(named[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
