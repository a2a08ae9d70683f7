"""A qBittorrent of an owner who has twenty thousand torrents, of which a few are ours."""

import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from capabilities.adapters.downloader.port import AddRequest, ClientState
from capabilities.adapters.downloader.qbittorrent_live import Pace
from tests.capabilities.adapters.downloader.qbittorrent_server import account_of, connected
from tests.capabilities.adapters.downloader.rig import film, pack
from world.qbittorrent_double import QbittorrentDouble, qbittorrent_double
from world.qbittorrent_double_torrents import Held
from world.seeder import make_torrent

SLOW = Pace(busy_s=60, idle_s=60)
MANY = 20_000
LONGEST_S = 60


@pytest.fixture
async def double() -> AsyncGenerator[QbittorrentDouble]:
    async with qbittorrent_double() as served:
        yield served


def foreign(number: int, **changed: Any) -> Held:
    """A torrent of the owner's, as long as qBittorrent 4.5 writes one."""
    hash_ = f"{number:040x}"
    trackers = "&".join(f"tr=http%3A%2F%2Ftracker{each}.invalid%2Fannounce" for each in range(12))
    row = {
        "infohash_v1": hash_,
        "infohash_v2": "",
        "name": f"Some.Film.{number}.1080p.BluRay.x264-GROUP",
        "state": "stalledUP",
        "size": 5_000_000_000,
        "total_size": 5_000_000_000,
        "amount_left": 0,
        "completed": 5_000_000_000,
        "priority": 0,
        "added_on": 1_600_000_000 + number,
        "category": "films",
        "tags": "",
        "save_path": "/srv/torrents/films",
        "magnet_uri": f"magnet:?xt=urn:btih:{hash_}&{trackers}",
        **{f"more_{each}": 1_600_000_000_000 + each for each in range(40)},
    }
    return Held({**row, **changed}, [], b"")


@pytest.mark.anyio
async def test_others_torrents_are_listed_and_not_looked_into(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    double.torrents |= {f"{number:040x}": foreign(number) for number in range(3)}
    double.torrents[f"{1:040x}"].row["size"] = "many"
    torrent = make_torrent(film(tmp_path))
    async with connected(account_of(double), SLOW) as client:
        key = (await client.add(AddRequest(torrent, tmp_path))).key
        found = {one.hashes.key: one for one in await client.transfers()}
        again = await client.transfers()

    first = found[f"{0:040x}"]
    assert set(found) == {key, f"{0:040x}", f"{2:040x}"}
    assert (first.state, first.complete, first.files) == (ClientState.SEEDING, True, ())
    assert (first.category, first.save_path) == ("films", Path("/srv/torrents/films"))
    assert found[key].files != ()
    assert any(one is first for one in again)
    assert (double.calls["files"], double.calls["export"]) == (1, 1)


@pytest.mark.anyio
async def test_a_torrent_that_is_asked_for_is_looked_into_from_then_on(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    torrent = make_torrent(pack(tmp_path))
    async with connected(account_of(double), SLOW) as client:
        key = (await client.add(AddRequest(torrent, tmp_path, category="films"))).key
    async with connected(account_of(double), SLOW) as client:
        [before] = await client.transfers()
        await client.transfer(key)
        [after] = await client.transfers()

    assert before.files == ()
    assert len(after.files) == 4
    assert before.wanted_bytes == after.wanted_bytes


@pytest.mark.proof
@pytest.mark.anyio
async def test_many_torrents_of_others_cost_little(
    double: QbittorrentDouble, tmp_path: Path
) -> None:
    double.torrents |= {f"{number:040x}": foreign(number) for number in range(MANY)}
    torrent = make_torrent(film(tmp_path))
    began = time.monotonic()
    async with connected(account_of(double), SLOW, total_s=30) as client:
        key = (await client.add(AddRequest(torrent, tmp_path))).key
        adopted = (await client.add(AddRequest(f"{7:040x}", tmp_path))).key
        everything = await client.transfers()
        took = time.monotonic() - began

    assert len(everything) == MANY  # without one that the double does not give out
    assert key in {one.hashes.key for one in everything}
    assert adopted == f"{7:040x}"
    assert double.calls["files"] <= 4
    assert took < LONGEST_S
