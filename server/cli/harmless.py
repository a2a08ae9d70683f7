"""Words of others for a terminal: nothing in them steers it or hides from the reader."""

import unicodedata

_MARK = "\N{REPLACEMENT CHARACTER}"
_KEPT = "\n\t"


def harmless(text: str) -> str:
    """``text`` with control, invisible and direction-changing characters marked.

    Lines and tabs stay. What is marked could move the cursor, set the clipboard or reorder what
    is read (CVE-2021-42574).
    """
    return "".join(
        sign if sign.isprintable() or sign in _KEPT or unicodedata.category(sign) == "Zs" else _MARK
        for sign in text
    )
