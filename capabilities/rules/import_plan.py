"""The plan of an import as a value."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath


class Role(StrEnum):
    """What a placed file is on the shelf."""

    VIDEO = "video"
    SUBTITLE = "subtitle"
    NFO = "nfo"
    ARTWORK = "artwork"
    DISC = "disc"
    EXTRA = "extra"


@dataclass(frozen=True, slots=True)
class Placement:
    """One file of the download and its place, library root included.

    Attributes:
        season: that it belongs to; 0 for a film, and for specials.
        episodes: that a video holds, or its sidecar follows; none for a film and for a disc.
    """

    source: str
    target: PurePosixPath
    role: Role
    season: int = 0
    episodes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftFile:
    """One file that stays in the download, and why.

    Attributes:
        unidentified: whether it would belong somewhere, and nobody knows where.
    """

    path: str
    why: str
    unidentified: bool = False


@dataclass(frozen=True, slots=True)
class Danger:
    """One dangerous file, and why it is."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """Every file of the download is in exactly one of the three.

    Where ``dangers`` is not empty, nothing is imported before a person has decided.
    """

    placements: tuple[Placement, ...]
    left: tuple[LeftFile, ...]
    dangers: tuple[Danger, ...]

    @property
    def needs_decision(self) -> bool:
        """Whether the import must wait for a person."""
        return bool(self.dangers)
