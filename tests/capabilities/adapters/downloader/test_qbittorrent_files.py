"""The files of a torrent as a double tells of them."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import AddRequest, ClientState
from capabilities.adapters.downloader.qbittorrent_answers import UnreadableError
from tests.capabilities.adapters.downloader.qbittorrent_server import account_of, connected
from tests.capabilities.adapters.downloader.rig import film, pack
from world.qbittorrent_double import QbittorrentDouble, qbittorrent_double
from world.seeder import make_torrent


@pytest.fixture
async def double() -> AsyncGenerator[QbittorrentDouble]:
    async with qbittorrent_double() as served:
        yield served


@pytest.mark.anyio
async def test_progress_is_told_by_file(double: QbittorrentDouble, tmp_path: Path) -> None:
    async with connected(account_of(double)) as client:
        key = (await client.add(AddRequest(make_torrent(pack(tmp_path)), tmp_path))).key
        files = double.torrents[key].files
        files[1] |= {"progress": 0.5}
        files[2] |= {"progress": 1, "priority": 0}
        transfer = await client.transfer(key)

    assert transfer is not None
    assert [(file.done, file.wanted) for file in transfer.files] == [
        (0, True),
        (files[1]["size"] // 2, True),
        (files[2]["size"], False),
        (0, True),
    ]


@pytest.mark.anyio
async def test_a_name_that_became_unsafe_there_is_refused(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    async with connected(account_of(double)) as client:
        key = (await client.add(AddRequest(make_torrent(film(tmp_path)), tmp_path))).key
        double.torrents[key].files[0]["name"] = "../../evil.mkv"
        transfer = await client.transfer(key)

    assert transfer is not None
    assert (transfer.state, transfer.files) == (ClientState.FAILED, ())
    assert "file name" in (transfer.error or "")


@pytest.mark.anyio
async def test_a_torrent_of_which_nonsense_is_told_hides_no_other(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    async with connected(account_of(double)) as client:
        for name in ("a.mkv", "b.mkv", "c.mkv", "d.mkv"):
            torrent = make_torrent(film(tmp_path, name=name))
            await client.add(AddRequest(torrent, tmp_path))
        first, second, third, fourth = double.torrents
        double.torrents[first].files.append(double.torrents[first].files[0])
        double.torrents[second].row["size"] = "many"
        double.torrents[third].raw = b""

        assert [one.hashes.key for one in await client.transfers()] == [fourth]
        for key in (first, second, third):
            with pytest.raises(UnreadableError):
                await client.transfer(key)
