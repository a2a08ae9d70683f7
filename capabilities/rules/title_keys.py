"""Titles in the form in which two spellings of one title are equal."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

LONGEST_TITLE: Final = 300
"""Characters of a title that are compared."""
_SIMILAR: Final = 0.6
"""Share of common words from which two titles count as alike."""
_REMEMBERED: Final = 16_384
"""Titles: every file of a pack is compared with all titles of the same works."""


@lru_cache(_REMEMBERED)
def title_key(title: str) -> str:
    """Letters and digits only, without case, accents and width; ``&`` is "and".

    A title of nothing but signs keeps them, so that two such titles stay different.
    """
    folded = _folded(title).replace("&", " and ")
    return "".join(sign for sign in folded if sign.isalnum()) or folded.strip()


def _folded(title: str) -> str:
    plain = unicodedata.normalize("NFKC", title[:LONGEST_TITLE]).casefold()
    parts = unicodedata.normalize("NFKD", plain)
    return unicodedata.normalize("NFC", "".join(c for c in parts if not _is_accent(c)))


def _is_accent(sign: str) -> bool:
    """Whether the sign is a Latin accent; kana and Indic signs change the word and stay."""
    return "\u0300" <= sign <= "\u036f"


@lru_cache(_REMEMBERED)
def title_words(title: str) -> frozenset[str]:
    """The words of a title, folded."""
    spaced = "".join(sign if sign.isalnum() else " " for sign in _folded(title))
    return frozenset(spaced.split())


def is_similar(title: str, others: Iterable[str]) -> bool:
    """Whether the title shares most words with one of the others."""
    words = title_words(title)
    return any(
        share_enough(len(words & theirs), len(words), len(theirs))
        for theirs in map(title_words, others)
    )


def share_enough(shared: int, first: int, second: int) -> bool:
    """Whether two titles are alike, of so many words each, that have so many in common."""
    total = first + second
    return total > 0 and 2 * shared / total >= _SIMILAR
