"""What a torrent turns out to be once its files are known: what was asked for, or a fake."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from capabilities.rules.dangerous import danger
from capabilities.rules.outside_text import cleaned

FAR_OFF: Final = 2.0
"""By which factor the real size may not differ from the announced one, either way."""
MEGABYTE: Final = 1_000_000
LARGE: Final = 1_000 * MEGABYTE
NAMED: Final = 10
"""Dangerous files that are told; the others are of the same kind mostly."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Why a torrent is not to be fetched without its owner.

    Attributes:
        files: the path of each dangerous file, with the reason; the first of them.
        size: a sentence about a size that is far off; None where it is as announced.
    """

    files: dict[str, str]
    size: str | None = None

    @property
    def sentence(self) -> str:
        """The first reason, in words."""
        for path, why in self.files.items():
            return f"{cleaned(path)!r}: {why}"
        return str(self.size)


def suspicion(wanted: Sequence[str], whole: int, announced: int | None) -> Suspicion | None:
    """What is wrong with a torrent by its names and sizes; None for nothing.

    Args:
        wanted: paths of the files that are fetched.
        whole: bytes of all its files, whether they are fetched or not.
        announced: bytes that were announced for all of them, None where nobody said.
    """
    found = {path: why for path in wanted if (why := danger(path)) is not None}
    size = None if announced is None else _far_off(whole, announced)
    if not found and size is None:
        return None
    return Suspicion(dict(list(found.items())[:NAMED]), size)


def _far_off(whole: int, announced: int) -> str | None:
    if min(whole, announced) <= 0 or max(whole, announced) <= FAR_OFF * min(whole, announced):
        return None
    return f"{_words(announced)} were announced, and it holds {_words(whole)}"


def _words(size: int) -> str:
    return f"{size / LARGE:.2f} GB" if size >= LARGE else f"{size / MEGABYTE:.2f} MB"
