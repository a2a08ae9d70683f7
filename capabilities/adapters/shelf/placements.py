"""What placing a file means, in words that a plan, a journal and a probe share."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from capabilities.adapters.shelf.freezing import Frozen


class Mode(StrEnum):
    """How a file comes onto the shelf.

    `HARDLINK` gives the same file a second name, `COPY` writes its bytes again, `REFLINK` shares
    the blocks until one side changes, `SYMLINK` points at the source's path. `MOVE` is a hard link,
    or a copy where none is possible, after which the source's name goes.
    """

    HARDLINK = "hardlink"
    COPY = "copy"
    REFLINK = "reflink"
    MOVE = "move"
    SYMLINK = "symlink"


@dataclass(frozen=True, slots=True)
class Placement:
    """One file of a plan.

    Attributes:
        source: the source as it was when the plan was made.
        target: relative POSIX path below the library's root.
        digest: SHA-256 in hexadecimal of what was copied, once a journal has it.
        origin: relative path of the source below the download folder, for a probe that has no
            digest and reads the source instead.
        or_copied: whether a copy counts too, where the plan lets one stand in for a link or clone.
    """

    source: Frozen
    target: str
    mode: Mode
    digest: str | None = None
    origin: str | None = None
    or_copied: bool = False


class Step(StrEnum):
    """How far a placement has come; each is reported when it is true, `PLANNED` before all."""

    PLANNED = "planned"
    TEMPORARY_WRITTEN = "temporary_written"
    CHECKED = "checked"
    RENAMED = "renamed"
    FLUSHED = "flushed"
    SOURCE_REMOVED = "source_removed"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a placement's journal.

    Attributes:
        digest: SHA-256 in hexadecimal of the file, from `Step.CHECKED` on where bytes were copied
            or cloned; what a probe needs later to know the file again.
    """

    step: Step
    digest: str | None = None


Journal = Callable[[Entry], Awaitable[None] | None]
"""Writes an entry down before it returns: the next step is taken only then."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A file that is on the shelf, and on the disk; `digest` as in `Entry`."""

    target: str
    file: Frozen
    digest: str | None
