from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from capabilities.inventory.surveying import survey
from ledger.stores import assets, libraries
from server.background.new_videos import ask_about_new
from server.background.surveys import Surveyor
from tests.capabilities.inventory.library import adopted, episode, put
from tests.scene import Scene

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def watched(scene: Scene) -> None:
    Surveyor(scene.ledger, soon_s=60).attend()


async def asked(scene: Scene) -> list[tuple[str, Any]]:
    return [(one.title, one.evidence["files"]) for one in await scene.decisions()]


async def look(scene: Scene) -> None:
    """A look, and what is asked after it."""
    series = scene.folders.series
    found = await survey(series, scene.ledger)
    library = await scene.read(lambda conn: libraries.by_path(conn, str(series)))
    assert library is not None
    await ask_about_new(scene.ledger, library, changed=found.is_changed)


async def begun(scene: Scene, *more: str) -> None:
    """A library with one episode, five minutes after it was adopted."""
    put(scene.folders.series, episode(1, "S01E01"), *more)
    await adopted(scene, scene.folders.series)
    scene.base.time.ahead += timedelta(minutes=5)


async def test_new_videos_are_asked_about_once_and_taken_by_nobody(scene: Scene) -> None:
    series = scene.folders.series
    await begun(scene)
    put(series, episode(1, "S01E02"), "notes.txt")
    for _ in range(2):
        await look(scene)
        ((title, files),) = await asked(scene)
        assert title.startswith("1 videos in ")
        assert files == [episode(1, "S01E02")]
    assert len(await scene.read(lambda conn: assets.below(conn, str(series)))) == 1
    await adopted(scene, series)
    assert await asked(scene) == []


async def test_a_question_about_files_that_went_again_closes_by_itself(scene: Scene) -> None:
    await begun(scene)
    put(scene.folders.series, episode(1, "S01E02"))
    await look(scene)
    (scene.folders.series / episode(1, "S01E02")).unlink()
    await look(scene)
    assert await asked(scene) == []


async def test_a_question_about_a_file_that_an_import_recorded_meanwhile_closes_by_itself(
    scene: Scene,
) -> None:
    series = scene.folders.series
    await begun(scene)
    put(series, episode(1, "S01E02"))
    await look(scene)
    assert len(await asked(scene)) == 1
    held = await scene.read(lambda conn: assets.below(conn, str(series)))
    placed = replace(
        next(iter(held.values())), id="asset_2", path=str(series / episode(1, "S01E02"))
    )
    await scene.write(lambda tx: assets.put_many(tx, [placed]))
    await look(scene)
    assert await asked(scene) == []


async def test_what_was_left_at_the_top_is_not_new_because_another_folder_changed(
    scene: Scene,
) -> None:
    await begun(scene, "Nobody Knows This - S01E01.mkv")
    before = [one.title for one in await scene.decisions()]
    put(scene.folders.series, episode(1, "notes"), episode(2, "notes").replace(".mkv", ".txt"))
    (scene.folders.series / episode(1, "notes")).unlink()
    await look(scene)
    assert [one.title for one in await scene.decisions()] == before
