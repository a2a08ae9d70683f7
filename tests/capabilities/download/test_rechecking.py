"""Whether others see what is written into a download's files; in doubt they do."""

from dataclasses import replace
from pathlib import Path

import pytest

from capabilities.adapters.shelf.folders import Folders
from capabilities.download.rechecking import hash_anew, is_shared
from tests.capabilities.download.removing import imported, source
from tests.scene import Scene

pytestmark = pytest.mark.anyio


async def test_what_stands_in_the_library_or_has_another_name_is_shared(
    scene: Scene, tmp_path: Path
) -> None:
    row = await scene.arrived()
    transfer = await scene.client.transfer(row.info_hash)
    assert transfer is not None
    assert not await is_shared(row, transfer, scene.folders)
    assert await is_shared(replace(row, state="imported"), transfer, scene.folders)
    (tmp_path / "kept.mkv").hardlink_to(source(scene))
    assert await is_shared(row, transfer, scene.folders)


async def test_what_cannot_be_looked_at_is_taken_for_shared(scene: Scene, tmp_path: Path) -> None:
    row = await scene.arrived()
    transfer = await scene.client.transfer(row.info_hash)
    assert transfer is not None
    elsewhere = Folders(tmp_path, scene.folders.films, scene.folders.series)
    assert await is_shared(row, transfer, elsewhere)
    assert await is_shared(row, transfer, None)
    film = source(scene).rename(tmp_path / "film.mkv")
    source(scene).mkdir()
    assert await is_shared(row, transfer, scene.folders)
    source(scene).rmdir()
    film.rename(source(scene))


async def test_one_that_an_earlier_attempt_had_stopped_runs_again(scene: Scene) -> None:
    row = await imported(scene)
    transfer = await scene.client.transfer(row.info_hash)
    assert transfer is not None
    checked = await hash_anew(scene.client, transfer, guarded=True, stopped_by_us=True)
    assert (checked.complete, checked.held) == (True, False)
