"""What is believed of a double that shows little, and for how long it is waited for."""

from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser
from capabilities.adapters.downloader.qbittorrent_live import Pace
from tests.capabilities.adapters.downloader.qbittorrent_server import account_of, connected
from tests.capabilities.adapters.downloader.rig import film
from world.qbittorrent_double import QbittorrentDouble, qbittorrent_double
from world.seeder import make_torrent

PACE = Pace(busy_s=60, idle_s=60, settle_s=0.4)


@pytest.fixture
async def double() -> AsyncGenerator[QbittorrentDouble]:
    async with qbittorrent_double() as served:
        yield served


@pytest.mark.anyio
@pytest.mark.parametrize("word", ["moving", "error", "missingFiles"])
async def test_a_pause_that_another_state_hides_is_believed(
    double: QbittorrentDouble, tmp_path: Path, word: str
) -> None:
    torrent = make_torrent(film(tmp_path))
    async with connected(account_of(double), PACE) as client:
        key = (await client.add(AddRequest(torrent, tmp_path))).key
        double.torrents[key].row["state"] = word
        double.hides = True
        await client.pause(key, by=Pauser.US)

    assert double.torrents[key].tags == {"matinee-paused"}
    assert double.calls["stop"] == 1


@pytest.mark.anyio
async def test_a_check_that_waits_since_files_were_missed_is_let_begin(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    torrent = make_torrent(film(tmp_path))
    pace = Pace(busy_s=60, idle_s=60, settle_s=4)
    async with connected(account_of(double), pace) as client:
        key = (await client.add(AddRequest(torrent, tmp_path))).key
        double.torrents[key].row["state"] = "missingFiles"
        await client.recheck(key)
        started = double.calls["start"]
        await client.recheck(key)

    # The second check was of a torrent that nobody missed files of.
    assert (started, double.calls["start"]) == (1, 1)


@pytest.mark.anyio
async def test_a_recheck_that_is_over_at_once_is_not_waited_for(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    torrent = make_torrent(film(tmp_path))
    async with connected(account_of(double), Pace(busy_s=60, idle_s=60)) as client:
        key = (await client.add(AddRequest(torrent, tmp_path))).key
        double.torrents[key].row |= {"state": "stalledUP", "amount_left": 0}
        double.hides = True
        with anyio.fail_after(2):
            await client.recheck(key)
        transfer = await client.transfer(key)

    assert transfer is not None
    assert transfer.state is ClientState.SEEDING
    assert double.calls["recheck"] == 1
