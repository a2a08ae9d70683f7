"""Words of others for a terminal: nothing in them steers it or hides from the reader."""

import unicodedata

_STEERING = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_MARK = "\N{REPLACEMENT CHARACTER}"
_KEPT = "\n\t"


def harmless(text: str) -> str:
    """``text`` with control, invisible and direction-changing characters marked.

    Lines and tabs stay. What is marked could move the cursor, set the clipboard or reorder what
    is read (CVE-2021-42574).
    """
    return "".join(
        _MARK if sign not in _KEPT and unicodedata.category(sign) in _STEERING else sign
        for sign in text
    )
