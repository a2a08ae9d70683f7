"""What may be searched for."""

import re

MOST_CHARACTERS = 200
FIRST_BEHIND_LATIN = "\u0250"
_WILDCARDS = re.compile(r"[\s*?%._\-]+")


def searchable(text: str) -> str:
    """The trimmed term.

    Raises:
        ValueError: empty, only wildcards, or a single Latin letter, digit or sign. A single
            Chinese character is a title and passes.
    """
    term = " ".join(text.split())
    if not _WILDCARDS.sub("", term):
        raise ValueError("the search term is empty or only wildcards; give a title")
    if len(term) == 1 and term < FIRST_BEHIND_LATIN:
        raise ValueError("one letter, digit or sign finds everything; give a title")
    return term[:MOST_CHARACTERS]
