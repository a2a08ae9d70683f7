"""What went wrong with download clients elsewhere, as reports tell it, and what happens here.

The tests are named after the collected reports: ``DL-`` those of MoviePilot and its forks, ``ARR-``
those of the arrs and the programs beside them. What stands still, is given up or is a fake has its
cases in `tests.server.background`.
"""

from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse

from capabilities.adapters.downloader.port import AddRequest
from capabilities.adapters.downloader.transmission_row import FullRow
from capabilities.adapters.downloader.transmission_transfer import transfer_of
from capabilities.kernel.codes import Code
from capabilities.kernel.faults import DeclinedError, LostAnswerError
from capabilities.rules.path_mapping import PathMap, SameFolder
from tests.capabilities.adapters.downloader.qbittorrent_server import account_of, connected
from tests.capabilities.adapters.downloader.rig import film, pack
from tests.capabilities.download.submitting import add_by_hand, drafted
from tests.scene import Scene
from world.qbittorrent_double import qbittorrent_double
from world.seeder import make_torrent

pytestmark = pytest.mark.anyio

SUBMIT = "download.submit"
TRANSMISSION_SAYS = {"id": 1, "hashString": "ab" * 20, "name": "x", "status": 0}


async def test_dl_02_arr_28_another_torrent_than_was_asked_for_is_no_success(
    tmp_path: Path,
) -> None:
    """A client says yes, and the newest torrent that it has is of another work."""
    asked, other = make_torrent(film(tmp_path)), make_torrent(pack(tmp_path))
    async with qbittorrent_double() as double, connected(account_of(double), total_s=0.5) as client:
        await client.add(AddRequest(other, tmp_path))
        double.fakes["add"] = PlainTextResponse("Ok.")
        with pytest.raises((LostAnswerError, DeclinedError)):
            await client.add(AddRequest(asked, tmp_path))
        assert len(double.torrents) == 1


async def test_arr_28_the_hash_is_of_the_file_and_not_what_a_client_says(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path))
    async with qbittorrent_double() as double, connected(account_of(double)) as client:
        # It answers "Ok." and no hash at all.
        hashes = await client.add(AddRequest(torrent, tmp_path))
        assert list(double.torrents) == [hashes.key]


async def test_dl_04_a_client_that_refuses_is_quoted() -> None:
    said = {"error": 3, "errorString": "Couldn't create folder: Read-only", "downloadDir": "/x"}
    failed = transfer_of(FullRow.model_validate({**TRANSMISSION_SAYS, **said}), quiet=False)
    assert failed.error is not None
    assert "Couldn't create folder: Read-only" in failed.error


async def test_dl_07_one_row_that_makes_no_sense_hides_no_other(tmp_path: Path) -> None:
    async with qbittorrent_double() as double, connected(account_of(double)) as client:
        odd = (await client.add(AddRequest(make_torrent(film(tmp_path)), tmp_path))).key
        good = (await client.add(AddRequest(make_torrent(pack(tmp_path)), tmp_path))).key
        double.torrents[odd].row |= {"name": ["a", "list"], "save_path": 7}
        found = {one.hashes.key for one in await client.transfers()}
    assert good in found


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("/downloads/x/film.mkv", "/media/dl/x/film.mkv"),
        ("/downloads/tv/show.mkv", "/media/series/show.mkv"),
        ("/downloads-old/film.mkv", "/downloads-old/film.mkv"),
    ],
    ids=["mapped", "the longest folder", "whole folders only"],
)
def test_dl_08_a_path_is_looked_for_where_we_see_it(theirs: str, ours: str) -> None:
    paths = PathMap(
        [SameFolder("/media/dl", "/downloads"), SameFolder("/media/series", "/downloads/tv")]
    )
    assert paths.to_ours(theirs) == ours


@pytest.mark.parametrize("capability", ["download.plan", SUBMIT])
async def test_dl_09_nobody_but_the_policy_says_where_it_is_saved(
    scene: Scene, capability: str
) -> None:
    refused = await scene.call(capability, plan="plan:1", release="rel:1", save_path="/etc")
    assert getattr(refused, "code", None) is Code.INVALID_INPUT
    row = await scene.submitted()
    transfer = await scene.client.transfer(row.info_hash)
    assert transfer is not None
    assert transfer.save_path == scene.folders.downloads


async def test_dl_10_what_running_downloads_are_owed_is_no_room(scene: Scene) -> None:
    row = await scene.submitted()
    await scene.turn(row.id, "downloading", work="work_other", info_hash="ab" * 20, size=1 << 60)
    release = await scene.identified()
    refused = await scene.refusal(Code.PRECONDITION, "download.plan", release=release)
    assert "GB owed to running downloads" in refused.sentence


async def test_arr_26_a_torrent_that_is_there_already_is_adopted(scene: Scene) -> None:
    plan, _ = await drafted(scene)
    key = await add_by_hand(scene)
    await scene.approved(SUBMIT, plan=plan)
    assert (await scene.answer(SUBMIT, plan=plan))["adopted"] is True
    (row,) = await scene.downloads()
    assert row.info_hash == key
    assert len(await scene.client.transfers()) == 1
