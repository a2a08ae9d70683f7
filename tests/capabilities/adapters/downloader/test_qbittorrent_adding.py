"""Adding, against a double that answers little, late or not at all."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import AddRequest
from capabilities.kernel.faults import DeclinedError, LostAnswerError
from tests.capabilities.adapters.downloader.qbittorrent_server import account_of, connected
from tests.capabilities.adapters.downloader.rig import film, pack
from world.qbittorrent_double import Mishap, QbittorrentDouble, qbittorrent_double
from world.seeder import make_torrent


@pytest.fixture
async def double() -> AsyncGenerator[QbittorrentDouble]:
    async with qbittorrent_double() as served:
        yield served


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("mishap", "kept"), [(Mishap.LOST, 1), (Mishap.SLOW, 0), (Mishap.BROKEN, 0)]
)
async def test_an_add_whose_answer_is_lost_says_that_it_is_not_known(
    double: QbittorrentDouble, tmp_path: Path, mishap: Mishap, kept: int
) -> None:
    torrent = make_torrent(film(tmp_path))
    async with connected(account_of(double), total_s=0.5) as client:
        double.mishaps["add"] = mishap
        with pytest.raises(LostAnswerError):
            await client.add(AddRequest(torrent, tmp_path))
        double.mishaps.clear()

        assert len(await client.transfers()) == kept
        assert double.calls["add"] == 1


@pytest.mark.anyio
@pytest.mark.parametrize("mishap", [Mishap.BROKEN, Mishap.GARBAGE])
async def test_trouble_after_it_took_the_torrent_says_that_it_is_not_known(
    double: QbittorrentDouble, tmp_path: Path, mishap: Mishap
) -> None:
    torrent = make_torrent(film(tmp_path))
    async with connected(account_of(double), total_s=0.5) as client:
        double.before_add = lambda: double.mishaps.update(maindata=mishap)
        with pytest.raises(LostAnswerError):
            await client.add(AddRequest(torrent, tmp_path))
    assert len(double.torrents) == 1


@pytest.mark.anyio
async def test_one_that_came_in_the_meantime_is_adopted(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    torrent = make_torrent(film(tmp_path))
    async with connected(account_of(double)) as client:
        hashes = await client.add(AddRequest(torrent, tmp_path))
        theirs = double.torrents.pop(hashes.key)
        await client.transfers()
        # Somebody else is quicker, between our look and our call.
        double.before_add = lambda: double.torrents.update({hashes.key: theirs})

        assert await client.add(AddRequest(torrent, tmp_path)) == hashes
    assert list(double.torrents) == [hashes.key]


@pytest.mark.anyio
async def test_what_is_not_taken_is_declined(double: QbittorrentDouble, tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path))
    async with connected(account_of(double)) as client:
        double.refuses = True
        with pytest.raises(DeclinedError, match="does not say why"):
            await client.add(AddRequest(torrent, tmp_path))

        assert await client.transfers() == []


@pytest.mark.anyio
async def test_a_choice_of_files_that_is_not_kept_is_declined_and_nothing_is(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    torrent = make_torrent(pack(tmp_path))
    async with connected(account_of(double)) as client:
        double.deaf = True
        with pytest.raises(DeclinedError, match="did not take the choice"):
            await client.add(AddRequest(torrent, tmp_path, wanted=(0,)))

        assert await client.transfers() == []


@pytest.mark.anyio
async def test_a_chosen_torrent_runs_and_leaves_no_tags(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    torrent = make_torrent(pack(tmp_path))
    async with connected(account_of(double)) as client:
        key = (await client.add(AddRequest(torrent, tmp_path, wanted=(0, 2)))).key

    held = double.torrents[key]
    assert [file["priority"] for file in held.files] == [1, 0, 1, 0]
    assert (held.row["state"], held.tags) == ("stalledDL", set())
    assert double.categories == {"matinee"}
