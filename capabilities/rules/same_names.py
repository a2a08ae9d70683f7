"""Names that a file system may take for one, and the one of a work that a shelf has already."""

import unicodedata
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath


def name_key(name: str) -> str:
    """The same for names that differ in case only, or in how an accent is written.

    Windows and macOS do not tell cases apart, and macOS keeps names decomposed.
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def existing_name(wanted: str, names: Iterable[str]) -> str | None:
    """The name among those of a folder that is the wanted one; the very same one first."""
    key = name_key(wanted)
    equal = sorted(name for name in names if name_key(name) == key)
    return wanted if wanted in equal else next(iter(equal), None)


def as_existing(target: PurePosixPath, names_in: Callable[[str], Iterable[str]]) -> PurePosixPath:
    """A path with every part written as the shelf writes it, so that no second folder is made.

    Args:
        target: relative to the library.
        names_in: the names in a folder, given relative to the library (empty for itself); none
            where there is no such folder.
    """
    written = PurePosixPath()
    for at, part in enumerate(target.parts):
        folder = "" if not at else str(written)
        there = existing_name(part, names_in(folder))
        if there is None:
            return written.joinpath(*target.parts[at:])
        written /= there
    return written
