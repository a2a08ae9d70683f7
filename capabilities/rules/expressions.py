"""Regular expressions from outside, weighed before they are compiled.

Compiling writes counted repeats out and goes into groups by recursion, and nothing stops it once it
has begun: an expression of twenty characters can fill the memory. So it is weighed first.
"""

import re
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import regex

LONGEST: Final = 6_000
"""Characters; the longest of the public guides, lists of groups, have under 5 000."""
DEEPEST: Final = 40
"""Groups inside each other."""
MOST_WRITTEN_OUT: Final = 10_000
"""Characters of an expression whose counted repeats are written out."""
MOST_KEPT: Final = 400_000
"""Characters, written out, of all the compiled ones that are kept."""
_COUNTED: Final = re.compile(r"\{([0-9]*+),?+([0-9]*+)\}")
_FLAGS: Final = re.compile(r"\(\?([a-zA-Z0-9]*)(?:-[a-zA-Z]*)?[:)]")
_SET: Final = re.compile(r"\[\^?+\]?+(?:\\.|\[(?!:)|[^\]\\\[])*+\]", re.DOTALL)
_REMARK: Final = re.compile(r"\(\?#(?:\\.|[^)\\])*+\)", re.DOTALL)
_LONGEST_COUNT: Final = 6
"""Digits."""


def weight(text: str) -> int:
    """How many characters it has with its counted repeats written out.

    Raises:
        ValueError: it is too long, too deep or too heavy to be compiled.
    """
    if len(text) > LONGEST:
        raise ValueError(f"it is longer than {LONGEST} characters")
    scale = _Scale()
    at = 0
    while at < len(text):
        at = _step(text, at, scale)
    return scale.total


@dataclass(slots=True)
class _Scale:
    """What was weighed: the whole, the open groups, and what a repeat behind it would repeat."""

    total: int = 0
    last: int = 0
    open: list[int] = field(default_factory=list[int])

    def add(self, more: int) -> None:
        """Put one thing on it."""
        self.total, self.last = self.total + more, more
        if self.total > MOST_WRITTEN_OUT:
            sentence = f"its counted repeats come to more than {MOST_WRITTEN_OUT} characters"
            raise ValueError(sentence)

    def begin(self) -> None:
        """Open a group."""
        self.open.append(self.total)
        if len(self.open) > DEEPEST:
            raise ValueError(f"it has more than {DEEPEST} groups inside each other")
        self.add(1)

    def end(self) -> None:
        """Close a group; a repeat behind it repeats all of it."""
        if self.open:
            self.last = self.total - self.open.pop()

    def repeat(self, times: int) -> None:
        """Repeat what came last."""
        once = self.last
        self.add(once * (max(times, 1) - 1))
        self.last = once * max(times, 1)


def _step(text: str, at: int, scale: _Scale) -> int:
    """Weigh what stands here; returns where the next begins."""
    here = text[at]
    if here == "(":
        if (remark := _REMARK.match(text, at)) is not None:
            return remark.end()
        if (flags := _FLAGS.match(text, at)) is not None and set(flags[1]) & set("xV"):
            raise ValueError("the signs (?x) and (?V1), which change how it is read, are not taken")
        scale.begin()
    elif here == ")":
        scale.end()
    elif here == "[":
        scale.add(1)
        return _end_of_set(text, at)
    elif here == "{" and (counted := _COUNTED.match(text, at)) and any(counted.groups()):
        scale.repeat(_most(counted))
        return counted.end()
    elif here in "*+?":
        pass
    else:
        scale.add(1)
        return at + (2 if here == "\\" else 1)
    return at + 1


def _end_of_set(text: str, at: int) -> int:
    held = _SET.match(text, at)
    if held is None:
        raise ValueError(
            "it is no regular expression: a set [...] has no end, or a name like [:a:]"
        )
    return held.end()


def _most(counted: re.Match[str]) -> int:
    if max(map(len, counted.groups())) > _LONGEST_COUNT:
        raise ValueError("it repeats something more than a million times")
    return max(int(number or 0) for number in counted.groups())


@dataclass(slots=True)
class _Kept:
    """Compiled expressions, those used last, up to a weight of all."""

    lock: Lock = field(default_factory=Lock)
    weight: int = 0
    held: "OrderedDict[str, tuple[int, regex.Pattern[str]]]" = field(
        default_factory=OrderedDict[str, "tuple[int, regex.Pattern[str]]"]
    )

    def get(self, text: str) -> "regex.Pattern[str] | None":
        """The compiled one, where it is kept still."""
        with self.lock:
            if text not in self.held:
                return None
            self.held.move_to_end(text)
            return self.held[text][1]

    def keep(self, text: str, heavy: int, made: "regex.Pattern[str]") -> None:
        """Keep one, and let go of those that were not used for longest."""
        with self.lock:
            before = self.held.pop(text, None)
            self.held[text] = (heavy, made)
            self.weight += heavy - (before[0] if before else 0)
            while self.weight > MOST_KEPT:
                _, (gone, _) = self.held.popitem(last=False)
                self.weight -= gone


_KEPT: Final = _Kept()


def expression(text: str) -> "regex.Pattern[str]":
    """An expression in the dialect of `regex`, without regard to case; compiled once.

    Raises:
        ValueError: it is too heavy to be compiled, or no regular expression.
    """
    known = _KEPT.get(text)
    if known is not None:
        return known
    heavy = weight(text)
    made = _compiled(text)
    _KEPT.keep(text, heavy, made)
    return made


def _compiled(text: str) -> "regex.Pattern[str]":
    # Only an owner who has such rules pays for loading it.
    import regex

    try:
        return regex.compile(text, regex.IGNORECASE | regex.VERSION0, cache_pattern=False)
    except (RecursionError, OverflowError, MemoryError) as wrong:
        raise ValueError("it is too heavy to be compiled") from wrong
    except (regex.error, ValueError) as wrong:
        raise ValueError(f"it is no regular expression: {wrong}") from wrong
