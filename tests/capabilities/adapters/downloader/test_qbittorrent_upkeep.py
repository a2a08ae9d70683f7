"""What is done without being asked: changes told, and what somebody else left or changed."""

from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser
from capabilities.adapters.downloader.qbittorrent_live import Pace
from capabilities.kernel.faults import DeclinedError
from tests.capabilities.adapters.downloader.qbittorrent_server import account_of, connected
from tests.capabilities.adapters.downloader.rig import film, pack, until
from world.qbittorrent_double import QbittorrentDouble, qbittorrent_double
from world.seeder import make_torrent


@pytest.fixture
async def double() -> AsyncGenerator[QbittorrentDouble]:
    async with qbittorrent_double() as served:
        yield served


@pytest.mark.anyio
async def test_an_add_that_a_dead_process_left_is_done(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    torrent = make_torrent(pack(tmp_path))
    async with connected(account_of(double)) as client:
        key = (await client.add(AddRequest(torrent, tmp_path))).key
    # What a process leaves that died right after its call.
    held = double.torrents[key]
    held.row["state"] = "stoppedDL"
    held.tags = {"matinee-adding", "matinee-wants 1-2", "films"}
    async with connected(account_of(double)) as client:
        await until(client, key, lambda one: one.state is ClientState.DOWNLOADING)
        with anyio.fail_after(5):
            while held.tags != {"films"}:  # noqa: ASYNC110  # nothing tells of it
                await anyio.sleep(0.01)

    assert [file["priority"] for file in held.files] == [0, 1, 1, 0]


@pytest.mark.anyio
async def test_a_pause_of_the_owners_after_ours_is_the_owners(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    torrent = make_torrent(film(tmp_path))
    async with connected(account_of(double)) as client:
        key = (await client.add(AddRequest(torrent, tmp_path))).key
        await client.pause(key, by=Pauser.US)
        held = double.torrents[key]
        # In qBittorrent's own window: let run, and a while later stopped.
        held.row["state"] = "stalledDL"
        with anyio.fail_after(5):
            while held.tags:  # noqa: ASYNC110  # nothing tells of it
                await anyio.sleep(0.01)
        held.row["state"] = "stoppedDL"
        paused = await client.transfer(key)

    assert paused is not None
    assert paused.state is ClientState.PAUSED_BY_OWNER


@pytest.mark.anyio
async def test_a_note_is_judged_anew_when_its_turn_has_come(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    torrent = make_torrent(film(tmp_path))
    async with connected(account_of(double)) as client:
        key = (await client.add(AddRequest(torrent, tmp_path))).key
    held = double.torrents[key]
    # It looks like one that the owner let run, and is one that another process pauses just now.
    held.row |= {"tags": "matinee-paused", "state": "stalledDL"}
    looks: list[str] = []

    def pause_it() -> None:
        if looks:
            held.row["state"] = "stoppedDL"
        looks.append(held.row["state"])

    double.before_news = pause_it
    hasty = Pace(busy_s=0.05, idle_s=0.05, stale_s=0)
    async with connected(account_of(double), hasty) as client:
        with anyio.fail_after(5):
            while len(looks) < 6:  # noqa: ASYNC110  # nothing tells of it
                await anyio.sleep(0.01)
        paused = await client.transfer(key)

    assert paused is not None
    assert paused.state is ClientState.PAUSED_BY_US
    assert double.calls["removeTags"] == 0


@pytest.mark.anyio
async def test_changes_by_others_are_told(double: QbittorrentDouble, tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path))
    async with connected(account_of(double)) as client:
        key = (await client.add(AddRequest(torrent, tmp_path))).key
        async with client.changes() as changes:
            double.torrents[key].row |= {"state": "stalledUP", "amount_left": 0}
            with anyio.fail_after(5):
                told = await anext(changes)
                del double.torrents[key]
                gone = await anext(changes)

    assert (told, gone) == (key, key)


@pytest.mark.anyio
async def test_a_download_that_begins_to_be_stalled_is_told(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    torrent = make_torrent(film(tmp_path))
    pace = Pace(busy_s=0.02, idle_s=0.02, stall_after_s=0.2)
    async with connected(account_of(double), pace) as client:
        key = (await client.add(AddRequest(torrent, tmp_path))).key
        await until(client, key, lambda one: one.state is ClientState.STALLED)
        double.torrents[key].row["num_seeds"] = 1
        await until(client, key, lambda one: one.state is ClientState.DOWNLOADING)


@pytest.mark.anyio
async def test_a_choice_that_was_left_open_is_made_before_anybody_lets_it_run(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    torrent = make_torrent(pack(tmp_path))
    async with connected(account_of(double)) as client:
        key = (await client.add(AddRequest(torrent, tmp_path))).key
    held = double.torrents[key]
    async with connected(account_of(double), Pace(busy_s=60, idle_s=60)) as client:
        await client.transfers()
        # What a process leaves that died right after its call.
        held.row["state"] = "stoppedDL"
        held.tags = {"matinee-adding", "matinee-wants 1-2"}
        await client.resume(key, by=Pauser.US)
        chosen = [file["priority"] for file in held.files]
        held.row["state"] = "stoppedDL"
        held.tags = {"matinee-adding", "matinee-wants 7"}
        with pytest.raises(DeclinedError, match="does not have the files"):
            await client.resume(key, by=Pauser.OWNER)

    assert chosen == [0, 1, 1, 0]
    assert double.calls["start"] == 1
    assert held.row["state"] == "stoppedDL"
