from datetime import date

import pytest

from capabilities.inventory.overview import bring_up_to_date, overviews
from ledger.stores import shelf, shelf_works
from ledger.stores.shelf_works import Narrowing
from tests.capabilities.inventory.library import adopted, episode, put
from tests.scene import Scene

pytestmark = pytest.mark.anyio
TODAY = date(2026, 3, 1)


async def lantern(scene: Scene, *names: str) -> str:
    put(scene.folders.series, *names)
    await adopted(scene, scene.folders.series)
    (slot, *_) = await scene.read(shelf.slots)
    return slot.work


async def test_a_file_of_two_episodes_is_no_gap_for_either(scene: Scene) -> None:
    work = await lantern(scene, episode(1, "S01E01-E02"))
    told = (await scene.read(lambda conn: overviews(conn, [work], TODAY)))[work]
    assert told.gaps.by_season == {"1": [3]}
    assert (dict(told.states), set(told.qualities)) == ({"satisfied": 2}, {"WEBDL-1080p"})
    assert told.summary.gaps == 1


async def test_what_is_kept_is_computed_once_after_each_change(scene: Scene) -> None:
    work = await lantern(scene, *(episode(1, f"S01E0{number}") for number in (1, 2, 3)))
    assert await bring_up_to_date(scene.ledger) == 1
    assert await bring_up_to_date(scene.ledger) == 0
    missing = Narrowing(missing_on=TODAY)
    assert await scene.read(lambda conn: shelf_works.count(conn, missing)) == 0
    await scene.write(lambda tx: shelf.move_slot(tx, work, 2, 1, state="wanted", asset_id=None))
    assert await bring_up_to_date(scene.ledger) == 1
    assert await scene.read(lambda conn: shelf_works.count(conn, missing)) == 1
