import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from capabilities.adapters.shelf.faults import NotFoundError
from capabilities.inventory.surveying import survey
from capabilities.kernel.faults import DeclinedError
from ledger.clock import Clock
from ledger.faults import LedgerUnavailableError
from ledger.stores import assets, libraries
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

    def cut(*_: object, **__: object) -> None:
        raise LedgerUnavailableError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr("ledger.stores.assets.forget", cut)
        with pytest.raises(LedgerUnavailableError):
            await survey(series, scene.ledger)
    assert len(await standing(scene)) == 2
    assert (await survey(series, scene.ledger)).is_changed
    assert list(await standing(scene)) == [episode(1, "S01E01")]


async def test_a_folder_that_took_the_place_of_the_library_is_not_believed(
    scene: Scene,
) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"), *(f"{number}/notes.txt" for number in range(60)))
    await adopted(scene, series)
    (series / episode(1, "S01E01")).unlink()
    scene.base.time.ahead += timedelta(minutes=1)
    put(series, *(f"{number}/more.txt" for number in range(60)))

    async def swap(_: object) -> None:
        series.rename(series.with_name("taken off"))
        put(series, "notes.txt")

    hasty = replace(scene.ledger, clock=Clock(monotonic=iter(range(1_000)).__next__))
    with pytest.raises(DeclinedError, match="Another folder"):
        await survey(series, hasty, swap)
    assert list(await standing(scene)) == [episode(1, "S01E01")]
    shutil.rmtree(series.with_name("taken off"))


async def test_a_look_that_only_sees_leaves_the_inventory_to_the_next_one(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"), episode(1, "S01E02"))
    await adopted(scene, series)
    await survey(series, scene.ledger)
    (series / episode(1, "S01E02")).unlink()
    seen = await survey(series, scene.ledger, settles=False)
    assert (seen.written, seen.is_changed) == (1, True)
    assert len(await standing(scene)) == 2
    followed = await survey(series, scene.ledger)
    assert (followed.written, followed.is_changed) == (0, True)
    assert list(await standing(scene)) == [episode(1, "S01E01")]
    assert not (await survey(series, scene.ledger)).is_changed


async def test_the_time_of_a_folder_is_that_of_its_own_last_change(scene: Scene) -> None:
    series = scene.folders.series
    put(series, "Loose - S01E01.mkv", episode(1, "S01E01"))
    await survey(series, scene.ledger)
    before = (await folders(scene))[""].seen_at
    scene.base.time.ahead += timedelta(minutes=5)
    put(series, episode(1, "S01E02"))
    await survey(series, scene.ledger)
    assert (await folders(scene))[""].seen_at == before
