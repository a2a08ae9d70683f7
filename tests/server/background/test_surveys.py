import shutil
from collections.abc import Callable

import anyio
import pytest

from capabilities.kernel.owing import SURVEY
from ledger import segments
from ledger.faults import StaleWriterError
from ledger.segments import Standing
from ledger.stores import assets, libraries, surveys
from ledger.stores.surveys import SurveyRow
from ledger.writer import Transaction
from server.background.surveys import Surveyor
from tests.capabilities.inventory.library import LANTERN, adopted, episode, put
from tests.scene import OWNER, Scene

pytestmark = pytest.mark.anyio


async def row_of(scene: Scene) -> SurveyRow:
    row = await scene.read(lambda conn: surveys.by_path(conn, str(scene.folders.series)))
    assert row is not None
    return row


async def held(scene: Scene) -> list[str]:
    series = scene.folders.series
    found = await scene.read(lambda conn: assets.paths_below(conn, str(series)))
    return sorted(path.removeprefix(f"{series}/") for path in found)


async def until(scene: Scene, holds: Callable[[list[str]], bool]) -> None:
    with anyio.fail_after(4):
        async with scene.ledger.feed.listening() as bell:
            while not holds(await held(scene)):
                await bell.receive()


async def state(scene: Scene) -> Standing:
    id_ = (await row_of(scene)).id
    with anyio.fail_after(4):
        async with scene.ledger.feed.listening() as bell:
            while True:
                found = await scene.read(lambda conn: segments.of(conn, SURVEY, id_))
                assert found is not None
                if found.state not in {Standing.RUNNING, Standing.QUEUED}:
                    return found.state
                with anyio.move_on_after(0.2):  # the engine writes without ringing
                    await bell.receive()


async def hear(scene: Scene) -> None:
    """What the watch does when something changed."""

    def write(tx: Transaction) -> None:
        row = surveys.hear(tx, str(scene.folders.series))
        scene.ledger.engine.nudge(tx, SURVEY, row.id)

    await scene.write(write)


async def test_what_is_heard_of_is_seen_and_the_inventory_follows(scene: Scene) -> None:
    Surveyor(scene.ledger).attend()
    series = scene.folders.series
    put(series, episode(1, "S01E01"), episode(1, "S01E02"))
    await adopted(scene, series)
    (series / episode(1, "S01E02")).unlink()
    await hear(scene)
    await until(scene, lambda paths: paths == [episode(1, "S01E01")])
    assert await state(scene) is Standing.WAITING


async def test_the_inventory_follows_a_plan_soon_after_it_and_not_in_it(scene: Scene) -> None:
    Surveyor(scene.ledger, soon_s=0.2).attend()
    series = scene.folders.series
    put(series, episode(1, "S01E01"), episode(1, "S01E02"))
    await adopted(scene, series)
    (series / episode(1, "S01E02")).unlink()
    assert (await scene.answer("inventory.plan", OWNER, library="series"))["videos"] == 1
    await until(scene, lambda paths: paths == [episode(1, "S01E01")])


async def test_a_folder_that_was_looked_at_and_not_adopted_is_not_looked_at_again(
    scene: Scene,
) -> None:
    surveyor = Surveyor(scene.ledger)
    surveyor.attend()
    put(scene.folders.series, episode(1, "S01E01"))
    await scene.answer("inventory.plan", OWNER, library="series")
    assert await state(scene) is Standing.WAITING
    id_ = (await row_of(scene)).id
    await scene.write(lambda tx: scene.ledger.engine.wake(tx, SURVEY, id_))
    assert await state(scene) is Standing.ENDED


async def test_a_look_that_cannot_be_believed_says_why_and_changes_nothing(scene: Scene) -> None:
    Surveyor(scene.ledger).attend()
    series = scene.folders.series
    put(series, episode(1, "S01E01"))
    await adopted(scene, series)
    shutil.rmtree(series / LANTERN)
    await scene.call("inventory.plan", OWNER, library="series")
    row = await row_of(scene)
    assert (row.is_owed, "mounted" in (row.fault or "")) == (False, True)
    await hear(scene)
    assert await state(scene) is Standing.WAITING
    assert await held(scene) == [episode(1, "S01E01")]


async def test_a_look_that_was_overtaken_settles_nothing(scene: Scene) -> None:
    surveyor = Surveyor(scene.ledger)
    surveyor.attend()
    put(scene.folders.series, episode(1, "S01E01"))
    await scene.answer("inventory.plan", OWNER, library="series")
    asked = await scene.write(lambda tx: surveys.ask(tx, str(scene.folders.series)))
    with pytest.raises(StaleWriterError):
        await surveyor.segment(asked.id, 0)
    assert (await row_of(scene)).is_owed


async def test_of_several_looks_some_wait_for_their_turn(scene: Scene) -> None:
    surveyor = Surveyor(scene.ledger, at_once=0)
    surveyor.attend()
    put(scene.folders.series, episode(1, "S01E01"))

    def write(tx: Transaction) -> None:
        row = surveys.ask(tx, str(scene.folders.series))
        scene.ledger.engine.schedule(tx, SURVEY, row.id)

    await scene.write(write)
    assert await state(scene) is Standing.WAITING
    assert (await row_of(scene)).is_owed
    assert await scene.read(libraries.adopted) == []
