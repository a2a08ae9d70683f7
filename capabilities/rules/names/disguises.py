"""Names that hide what they are: spelled backwards, or nothing but a hash."""

import re
from itertools import pairwise
from typing import Final

_BACKWARDS: Final = re.compile(
    r"(?:^|[._ -])(?:\d{2,3}e\d{2}s|p0(?:27|801)|\d{2}[ex]\d{2}(?=s\b))(?=[._ -]|$)", re.IGNORECASE
)
_HEX: Final = re.compile(r"[0-9a-f]{16,}", re.IGNORECASE)
_RANDOM: Final = re.compile(r"[0-9A-Za-z]{11,}")
_DIGITS_AND_LETTERS: Final = re.compile(r"(?=\D*\d)(?=.*[a-zA-Z])")
_LEAST_CHANGES: Final = 6


def righted(stem: str) -> str:
    """The name read from its end where it is spelled backwards."""
    return stem[::-1] if _BACKWARDS.search(stem) else stem


def is_gibberish(stem: str) -> bool:
    """Whether every word of the name is a hash or random letters, so that it says nothing."""
    words = stem.split()
    return bool(words) and all(_is_random(word) for word in words)


def _is_random(word: str) -> bool:
    if _HEX.fullmatch(word) and not word.isalpha():
        return True
    if not _RANDOM.fullmatch(word) or not _DIGITS_AND_LETTERS.match(word):
        return False
    return _changes(word) >= _LEAST_CHANGES


def _changes(word: str) -> int:
    """How often letters and digits, upper and lower case take turns."""
    kinds = [(char.isdigit(), char.isupper()) for char in word]
    return sum(1 for before, here in pairwise(kinds) if before != here)
