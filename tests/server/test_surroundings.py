import pytest

from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.shelf.folders import Folders
from ledger.stores import decisions
from ledger.stores.decisions import DecisionKind, NewDecision
from server.settings import Settings
from server.surroundings import HouseView
from tests.scene import IMPORT, Scene, base, scene

__all__ = ["base", "scene"]

SETTINGS = Settings.model_validate(
    {"indexers": [{"name": "loopback", "address": "http://127.0.0.1:1/api"}]}
)


@pytest.mark.anyio
async def test_names_and_counts_are_those_of_the_house(scene: Scene) -> None:
    view = HouseView(scene.ledger, scene.parts, SETTINGS)
    await scene.submitted()
    new = NewDecision(DecisionKind.OTHER, "cause", "Look at this")
    await scene.write(lambda tx: decisions.raise_(tx, new, scene.ledger.now()))
    seen = await view.surroundings()
    assert (seen.downloaders, seen.indexers) == (("embedded",), ("loopback",))
    assert seen.libraries == ("Films", "Series")
    assert seen.counts == {
        "files in the library": 0,
        "downloads under way": 1,
        "decisions that wait for the owner": 1,
    }


@pytest.mark.anyio
@pytest.mark.parametrize("state", ["failed", "removed"])
async def test_what_is_over_is_not_under_way(scene: Scene, state: str) -> None:
    row = await scene.submitted()
    await scene.turn(row.id, state)
    seen = await HouseView(scene.ledger, scene.parts, SETTINGS).surroundings()
    assert seen.counts["downloads under way"] == 0


@pytest.mark.anyio
async def test_an_import_is_counted_in_the_library(scene: Scene) -> None:
    row = await scene.arrived()
    plan = (await scene.answer("organize.plan", IMPORT, download=row.id))["plan"]
    await scene.answer("organize.execute", IMPORT, plan=plan)
    seen = await HouseView(scene.ledger, scene.parts, SETTINGS).surroundings()
    assert seen.counts["files in the library"] == 1


@pytest.mark.anyio
async def test_what_is_not_configured_is_not_named(scene: Scene) -> None:
    bare = scene.having(without=[Downloaders, Folders])
    seen = await HouseView(bare.ledger, bare.parts, Settings()).surroundings()
    assert (seen.downloaders, seen.indexers, seen.libraries) == ((), (), ())
