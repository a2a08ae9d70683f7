"""Regular expressions from outside, bounded: in weight, in the text they see, and in time.

Guides write them for .NET; `regex` understands their look-behinds of any width and gives up after
a time, which the standard library cannot.
"""

import time
from functools import lru_cache
from typing import Final

from capabilities.rules.expressions import expression, weight
from capabilities.rules.names.parsing import LONGEST_NAME
from capabilities.rules.time_budget import Budget

LONGEST_TEXT: Final = LONGEST_NAME
"""Characters of a name that a pattern is shown: as many as are read of it otherwise."""
SECONDS: Final = 0.05
"""After which one match is given up; it is looked at now and then, so that it takes a few more."""
MOST_TRYING_S: Final = 12.0
"""For all expressions that are saved at once."""
MOST_PATTERNS: Final = 2_000
"""Of one policy."""
MOST_WRITTEN_OUT: Final = 300_000
"""Characters of all expressions of one policy, their counted repeats written out."""
_HARD: Final = 250
"""Characters of the names that an expression is tried on, as long as real ones become."""
_HARD_CASES: Final = (
    "a" * _HARD,
    "1" * _HARD,
    "a1 " * (_HARD // 3),
    "A.B-" * (_HARD // 4),
    "Some.Title.S01E01.2020.1080p.WEB-DL.DDP5.1.H.264-GROUP." * (_HARD // 55),
)


def hit(text: str, name: str, budget: Budget | None = None) -> str | None:
    """What an expression hits in a name, possibly empty; None where it hits nothing.

    Args:
        text: the expression; case never counts, as in the programs it was written for.
        name: of which the first `LONGEST_TEXT` characters are shown to it.
        budget: of the judgement that it is part of.

    Raises:
        ValueError: see `expression`.
        TimeoutError: it took too long, or no time was left, so nobody knows.
    """
    seconds = SECONDS if budget is None else min(SECONDS, budget.left)
    if seconds <= 0:
        raise TimeoutError
    found = expression(text).search(name[:LONGEST_TEXT], timeout=seconds)
    return None if found is None else found.group()


def unreadable(text: str) -> str | None:
    """Why an expression is none, or None where it is one."""
    try:
        expression(text)
    except ValueError as wrong:
        return str(wrong)
    return None


def too_many(texts: list[str]) -> str | None:
    """Why so many expressions cannot stand in one policy, or None where they can."""
    if len(texts) > MOST_PATTERNS:
        return f"it has {len(texts)} expressions, and {MOST_PATTERNS} is the most"
    heavy = sum(weight(text) for text in texts)
    if heavy > MOST_WRITTEN_OUT:
        return f"its expressions come to {heavy} characters, and {MOST_WRITTEN_OUT} is the most"
    return None


@lru_cache(maxsize=1_000)
def flaw(text: str) -> str | None:
    """Why an expression cannot be taken into a policy, or None where it can.

    It is tried on hard names, which takes too long to be done whenever a policy is read.
    """
    if (wrong := unreadable(text)) is not None:
        return wrong
    try:
        for hard in _HARD_CASES:
            hit(text, f"{hard}!")
            hit(text, hard)
    except TimeoutError:
        return "it takes too long on some names"
    return None


class Examiner:
    """Tries many expressions within one bounded time of the processor."""

    def __init__(self, seconds: float = MOST_TRYING_S) -> None:
        """Begin with all the time there is."""
        self._left = seconds

    def flaw(self, text: str) -> str | None:
        """See `flaw`; what comes when the time is used up is not taken untried."""
        if self._left <= 0:
            return "those before it took all the time there is to try them; save them in parts"
        begun = time.process_time()
        wrong = flaw(text)
        self._left -= time.process_time() - begun
        return wrong
