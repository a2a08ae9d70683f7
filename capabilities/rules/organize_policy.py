"""How an owner wants finished downloads on the shelf; the defaults are version 1."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from capabilities.rules.naming import NO_TEMPLATES, Naming, NamingPreset, Templates
from capabilities.rules.problems import Problem, refuse
from capabilities.rules.safe_names import ColonRule
from capabilities.rules.satisfiable import (
    root_problems,
)
from capabilities.rules.satisfiable_numbers import MOST_AGE_DAYS, within
from capabilities.rules.satisfiable_templates import template_problems
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
        preset: the media server whose form of names is followed.
        templates: what the owner names otherwise than the preset.
        colon: what stands for a colon, in folders and files alike.
        copy_across_devices: whether a link that two devices make impossible becomes a copy.
        seen_within_minutes: how long a media server may take to see a file before the owner is
            asked; at least one.
        recycle_days: how long replaced files stay in the recycle folder; 0 for ever.
        extras: whether trailers, featurettes and the like are placed in the folders that media
            servers read them in.
        nfo: whether an NFO file of ours is written beside each video, and in a series' folder.

    Raises:
        UnsatisfiableError: a kind without a root or with two, a root that is no clean path, no
            time at all, or a template whose names would collide or be read as something else.
    """

    mode: OrganizeMode = OrganizeMode.HARDLINK
    preset: NamingPreset = NamingPreset.PLEX
    templates: Templates = NO_TEMPLATES
    colon: ColonRule = ColonRule.SMART
    roots: tuple[LibraryRoot, ...] = (
        LibraryRoot(WorkKind.FILM, "films"),
        LibraryRoot(WorkKind.SERIES, "series"),
    )
    copy_across_devices: bool = False
    seen_within_minutes: int = 60
    recycle_days: int = 30
    extras: bool = False
    nfo: bool = False

    def __post_init__(self) -> None:
        """Refuse roots that lead nowhere, and a time that is none."""
        refuse(self._problems())

    def _problems(self) -> Iterator[Problem]:
        yield from root_problems([(root.kind, root.path) for root in self.roots])
        if self.seen_within_minutes < 1:
            why = "no server sees a file in no time"
            yield Problem("seen_within_minutes", why, "give it 1 minute or more")
        yield from within("recycle_days", self.recycle_days, 0, MOST_AGE_DAYS)
        yield from template_problems(self.naming)

    @property
    def naming(self) -> Naming:
        """How files and folders are called."""
        return Naming(self.preset, self.templates, self.colon)

    def root_of(self, kind: WorkKind) -> str:
        """The root for works of a kind."""
        return next(root.path for root in self.roots if root.kind is kind)
