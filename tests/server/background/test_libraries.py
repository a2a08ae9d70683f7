import shutil
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from ledger.stores import assets
from server.background.libraries import keep_libraries
from tests.capabilities.inventory.library import adopted, episode, put
from tests.scene import Scene

pytestmark = pytest.mark.anyio


async def asked(scene: Scene) -> list[tuple[str, Any]]:
    return [(one.title, one.evidence["files"]) for one in await scene.decisions()]


async def test_new_videos_are_asked_about_once_and_taken_by_nobody(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"))
    await adopted(scene, series)
    scene.base.time.ahead += timedelta(minutes=5)
    put(series, episode(1, "S01E02"), "notes.txt")
    for _ in range(2):
        await keep_libraries(scene.ledger)
        ((title, files),) = await asked(scene)
        assert title.startswith("1 videos in ")
        assert files == [episode(1, "S01E02")]
    assert len(await scene.read(lambda conn: assets.below(conn, str(series)))) == 1
    await adopted(scene, series)
    assert await asked(scene) == []


async def test_a_question_about_files_that_went_again_closes_by_itself(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"))
    await adopted(scene, series)
    scene.base.time.ahead += timedelta(minutes=5)
    put(series, episode(1, "S01E02"))
    await keep_libraries(scene.ledger)
    (series / episode(1, "S01E02")).unlink()
    await keep_libraries(scene.ledger)
    assert await asked(scene) == []


async def test_a_question_about_a_file_that_an_import_recorded_meanwhile_closes_by_itself(
    scene: Scene,
) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"))
    await adopted(scene, series)
    scene.base.time.ahead += timedelta(minutes=5)
    put(series, episode(1, "S01E02"))
    await keep_libraries(scene.ledger)
    assert len(await asked(scene)) == 1
    held = await scene.read(lambda conn: assets.below(conn, str(series)))
    placed = replace(
        next(iter(held.values())), id="asset_2", path=str(series / episode(1, "S01E02"))
    )
    await scene.write(lambda tx: assets.put_many(tx, [placed]))
    await keep_libraries(scene.ledger)
    assert await asked(scene) == []


async def test_one_library_that_cannot_be_read_keeps_no_other_waiting(scene: Scene) -> None:
    films, series = scene.folders.films, scene.folders.series
    put(films, "Sintel (2010)/Sintel (2010).mkv")
    put(series, episode(1, "S01E01"))
    await adopted(scene, films)
    await adopted(scene, series)
    shutil.rmtree(films)
    (series / episode(1, "S01E01")).rename(series / "Moved - S01E01.mkv")
    await keep_libraries(scene.ledger)
    assert len(await scene.read(lambda conn: assets.below(conn, str(films)))) == 1
    moved = await scene.read(lambda conn: assets.below(conn, str(series)))
    assert list(moved) == [str(series / "Moved - S01E01.mkv")]
    films.mkdir()


async def test_streams_are_read_along_the_way(scene: Scene) -> None:
    put(scene.folders.series, episode(1, "S01E01"))
    await adopted(scene, scene.folders.series)
    await keep_libraries(scene.ledger)
    assert await scene.read(lambda conn: assets.unprobed(conn, limit=1)) == []
