"""A folder held open: the only place that turns names into places on a disk.

Everything below is reached part by part from the open handle, and no part may be a link, so a
name that came from outside, or a folder swapped for a link meanwhile, leads nowhere else
(openat(2), CWE-22, CWE-59, CWE-367). The methods block; call them from worker threads.
"""

import os
import re
import stat
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from capabilities.adapters.shelf.faults import NotAFileError, PathRefusedError, translated
from capabilities.adapters.shelf.threads import off_loop

PART_BYTES = 255
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


_PLAIN = re.compile(r"(?!\.\.?(?:/|\Z))[^/\0]+(?:/(?!\.\.?(?:/|\Z))[^/\0]+)*")


def _is_plain(relative: str) -> bool:
    """Whether a path is surely fit, by one look: most are short and of plain letters."""
    return (
        len(relative) <= PART_BYTES
        and relative.isascii()
        and _PLAIN.fullmatch(relative) is not None
    )


def _reason_against(part: str) -> str | None:
    if part in {"", ".", ".."}:
        return "has an empty part, or one that only points elsewhere"
    if "\0" in part or "/" in part:
        return "has a part with a NUL in it"
    try:
        size = len(part.encode())
    except UnicodeEncodeError:
        return "has a part that is not valid UTF-8"
    return f"has a part of more than {PART_BYTES} bytes" if size > PART_BYTES else None


class Root:
    """A folder opened once, and all that may be reached below it.

    Relative paths are POSIX ones (``Series/Season 01/x.mkv``): no leading, trailing or double
    slash, no ``.`` or ``..``, no NUL, valid UTF-8, at most 255 bytes a part. Others raise
    `PathRefusedError`. Every method raises the faults of `capabilities.adapters.shelf.faults`.
    Close it only when nothing uses it any more.

    Attributes:
        path: where the folder was found; for showing, and for what cannot take a handle.
        system: the words a person knows it by, e.g. ``the library "Films"``.
    """

    def __init__(self, path: Path, system: str) -> None:
        """Open the folder at `path`, which must not itself be a link."""
        self.path = path.absolute()
        self.system = system
        with translated(system):
            self._handle = os.open(self.path, _FOLDER)

    def close(self) -> None:
        """Let go of the folder; nothing can be reached through this root any more."""
        os.close(self._handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def parts(self, relative: str) -> tuple[str, ...]:
        """The parts of a relative path, each fit to be one name in a folder."""
        parts = tuple(relative.split("/"))
        if _is_plain(relative):
            return parts
        for part in parts:
            if reason := _reason_against(part):
                raise PathRefusedError(self.system, f"A file's path {reason}, so it was refused.")
        return parts

    def split(self, relative: str) -> tuple[str, str]:
        """The folder of `relative` (the empty string is the root itself), and its last part."""
        self.parts(relative)
        folder, _, name = relative.rpartition("/")
        return folder, name

    def path_of(self, relative: str) -> Path:
        """The absolute path, for what cannot take a handle; whoever follows it is not guarded."""
        return self.path.joinpath(*self.parts(relative))

    @contextmanager
    def folder(self, relative: str = "", *, make: bool = False) -> Generator[int]:
        """A handle on a folder below; with `make`, missing ones are made and put on the disk."""
        parts = self.parts(relative) if relative else ()
        with translated(self.system):
            handle = self._descend(parts, make=make)
        try:
            yield handle
        finally:
            os.close(handle)

    def _descend(self, parts: tuple[str, ...], *, make: bool) -> int:
        here = os.open(".", _FOLDER, dir_fd=self._handle)
        for part in parts:
            try:
                if make:
                    _make_folder(here, part)
                below = os.open(part, _FOLDER, dir_fd=here)
            finally:
                os.close(here)
            here = below
        return here

    def status(self, relative: str) -> os.stat_result:
        """What stands at `relative`; a link is reported as a link."""
        folder, name = self.split(relative)
        with self.folder(folder) as handle, translated(self.system):
            return os.stat(name, dir_fd=handle, follow_symlinks=False)

    @contextmanager
    def file(self, relative: str) -> Generator[int]:
        """A handle for reading a regular file; anything else raises `NotAFileError`."""
        folder, name = self.split(relative)
        with self.folder(folder) as parent, translated(self.system):
            handle = os.open(name, _FILE, dir_fd=parent)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise NotAFileError(self.system, "A name there belongs to no regular file.")
            yield handle
        finally:
            os.close(handle)


def _make_folder(parent: int, name: str) -> None:
    try:
        os.mkdir(name, dir_fd=parent)
    except FileExistsError:
        return
    os.fsync(parent)


@asynccontextmanager
async def opened(path: Path, system: str) -> AsyncGenerator[Root]:
    """A `Root` for the length of a block, opened in a worker thread (a mount may hang)."""
    root = await off_loop(Root, path, system)
    try:
        yield root
    finally:
        root.close()
