from dataclasses import replace
from datetime import timedelta

import pytest

from capabilities.adapters.downloader.port import ClientState, Transfer
from capabilities.rules.stalling import clock_of
from ledger.stores import events
from ledger.stores.downloads import DownloadRow
from server.background.readings import reading, unseen
from tests.scene import Scene, run_of
from tests.server.background.torrents import slow

pytestmark = pytest.mark.anyio

HUNDRED = 100 * 1_000_000


async def begun(scene: Scene) -> tuple[DownloadRow, Transfer]:
    async with slow(scene):
        row = await scene.submitted(by=run_of("run_1"))
        transfer = await scene.client.transfer(row.info_hash)
    assert transfer is not None
    return row, replace(transfer, state=ClientState.DOWNLOADING, wanted_bytes=HUNDRED)


async def read(scene: Scene, row: DownloadRow, transfer: Transfer, percent: int) -> DownloadRow:
    done = HUNDRED * percent // 100
    seen = replace(transfer, done_bytes=done)
    return await scene.write(lambda tx: reading(tx, row, seen, scene.ledger.now()))


async def told(scene: Scene) -> list[int]:
    rows = await scene.read(lambda conn: events.of_run(conn, "run_1"))
    return [one.body["percent"] for one in rows if one.type == "download_progress"]


async def test_whoever_waits_is_told_how_far_it_is_and_never_more_than_that(scene: Scene) -> None:
    row, transfer = await begun(scene)
    for percent in range(0, 100, 2):
        row = await read(scene, row, transfer, percent)
        scene.base.time.ahead += timedelta(seconds=31)
    assert await told(scene) == [6, 12, 18, 24, 30, 36, 42, 48, 54, 60, 66, 72, 78, 84, 90, 96]


async def test_a_fast_one_is_told_once_a_minute(scene: Scene) -> None:
    row, transfer = await begun(scene)
    for percent in range(0, 100, 10):
        row = await read(scene, row, transfer, percent)
        scene.base.time.ahead += timedelta(seconds=20)
    assert await told(scene) == [30, 60, 90]


async def test_an_event_says_what_a_console_shows(scene: Scene) -> None:
    row, transfer = await begun(scene)
    row = await read(scene, row, transfer, 0)
    scene.base.time.ahead += timedelta(minutes=2)
    await read(scene, row, replace(transfer, down_rate=7), 50)
    last = (await scene.read(lambda conn: events.of_run(conn, "run_1")))[-1]
    assert last.body == {
        "title": row.name,
        "percent": 50,
        "done": HUNDRED // 2,
        "size": HUNDRED,
        "rate": 7,
    }


async def test_other_facts_of_a_download_stay(scene: Scene) -> None:
    row, transfer = await begun(scene)
    row = replace(row, facts={"held": "space", "lost": 1})
    now = await read(scene, row, transfer, 0)
    assert now.facts["held"] == "space"
    assert "lost" not in now.facts


async def test_a_clock_stands_still_while_nothing_is_seen(scene: Scene) -> None:
    row, transfer = await begun(scene)
    row = await read(scene, row, transfer, 0)
    assert clock_of(row.facts).ran_at is not None
    await scene.write(lambda tx: unseen(tx, row))
    assert clock_of((await scene.download(row.id)).facts).ran_at is None
