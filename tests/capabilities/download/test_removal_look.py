"""What is looked at before a removal is what is there; what cannot be looked at bars it."""

import pytest

from capabilities.adapters.downloader.port import Downloaders
from capabilities.download.removal_look import RemovalLook, own_names
from tests.capabilities.download.removing import imported
from tests.scene import Scene
from world.stage import RELEASE

pytestmark = pytest.mark.anyio


def look(scene: Scene) -> RemovalLook:
    return RemovalLook(scene.ledger, scene.parts.get(Downloaders), scene.folders)


async def test_two_looks_at_one_world_see_the_same(scene: Scene) -> None:
    row = await imported(scene)
    first = await look(scene).freeze(row, delete_data=True)
    assert first == await look(scene).freeze(row, delete_data=True)
    assert first.bar is None
    assert [file.path for file in first.doomed.files] == [
        f"{RELEASE}/{RELEASE}.en.srt",
        f"{RELEASE}/{RELEASE}.mkv",
    ]


async def test_a_library_that_is_away_bars_the_deleting_and_not_the_removing(scene: Scene) -> None:
    row = await imported(scene)
    away = scene.folders.series.rename(scene.folders.series.with_name("away"))
    barred = await look(scene).freeze(row, delete_data=True)
    keeping = await look(scene).freeze(row, delete_data=False)
    away.rename(scene.folders.series)
    assert barred.bar is not None
    assert barred.bar.sentence.startswith("the library Series: ")
    assert keeping.bar is None


async def test_pieces_of_files_that_were_not_wanted_are_the_torrents_own(scene: Scene) -> None:
    row = await imported(scene)
    parts = scene.folders.downloads / f".{row.info_hash}.parts"
    parts.write_bytes(b"pieces")
    seen = await look(scene).freeze(row, delete_data=True)
    assert parts.name in [file.path for file in seen.doomed.files]
    transfer = await scene.client.transfer(row.info_hash)
    assert transfer is not None
    assert len([name for name in own_names(transfer) if not name.startswith(".")]) == 2
