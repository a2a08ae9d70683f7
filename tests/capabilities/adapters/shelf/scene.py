"""What most placements of these tests have in common."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from capabilities.adapters.shelf.freezing import freeze
from capabilities.adapters.shelf.placements import Entry, Journal, Mode, Placed, Placement, Step
from capabilities.adapters.shelf.placing import place
from capabilities.adapters.shelf.roots import Root

FILM = "pack/film.mkv"
TARGET = "Film (2009)/Film (2009).mkv"


def ignore(_: Entry) -> None:
    """A journal that nobody reads."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A download folder with one film in it, and a library."""

    sources: Root
    shelf: Root

    async def planned(self, mode: Mode, target: str = TARGET) -> Placement:
        return Placement(await freeze(self.sources, FILM), target, mode)

    async def place(
        self,
        mode: Mode | Placement,
        *,
        target: str = TARGET,
        attempt: str = "one",
        journal: Journal = ignore,
    ) -> Placed:
        placement = mode if isinstance(mode, Placement) else await self.planned(mode, target)
        return await place(
            placement,
            sources=self.sources,
            origin=FILM,
            shelf=self.shelf,
            token=attempt,
            journal=journal,
        )

    def film(self) -> bytes:
        return self.sources.path_of(FILM).read_bytes()

    def digest(self) -> str:
        return hashlib.sha256(self.film()).hexdigest()

    def on_shelf(self) -> list[str]:
        """Every file below the library, by relative path."""
        root = self.shelf.path
        return sorted(str(p.relative_to(root)) for p in root.rglob("*") if not p.is_dir())


def at(step: Step, act: Callable[[], object]) -> Journal:
    """A journal that does `act` when `step` is reported."""

    def journal(entry: Entry) -> None:
        if entry.step is step:
            act()

    return journal
