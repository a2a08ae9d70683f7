"""Other people's words inside our sentences."""

import unicodedata
from typing import Final

LONGEST_QUOTE: Final = 80
"""Characters of a quoted name before it is cut."""


def quoted(text: str) -> str:
    """The text in quotation marks, on one line, without control and direction signs, cut."""
    plain = "".join(" " if unicodedata.category(sign)[0] == "C" else sign for sign in text)
    line = " ".join(plain.split())
    return f'"{line}"' if len(line) <= LONGEST_QUOTE else f'"{line[: LONGEST_QUOTE - 1]}…"'
