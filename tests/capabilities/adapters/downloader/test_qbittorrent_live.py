"""Version 5 by a double that speaks its words, and what is said when it does not do as told."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser
from capabilities.adapters.downloader.qbittorrent_live import Pace
from capabilities.kernel.faults import DeclinedError, LostAnswerError
from tests.capabilities.adapters.downloader.qbittorrent_server import account_of, connected
from tests.capabilities.adapters.downloader.rig import film
from world.qbittorrent_double import Mishap, QbittorrentDouble, qbittorrent_double
from world.seeder import make_torrent

HASTY = Pace(busy_s=60, idle_s=60, settle_s=0.2)


@pytest.fixture
async def double() -> AsyncGenerator[QbittorrentDouble]:
    async with qbittorrent_double() as served:
        yield served


@pytest.mark.anyio
async def test_version_5_is_stopped_and_started(double: QbittorrentDouble, tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path))
    async with connected(account_of(double)) as client:
        key = (await client.add(AddRequest(torrent, tmp_path))).key
        await client.pause(key, by=Pauser.US)
        ours = await client.transfer(key)
        await client.resume(key, by=Pauser.US)
        running = await client.transfer(key)
        await client.pause(key, by=Pauser.OWNER)
        await client.pause(key, by=Pauser.US)
        with pytest.raises(DeclinedError, match="only the owner"):
            await client.resume(key, by=Pauser.US)
        owners = await client.transfer(key)

    states = [one.state for one in (ours, running, owners) if one is not None]
    assert states == [
        ClientState.PAUSED_BY_US,
        ClientState.DOWNLOADING,
        ClientState.PAUSED_BY_OWNER,
    ]
    assert (double.calls["stop"], double.calls["start"]) == (2, 1)
    assert double.torrents[key].tags == set()


@pytest.mark.anyio
@pytest.mark.parametrize("mishap", [Mishap.BROKEN, Mishap.LOST])
async def test_a_pause_whose_answer_is_lost_is_not_known(
    double: QbittorrentDouble, tmp_path: Path, mishap: Mishap
) -> None:
    torrent = make_torrent(film(tmp_path))
    async with connected(account_of(double), HASTY, total_s=0.5) as client:
        key = (await client.add(AddRequest(torrent, tmp_path))).key
        double.mishaps["stop"] = mishap
        with pytest.raises(LostAnswerError):
            await client.pause(key, by=Pauser.US)
        double.mishaps.clear()
        await client.pause(key, by=Pauser.US)
        paused = await client.transfer(key)

    assert paused is not None
    assert paused.state is ClientState.PAUSED_BY_US


@pytest.mark.anyio
async def test_what_is_answered_and_not_done_is_not_believed(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    torrent = make_torrent(film(tmp_path))
    async with connected(account_of(double), HASTY) as client:
        key = (await client.add(AddRequest(torrent, tmp_path))).key
        double.idle = True
        with pytest.raises(LostAnswerError, match="does not show it"):
            await client.pause(key, by=Pauser.OWNER)
        with pytest.raises(LostAnswerError, match="shows it still"):
            await client.remove(key, delete_data=False)
