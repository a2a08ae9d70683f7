"""Rows of words in columns."""

import unicodedata
from collections.abc import Sequence

from capabilities.rules.outside_text import cleaned

GAP = "  "


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Rows of equal length, each column as wide as its widest cell on a terminal."""
    clean = [[cleaned(cell) for cell in row] for row in rows]
    widths = [max(map(_width, column)) for column in zip(*clean, strict=True)]
    return "\n".join(
        GAP.join(
            cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in clean
    )


def _width(cell: str) -> int:
    """Cells that a text takes: East Asian wide signs take two (UAX #11), combining ones none."""
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in cell
    )
