"""Tokens of rules found in names: whole words in a row, never a part of one."""

from collections.abc import Sequence

from capabilities.rules.names.tokens import words


def words_of(token: str) -> tuple[str, ...]:
    """The words of a rule's token, as names are cut: ``WEB-DL`` is "web", "dl"."""
    return words(token)


def contains(words_of_name: Sequence[str], token: str) -> bool:
    """Whether the token's words stand in the name, one behind the other."""
    wanted = words_of(token)
    span = len(wanted)
    starts = range(len(words_of_name) - span + 1) if span else range(0)
    return any(tuple(words_of_name[at : at + span]) == wanted for at in starts)
