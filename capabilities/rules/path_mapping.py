"""One file, two names: paths as we see them and as a system on another machine does.

A pair of folders says that both are the same one. The longest pair that fits decides, by whole
segments, so that ``/media/tv`` never stands for ``/media/tv-old``; a path that no pair fits is
called the same on both sides.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")


@dataclass(frozen=True, slots=True)
class SameFolder:
    """One folder by both of its names.

    Attributes:
        ours: absolute, with ``/``.
        theirs: as the other system writes it: POSIX, Windows (drive or share), or an address such
            as ``smb://nas/films``.
    """

    ours: str
    theirs: str


class PathMap:
    """The pairs that hold between us and one system."""

    def __init__(self, pairs: Iterable[SameFolder] = ()) -> None:
        """Take the pairs, in any order.

        Raises:
            ValueError: a folder of ours is no absolute path, or a folder stands in two pairs.
        """
        self._pairs = tuple(pairs)
        for pair in self._pairs:
            if not pair.ours.startswith("/") or not pair.theirs:
                raise ValueError(f"{pair.ours!r} and {pair.theirs!r} must both be whole paths")
        _once([_segments(pair.ours) for pair in self._pairs])
        _once([_segments(pair.theirs) for pair in self._pairs])

    def to_theirs(self, path: str) -> str:
        """What they call our absolute ``path``."""
        pair, rest = self._fitting(path, lambda pair: pair.ours)
        return path if pair is None else _joined(pair.theirs, rest)

    def to_ours(self, path: str) -> str:
        """What we call their ``path``."""
        pair, rest = self._fitting(path, lambda pair: pair.theirs)
        return path if pair is None else _joined(pair.ours, rest)

    def _fitting(
        self, path: str, side: Callable[[SameFolder], str]
    ) -> tuple[SameFolder | None, list[str]]:
        found: SameFolder | None = None
        rest: list[str] = []
        for pair in self._pairs:
            below = below_folder(path, side(pair))
            if below is not None and (found is None or len(below) < len(rest)):
                found, rest = pair, below
        return found, rest


def below_folder(path: str, folder: str) -> list[str] | None:
    """The segments of ``path`` below ``folder``, none for itself; None where it is not inside.

    Windows paths are compared as Windows does, without regard to case or kind of slash.
    """
    whole, above = _segments(path), _segments(folder)
    if whole[: len(above)] != above:
        return None
    return _written(path)[len(above) :]


def _segments(path: str) -> list[str]:
    written = _written(path)
    return [part.casefold() for part in written] if is_windows(path) else written


def _written(path: str) -> list[str]:
    """The segments as spelt; the first one tells absolute paths and addresses apart."""
    parts = re.split(r"[\\/]" if is_windows(path) else "/", path)
    return [parts[0], *(part for part in parts[1:] if part)]


def is_windows(path: str) -> bool:
    """Whether it begins with a drive, or with two backslashes as a share does."""
    return _WINDOWS.match(path) is not None


def _joined(folder: str, rest: list[str]) -> str:
    between = "\\" if is_windows(folder) and "\\" in folder else "/"
    return between.join([folder.rstrip(between), *rest]) if rest else folder


def _once(folders: list[list[str]]) -> None:
    for number, folder in enumerate(folders):
        if folder in folders[:number]:
            raise ValueError(f"the folder {'/'.join(folder)!r} stands in two pairs")
