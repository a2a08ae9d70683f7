"""Other people's words, and numbers of things, inside our sentences."""

import unicodedata
from typing import Final

LONGEST_QUOTE: Final = 80
"""Characters of a quoted name before it is cut."""


def quoted(text: str) -> str:
    """The text in quotation marks, on one line, without control and direction signs, cut."""
    plain = "".join(" " if unicodedata.category(sign)[0] == "C" else sign for sign in text)
    line = " ".join(plain.split())
    return f'"{line}"' if len(line) <= LONGEST_QUOTE else f'"{line[: LONGEST_QUOTE - 1]}…"'


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number of things: "1 work", "2 works"; ``many`` where the plural does not end in s."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"
