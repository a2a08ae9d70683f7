"""What may be searched for."""

import re
import unicodedata

MOST_CHARACTERS = 200
_WILDCARDS = re.compile(r"[\s*?%._\-]+")


def searchable(text: str) -> str:
    """The trimmed term.

    Raises:
        ValueError: empty, only wildcards, or a single Latin letter, digit or sign. A single
            Chinese character is a title and passes.
    """
    term = " ".join(text.split())
    # Full-width forms are the same letters and signs.
    plain = unicodedata.normalize("NFKC", term)
    if not _WILDCARDS.sub("", plain):
        raise ValueError("the search term is empty or only wildcards; give a title")
    if len(term) == 1 and not all(_is_a_word(sign) for sign in plain):
        raise ValueError("one letter, digit or sign finds everything; give a title")
    return term[:MOST_CHARACTERS]


def _is_a_word(sign: str) -> bool:
    """Whether one sign can be a title: a letter of a script other than Latin."""
    return sign.isalpha() and "LATIN" not in unicodedata.name(sign, "LATIN")
