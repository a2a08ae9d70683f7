import pytest

from capabilities.kernel.context import Context
from capabilities.release.standard import Standard, standard
from ledger.stores import blocklist, shelf
from ledger.stores.blocklist import NewBlock
from tests.scene import IMPORT, KEY, Scene
from world.stage import RELEASE


async def now(scene: Scene, work_id: str | None) -> Standard:
    by = await standard(work_id, Context(KEY, scene.ledger, scene.parts, "request", "call"))
    assert by is not None
    return by


@pytest.mark.anyio
async def test_what_is_on_its_way_and_what_is_blocked_is_around_the_work(scene: Scene) -> None:
    await scene.submitted()
    block = NewBlock("a fake", title=RELEASE)
    await scene.write(lambda tx: blocklist.add(tx, block, scene.ledger.now(), by="owner:ada"))
    by = await now(scene, await scene.work_id())
    assert by.work is not None
    assert (by.work.title, by.on_shelf) == ("Sintel", frozenset())
    assert set(by.around.in_flight) == {(0, 0)}
    assert [one.reason for one in by.around.blocked] == ["a fake"]


@pytest.mark.anyio
async def test_what_stands_on_the_shelf_counts_wherever_it_came_from(scene: Scene) -> None:
    row = await scene.arrived()
    plan = (await scene.answer("organize.plan", IMPORT, download=row.id))["plan"]
    await scene.answer("organize.execute", IMPORT, plan=plan)
    by = await now(scene, await scene.work_id())
    assert (by.on_shelf, set(by.around.held)) == ({(0, 0)}, {(0, 0)})
    series = await scene.id_of(await scene.work(id_="tmdb:series:900001"))
    await scene.write(
        lambda tx: shelf.move_slot(tx, series, 1, 2, state="satisfied", asset_id=None)
    )
    adopted = await now(scene, series)
    assert (adopted.on_shelf, set(adopted.around.held)) == ({(1, 2)}, set())


@pytest.mark.anyio
@pytest.mark.parametrize("work_id", [None, "work_of_nobody"])
async def test_without_a_work_nothing_is_around(scene: Scene, work_id: str | None) -> None:
    await scene.submitted()
    by = await now(scene, work_id)
    assert (by.work, by.on_shelf, by.around.in_flight) == (None, frozenset(), {})
