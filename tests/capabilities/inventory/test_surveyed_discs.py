import shutil
from dataclasses import replace
from datetime import timedelta

import pytest

from capabilities.inventory.surveying import survey
from ledger.stores import assets, shelf
from tests.capabilities.inventory.library import adopted, episode, put
from tests.scene import Scene

DISC = "Lantern Street (2019)/Season 01/Disc 1"
MAIN = f"{DISC}/BDMV/STREAM/00001.m2ts"


@pytest.mark.anyio
async def test_a_disc_is_there_as_long_as_its_folder_is(scene: Scene) -> None:
    series = scene.folders.series
    put(series, episode(1, "S01E01"))
    await adopted(scene, series)
    put(series, MAIN, f"{DISC}/BDMV/index.bdmv")
    known = await scene.read(lambda conn: assets.below(conn, str(series)))
    (video,) = known.values()
    at = (series / MAIN).stat()
    row = replace(video, id="asset_disc", path=str(series / MAIN), inode=at.st_ino, size=at.st_size)
    await scene.write(lambda tx: shelf.put_asset(tx, row))
    scene.base.time.ahead += timedelta(hours=1)

    await survey(series, scene.ledger)
    assert len(await scene.read(lambda conn: assets.below(conn, str(series)))) == 2

    shutil.rmtree(series / DISC)
    scene.base.time.ahead += timedelta(hours=1)
    await survey(series, scene.ledger)
    assert list(await scene.read(lambda conn: assets.below(conn, str(series)))) == [video.path]
