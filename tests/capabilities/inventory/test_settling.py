import shutil
from dataclasses import replace
from datetime import timedelta

import pytest

from capabilities.inventory.surveying import survey
from capabilities.kernel.faults import DeclinedError
from ledger.stores import assets, surveys
from ledger.stores.assets import Change
from tests.capabilities.inventory.library import adopted, episode, put
from tests.capabilities.inventory.test_surveying import gaps, standing
from tests.scene import Scene

pytestmark = pytest.mark.anyio


async def test_a_library_without_its_videos_is_not_believed_whatever_else_it_holds(
    scene: Scene,
) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"), episode(1, "S01E02"))
    await adopted(scene, series)
    shutil.rmtree(series / episode(1, "").split("/")[0])
    put(series, "lost+found/notes.txt")
    for _ in range(2):
        with pytest.raises(DeclinedError, match="mounted"):
            await survey(series, scene.ledger)
    assert len(await standing(scene)) == 2
    assert await gaps(scene) == {"1": [3]}
    put(series, episode(1, "S01E01"))
    await survey(series, scene.ledger)
    assert list(await standing(scene)) == [episode(1, "S01E01")]


async def test_many_changes_are_written_some_at_a_time(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    series = scene.folders.series
    for size in ("GONE_AT_ONCE", "CHANGED_AT_ONCE", "FOLDERS_AT_ONCE"):
        monkeypatch.setattr(f"capabilities.inventory.settling.{size}", 2)
    names = [f"S01E01 - {number}" for number in range(12)]
    put(series, *(episode(1, name) for name in names))
    await adopted(scene, series)
    for name in names[:5]:
        (series / episode(1, name)).unlink()
    put(series, episode(2, "S02E01"))
    for name in names[5:10]:
        (series / episode(1, name)).rename(series / episode(2, name))
    await survey(series, scene.ledger)
    held = sorted(await standing(scene))
    assert held == sorted(
        [episode(1, name) for name in names[10:]] + [episode(2, name) for name in names[5:10]]
    )
    row = await scene.read(lambda conn: surveys.by_path(conn, str(series)))
    assert row is not None
    assert not row.unsettled


async def test_a_file_of_a_disk_that_is_off_is_not_gone(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"), episode(1, "S01E02"))
    await adopted(scene, series)
    away = (await standing(scene))[episode(1, "S01E01")]
    moved = Change(away.id, away.path, away.size, away.device + 1, away.inode, 1)
    await scene.write(lambda tx: assets.change(tx, [moved], away.seen_at))
    (series / episode(1, "S01E01")).unlink()
    await survey(series, scene.ledger)
    assert sorted(await standing(scene)) == [episode(1, "S01E01"), episode(1, "S01E02")]


async def test_what_came_onto_the_shelf_behind_a_look_stays_there(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"))
    await adopted(scene, series)
    (known,) = (await standing(scene)).values()
    late = replace(
        known,
        id="asset_late",
        path=f"{series}/{episode(1, 'S01E02')}",
        seen_at=scene.ledger.now() + timedelta(minutes=1),
    )
    await scene.write(lambda tx: assets.put_many(tx, [late]))
    put(series, episode(2, "S02E01"))
    await survey(series, scene.ledger)
    assert sorted(await standing(scene)) == [episode(1, "S01E01"), episode(1, "S01E02")]


async def test_another_file_in_the_place_of_a_deleted_one_is_not_taken_for_it(
    scene: Scene,
) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"), episode(1, "S01E02"))
    await adopted(scene, series)
    other = series / episode(2, "S02E01")
    other.parent.mkdir(parents=True)
    (series / episode(1, "S01E01")).rename(other)  # its inode, as if it had been given out again
    other.write_bytes(b"2" * 7_000)
    await survey(series, scene.ledger)
    assert list(await standing(scene)) == [episode(1, "S01E02")]
    assert await gaps(scene) == {"1": [1, 3]}


async def test_two_names_of_one_file_that_are_renamed_are_not_taken_for_one(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"))
    (series / episode(1, "S01E02")).hardlink_to(series / episode(1, "S01E01"))
    await adopted(scene, series)
    for number in ("S01E01", "S01E02"):
        (series / episode(1, number)).rename(series / episode(1, number, "Rain"))
    await survey(series, scene.ledger)
    assert len(await standing(scene)) == 1
    assert (await survey(series, scene.ledger)).is_changed is False
