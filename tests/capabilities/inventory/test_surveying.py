from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from capabilities.adapters.shelf.faults import NotFoundError
from capabilities.inventory.surveying import survey
from capabilities.kernel.faults import DeclinedError
from ledger.faults import LedgerUnavailableError
from ledger.stores import assets, libraries
from ledger.stores.assets import Change
from ledger.stores.libraries import FolderRow
from ledger.stores.shelf import AssetRow
from tests.capabilities.inventory.library import adopted, episode, put
from tests.scene import Scene

pytestmark = pytest.mark.anyio


async def folders(scene: Scene) -> dict[str, FolderRow]:
    rows = await scene.read(lambda conn: libraries.folders(conn, str(scene.folders.series)))
    return {row.path: row for row in rows}


async def standing(scene: Scene) -> dict[str, AssetRow]:
    found = await scene.read(lambda conn: assets.below(conn, str(scene.folders.series)))
    return {path.removeprefix(f"{scene.folders.series}/"): row for path, row in found.items()}


async def gaps(scene: Scene) -> dict[str, list[int]]:
    (shown,) = (await scene.answer("inventory.query", kind="series"))["works"]
    return shown["gaps"]


async def test_a_second_look_at_an_unchanged_library_writes_nothing(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"), episode(2, "S02E01"), "notes.txt")
    first = await survey(series, scene.ledger)
    assert (first.files, first.written, first.is_changed) == (3, 4, True)
    before = await folders(scene)
    scene.base.time.ahead *= 2
    again = await survey(series, scene.ledger)
    assert (again.files, again.written, again.is_changed) == (3, 0, False)
    assert await folders(scene) == before


async def test_only_folders_that_differ_are_written(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"), episode(2, "S02E01"))
    await survey(series, scene.ledger)
    put(series, episode(2, "S02E02"))
    assert (await survey(series, scene.ledger)).written == 1
    (series / episode(2, "S02E02")).write_bytes(b"1" * 900)  # the same size, at another time
    assert (await survey(series, scene.ledger)).written == 1


async def test_a_file_that_was_renamed_is_the_same_file_on_the_shelf(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"))
    await adopted(scene, series)
    before = (await standing(scene))[episode(1, "S01E01")]
    (series / episode(1, "S01E01")).rename(series / episode(1, "S01E01", "Rain"))
    await survey(series, scene.ledger)
    assert list(await standing(scene)) == [episode(1, "S01E01", "Rain")]
    after = (await standing(scene))[episode(1, "S01E01", "Rain")]
    assert (after.id, after.work, after.inode) == (before.id, before.work, before.inode)
    assert await gaps(scene) == {"1": [2, 3]}


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


async def test_a_look_at_a_part_forgets_no_file_that_moved_to_another_part(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"), episode(2, "S02E01"))
    await adopted(scene, series)
    moved = episode(2, "S01E01")
    (series / episode(1, "S01E01")).rename(series / moved)
    await survey((series / episode(1, "S01E01")).parent, scene.ledger)
    assert len(await standing(scene)) == 2
    await survey(series, scene.ledger)
    assert sorted(await standing(scene)) == [moved, episode(2, "S02E01")]


async def test_a_file_that_is_gone_is_a_gap_for_every_episode_it_held(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01-E02"), episode(1, "S01E03"))
    await adopted(scene, series)
    assert await gaps(scene) == {}
    (series / episode(1, "S01E01-E02")).unlink()
    await survey(series, scene.ledger)
    assert await gaps(scene) == {"1": [1, 2]}
    assert list(await standing(scene)) == [episode(1, "S01E03")]


async def test_a_file_that_changed_is_told_with_its_new_facts(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"))
    await adopted(scene, series)
    put(series, episode(1, "S01E01"), size=2_000)
    await survey(series, scene.ledger)
    assert (await standing(scene))[episode(1, "S01E01")].size == 2_000


async def test_a_library_that_is_empty_all_at_once_is_not_believed(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"))
    await adopted(scene, series)
    held = series.rename(series.with_name("unmounted"))
    series.mkdir()
    with pytest.raises(DeclinedError, match="mounted"):
        await survey(series, scene.ledger)
    series.rmdir()
    with pytest.raises(NotFoundError):
        await survey(series, scene.ledger)
    held.rename(series)
    assert list(await standing(scene)) == [episode(1, "S01E01")]


async def test_nothing_is_concluded_about_a_folder_that_became_too_deep_to_read(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"), episode(2, "S02E01"))
    await adopted(scene, series)
    monkeypatch.setattr("capabilities.adapters.shelf.scanning.DEEPEST", 1)
    found = await survey(series, scene.ledger)
    assert sorted(found.faults) == [str(Path(episode(n, "")).parent) for n in (1, 2)]
    assert found.gone == []
    assert len(await standing(scene)) == 2


async def test_a_look_that_was_cut_off_is_made_up_for_by_the_next(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"), episode(1, "S01E02"))
    await adopted(scene, series)
    (series / episode(1, "S01E02")).unlink()

    def cut(*_: object) -> None:
        raise LedgerUnavailableError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr("ledger.stores.assets.forget", cut)
        with pytest.raises(LedgerUnavailableError):
            await survey(series, scene.ledger)
    assert len(await standing(scene)) == 2
    assert (await survey(series, scene.ledger)).is_changed
    assert list(await standing(scene)) == [episode(1, "S01E01")]
