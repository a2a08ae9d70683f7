"""What must hold after a placement died, wherever it was, and how it is finished."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

from capabilities.adapters.shelf.leftovers import clean, leftovers
from capabilities.adapters.shelf.moving import finish_move
from capabilities.adapters.shelf.placements import Mode, Placement
from capabilities.adapters.shelf.probes import probe_placements
from capabilities.kernel.probing import Verdict
from tests.capabilities.adapters.shelf.scene import FILM, TARGET, Scene

VICTIM = [sys.executable, "-m", "tests.capabilities.adapters.shelf.victim"]
TOP = Path(__file__).parents[4]


@dataclass(frozen=True, slots=True)
class Aftermath:
    """A scene whose victim is dead; `content` is what the source was."""

    scene: Scene
    placement: Placement
    content: bytes

    def command(self) -> list[str]:
        paths = [str(self.scene.sources.path), str(self.scene.shelf.path)]
        return [*VICTIM, *paths, self.placement.mode]

    def nothing_is_half(self) -> None:
        target = self.scene.shelf.path / TARGET
        source = self.scene.sources.path_of(FILM)
        if target.exists():
            assert target.read_bytes() == self.content
        assert target.exists() or source.exists()
        if source.exists():
            assert source.read_bytes() == self.content
        else:
            assert self.placement.mode is Mode.MOVE

    async def is_recovered(self) -> None:
        """Do what a recovery does: clean up, look, and act again only where nothing was done."""
        shelf, placement = self.scene.shelf, self.placement
        await clean(shelf, TARGET, "victim")
        assert await leftovers(shelf, "Film (2009)") == frozenset()
        finding = await probe_placements(shelf, [placement])
        assert finding.verdict in {Verdict.APPLIED, Verdict.NOT_APPLIED}
        if finding.verdict is Verdict.NOT_APPLIED:
            await self.scene.place(replace(placement, digest=None), attempt="next")
        elif placement.mode is Mode.MOVE:
            await finish_move(placement, sources=self.scene.sources, origin=FILM, shelf=shelf)
        assert self.scene.on_shelf() == [TARGET]
        self.nothing_is_half()
