"""The folders the owner configured: the only ones outside the home that are written to."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from capabilities.rules.works import WorkKind

NEEDS_FOLDERS: Final = (
    "Set folders.downloads, folders.films and folders.series in settings.toml, then restart: "
    "nothing can be downloaded until all three are."
)
"""The cure where there is no download client, which this house has with its folders."""


@dataclass(frozen=True, slots=True)
class Folders:
    """Where downloads arrive and where films and series stand.

    Attributes:
        floor_bytes: what must stay free on the downloads' disk after everything planned.
    """

    downloads: Path
    films: Path
    series: Path
    floor_bytes: int = 0

    def library(self, kind: WorkKind) -> Path:
        """The library root of one kind of work."""
        return self.films if kind is WorkKind.FILM else self.series

    @staticmethod
    def name(kind: WorkKind) -> str:
        """What a person calls that library."""
        return "Films" if kind is WorkKind.FILM else "Series"
