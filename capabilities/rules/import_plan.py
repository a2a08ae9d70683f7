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


@dataclass(frozen=True, slots=True)
class Placement:
    """One file of the download and its place, library root included."""

    source: str
    target: PurePosixPath
    role: Role


@dataclass(frozen=True, slots=True)
class LeftFile:
    """One file that stays in the download, and why."""

    path: str
    why: str


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
