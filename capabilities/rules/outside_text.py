"""Other people's words, made harmless to read: for showing, never for comparing."""

import unicodedata

MOST_CHARACTERS = 300
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def cleaned(text: str, limit: int = MOST_CHARACTERS) -> str:
    """One line without control, bidirectional and zero-width characters, at most ``limit`` long."""
    visible = "".join(
        " " if unicodedata.category(sign) in _HIDDEN else sign for sign in text[: 4 * limit]
    )
    line = " ".join(visible.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def titled(title: str, year: int | None) -> str:
    """A work as a person names it: its cleaned title, with its year where that is known."""
    shown = cleaned(title)
    return shown if year is None else f"{shown} ({year})"
