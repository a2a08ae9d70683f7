"""How an owner wants finished downloads on the shelf; the defaults are version 1."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from capabilities.rules.naming import NamingPreset
from capabilities.rules.problems import Problem, refuse
from capabilities.rules.satisfiable import (
    root_problems,
)
from capabilities.rules.satisfiable_numbers import MOST_AGE_DAYS, within
from capabilities.rules.works import WorkKind


class OrganizeMode(StrEnum):
    """How a file comes from the download folder onto the shelf."""

    HARDLINK = "hardlink"
    REFLINK = "reflink"
    COPY = "copy"
    MOVE = "move"
    SYMLINK = "symlink"


@dataclass(frozen=True, slots=True)
class LibraryRoot:
    """Where works of one kind stand; a path with ``/``, without ``..``."""

    kind: WorkKind
    path: str


@dataclass(frozen=True, slots=True)
class OrganizePolicy:
    """How finished downloads come onto the shelf.

    Attributes:
        copy_across_devices: whether a link that two devices make impossible becomes a copy.
        seen_within_minutes: how long a media server may take to see a file before the owner is
            asked; at least one.
        recycle_days: how long replaced files stay in the recycle folder; 0 for ever.
        nfo: whether an NFO file of ours is written beside each video.
        artwork: whether posters and backdrops are fetched beside the work.

    Raises:
        UnsatisfiableError: a kind without a root or with two, a root that is no clean path, or no
            time at all.
    """

    mode: OrganizeMode = OrganizeMode.HARDLINK
    preset: NamingPreset = NamingPreset.PLEX
    roots: tuple[LibraryRoot, ...] = (
        LibraryRoot(WorkKind.FILM, "films"),
        LibraryRoot(WorkKind.SERIES, "series"),
    )
    copy_across_devices: bool = False
    seen_within_minutes: int = 60
    recycle_days: int = 30
    nfo: bool = False
    artwork: bool = False

    def __post_init__(self) -> None:
        """Refuse roots that lead nowhere, and a time that is none."""
        refuse(self._problems())

    def _problems(self) -> Iterator[Problem]:
        yield from root_problems([(root.kind, root.path) for root in self.roots])
        if self.seen_within_minutes < 1:
            why = "no server sees a file in no time"
            yield Problem("seen_within_minutes", why, "give it 1 minute or more")
        yield from within("recycle_days", self.recycle_days, 0, MOST_AGE_DAYS)

    def root_of(self, kind: WorkKind) -> str:
        """The root for works of a kind."""
        return next(root.path for root in self.roots if root.kind is kind)
