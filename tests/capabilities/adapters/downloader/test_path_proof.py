"""The proof where a client does not go along; that it works is in `contract_paths`."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from capabilities.adapters.downloader.path_proof import prove
from capabilities.adapters.downloader.port import AddRequest
from capabilities.adapters.shelf.faults import NotFoundError
from tests.capabilities.adapters.downloader.qbittorrent_server import account_of, connected
from tests.capabilities.adapters.downloader.rig import embedded, film, listing
from world.qbittorrent_double import Mishap, QbittorrentDouble, qbittorrent_double
from world.seeder import make_torrent


@pytest.fixture
async def double() -> AsyncGenerator[QbittorrentDouble]:
    async with qbittorrent_double() as served:
        yield served


@pytest.fixture
def downloads(tmp_path: Path) -> Path:
    folder = tmp_path / "downloads"
    folder.mkdir()
    return folder


@pytest.mark.anyio
async def test_one_that_takes_no_torrent_proves_nothing(
    double: QbittorrentDouble, downloads: Path
) -> None:
    double.refuses = True
    async with connected(account_of(double)) as client:
        proof = await prove(client, downloads)

    assert proof.proven is None
    assert "did not take the torrent" in proof.sentence
    assert listing(downloads) == set()


@pytest.mark.anyio
async def test_one_that_is_away_is_not_even_written_for(
    double: QbittorrentDouble, downloads: Path
) -> None:
    double.mishaps["maindata"] = Mishap.BROKEN
    async with connected(account_of(double)) as client:
        proof = await prove(client, downloads)

    assert (proof.proven, double.calls["add"]) == (None, 0)
    assert "HTTP 500" in proof.sentence
    assert listing(downloads) == set()


@pytest.mark.anyio
async def test_one_that_checks_without_end_is_not_waited_for(
    double: QbittorrentDouble, downloads: Path
) -> None:
    # The double never gets further than "checking".
    async with connected(account_of(double)) as client:
        proof = await prove(client, downloads, patience_s=0.5)

    assert proof.proven is None
    assert "within 0.5 s" in proof.sentence
    assert double.torrents == {}
    assert listing(downloads) == set()


@pytest.mark.anyio
async def test_what_was_added_and_not_answered_goes_too(
    double: QbittorrentDouble, downloads: Path
) -> None:
    async with connected(account_of(double), total_s=0.5) as client:
        await client.transfers()
        double.mishaps["add"] = Mishap.LOST
        proof = await prove(client, downloads)

    assert proof.proven is None
    assert double.torrents == {}
    assert listing(downloads) == set()


@pytest.mark.anyio
async def test_other_files_and_torrents_stay(tmp_path: Path, downloads: Path) -> None:
    bystander = downloads / "matinee-path-proof-of-mine.bin"
    bystander.write_bytes(b"x")
    torrent = make_torrent(film(tmp_path / "theirs"), announce_url="http://127.0.0.1:9/announce")
    async with embedded(tmp_path) as client:
        key = (await client.add(AddRequest(torrent, downloads))).key
        proof = await prove(client, downloads)
        left = [one.hashes.key for one in await client.transfers()]

    assert proof.proven
    assert left == [key]
    assert listing(downloads) == {bystander.name}


@pytest.mark.anyio
async def test_a_folder_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    async with embedded(tmp_path) as client:
        with pytest.raises(NotFoundError):
            await prove(client, tmp_path / "nothing")
