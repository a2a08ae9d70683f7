"""A client is told the plan's files, and one that has the torrent is not told anything."""

from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import AddRequest, Transfer
from capabilities.adapters.downloader.torrent_file import read_torrent
from capabilities.download.acquisition import Acquisition, acquisition
from capabilities.download.selection import indexes
from capabilities.kernel.codes import Code
from tests.capabilities.download.packs import SEASON, episode, held, identified, offered, written
from tests.scene import Scene
from world.seeder import make_torrent

SUBMIT = "download.submit"


async def planned(house: Scene) -> tuple[str, Acquisition]:
    """An approved plan for the pack: its reference, and what it asks for."""
    plan = (await house.answer("download.plan", release=await identified(house)))["plan"]
    await house.approved(SUBMIT, plan=plan)
    return plan, acquisition(await house.plan(await house.id_of(plan)))


async def by_hand(scene: Scene, torrent: bytes, *paths: str) -> Transfer:
    """The owner has the client fetch these files of the torrent."""
    files = read_torrent(torrent).shown()
    wanted = tuple(file.index for file in files if file.path in paths)
    hashes = await scene.client.add(AddRequest(torrent, scene.folders.downloads, wanted))
    transfer = await scene.client.transfer(hashes.key)
    assert transfer is not None
    return transfer


def chosen(transfer: Transfer) -> set[str]:
    return {file.path.rpartition("/")[2] for file in transfer.files if file.wanted}


@pytest.mark.anyio
async def test_where_everything_is_wanted_nothing_is_chosen(scene: Scene, tmp_path: Path) -> None:
    source = written(tmp_path)
    torrent = read_torrent(make_torrent(source))
    async with offered(scene, source) as (house, _):
        _, whole = await planned(house)
    part = whole.model_copy(update={"files": whole.files[1:3]})
    assert indexes(whole, torrent) is None
    assert indexes(part, torrent) == (1, 2)


@pytest.mark.anyio
async def test_a_client_that_does_not_fetch_what_is_wanted_is_not_waited_for(
    scene: Scene, tmp_path: Path
) -> None:
    await held(scene, 1)
    async with offered(scene, written(tmp_path)) as (house, seed):
        plan, wanted = await planned(house)
        there = await by_hand(scene, seed.torrent_bytes, f"{SEASON}/{episode(1)}.mkv")
        failed = await house.failure(Code.CONFLICT, SUBMIT, plan=plan)
        now = await scene.client.transfer(wanted.info_hash)
    assert failed.sentence.startswith(
        "embedded has this torrent already and does not fetch 2 videos of the plan, "
    )
    assert now is not None
    assert chosen(now) == chosen(there) == {f"{episode(1)}.mkv"}
    assert await scene.downloads() == []


@pytest.mark.anyio
async def test_a_client_that_fetches_all_videos_of_the_plan_is_followed_and_left_as_it_is(
    scene: Scene, tmp_path: Path
) -> None:
    await held(scene, 1)
    async with offered(scene, written(tmp_path)) as (house, seed):
        plan, _ = await planned(house)
        paths = [f"{SEASON}/{episode(number)}.mkv" for number in (1, 2, 3)]
        there = await by_hand(scene, seed.torrent_bytes, *paths)
        answer = await house.answer(SUBMIT, plan=plan)
        row = await house.download(await house.id_of(answer["download"]))
        now = await house.until_complete(row.info_hash)
    assert answer["adopted"]
    assert chosen(now) == chosen(there)
    made = await scene.answer("organize.plan", download=row.id)
    assert {file["source"] for file in made["files"]} == set(paths[1:])
    assert made["left"] == [
        {"path": paths[0], "why": "the plan of this download did not ask for it"}
    ]
