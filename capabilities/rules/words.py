"""Tokens of rules found in names: whole words in a row, never a part of one.

Chinese, Japanese and Korean are written without blanks, so there a token of two signs and
more counts inside a word too: ``国语`` in ``国语中字``.
"""

from collections.abc import Sequence

from capabilities.rules.names.tokens import is_east_asian, words


def words_of(token: str) -> tuple[str, ...]:
    """The words of a rule's token, as names are cut: ``WEB-DL`` is "web", "dl"."""
    return words(token)


def contains(words_of_name: Sequence[str], token: str) -> bool:
    """Whether the token's words stand in the name, one behind the other."""
    wanted = words_of(token)
    span = len(wanted)
    starts = range(len(words_of_name) - span + 1) if span else range(0)
    return any(_stands(words_of_name[at : at + span], wanted) for at in starts)


def _stands(said: Sequence[str], wanted: Sequence[str]) -> bool:
    return all(_is_said(*pair) for pair in zip(said, wanted, strict=True))


def _is_said(word: str, wanted: str) -> bool:
    if word == wanted:
        return True
    return len(wanted) > 1 and is_east_asian(wanted) and is_east_asian(word) and wanted in word
