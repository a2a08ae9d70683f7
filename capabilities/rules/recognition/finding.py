"""What a recognition word looks for: plain words, or an expression between slashes.

Plain words are compared as whole words and without regard to case, and any separators between them
count as the same. An expression is `regex`'s and bounded in time: an owner's own slip must not hold
up every name that is read.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, Protocol

from capabilities.rules.expressions import expression
from capabilities.rules.names.tokens import is_east_asian, words

LONGEST_FIND: Final = 200
"""Characters of what is looked for."""
SECONDS: Final = 0.05
"""After which an expression is given up on one name."""


class Found(Protocol):
    """Where something was found."""

    def start(self) -> int:
        """The first character."""
        ...

    def end(self) -> int:
        """The character behind the last one."""
        ...

    def expand(self, template: str, /) -> str:
        """A replacement with the groups of this finding put in."""
        ...


@dataclass(frozen=True, slots=True)
class Find:
    """What is looked for.

    Attributes:
        text: words, or the expression without its slashes.
        is_expression: whether it is an expression.

    Raises:
        ValueError: nothing could ever be found by it.
    """

    text: str
    is_expression: bool = False

    def __post_init__(self) -> None:
        """Refuse what finds nothing."""
        if not self.text.strip():
            raise ValueError("it does not say what to look for")
        if len(self.text) > LONGEST_FIND:
            raise ValueError(f"what is looked for is longer than {LONGEST_FIND} characters")
        if self.is_expression:
            _refuse_heavy(self.text)
        elif not words(self.text):
            raise ValueError(f'"{self.text}" has no letters or digits; write /…/ to look for signs')

    def __str__(self) -> str:
        """The one written form."""
        return f"/{self.text}/" if self.is_expression else self.text

    def first(self, text: str, start: int = 0, *, whole: bool = True) -> Found | None:
        """The first place from ``start`` on; one of no characters does not count.

        Args:
            text: the name.
            start: where to begin.
            whole: whether plain words must be whole ones, and not the beginning of one.

        Raises:
            TimeoutError: the expression takes too long on this name.
        """
        if self.is_expression:
            found = expression(self.text).search(text, start, timeout=SECONDS)
        else:
            found = _words(self.text, whole=whole).search(text, start)
        return found if found and found.end() > found.start() else None


def find_from(written: str) -> Find:
    """What a written form looks for; between two slashes stands an expression.

    Raises:
        ValueError: see `Find`.
    """
    plain = written.strip()
    if len(plain) > len("//") and plain[0] == plain[-1] == "/":
        return Find(plain[1:-1], is_expression=True)
    return Find(plain)


def _refuse_heavy(text: str) -> None:
    try:
        expression(text)
    except ValueError as wrong:
        raise ValueError(f'"{text}" cannot be looked for: {wrong}') from wrong


@lru_cache(maxsize=2_000)
def _words(text: str, *, whole: bool) -> re.Pattern[str]:
    found = words(text)
    parts = [re.escape(found[0])]
    for before, here in pairwise(found):
        between = r"[\W_]*" if is_east_asian(before) or is_east_asian(here) else r"[\W_]+"
        parts.append(between + re.escape(here))
    body = "".join(parts)
    if whole:
        # Chinese, Japanese and Korean words have no separators between them.
        front = "" if is_east_asian(found[0]) else r"(?<![^\W_])"
        back = "" if is_east_asian(found[-1]) else r"(?![^\W_])"
        body = f"{front}{body}{back}"
    return re.compile(body, re.IGNORECASE)
