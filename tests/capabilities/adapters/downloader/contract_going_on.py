"""The same about torrents that go on: progress, pauses, and what outlives a restart."""

from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser
from capabilities.kernel.faults import DeclinedError
from tests.capabilities.adapters.downloader.rig import (
    MIB,
    NOWHERE,
    Rig,
    film,
    until,
    until_complete,
)
from world.seeder import make_torrent, seeding
from world.tracker import tracking


@pytest.mark.anyio
async def test_peers_and_speed_are_told_while_it_downloads(rig: Rig, tmp_path: Path) -> None:
    source = film(tmp_path / "theirs", size=4 * MIB)
    async with (
        tracking() as tracker,
        seeding(source, tracker=tracker, upload_limit=512 * 1024) as seed,
        rig.open() as client,
    ):
        key = (await client.add(AddRequest(seed.torrent_bytes, rig.save_path))).key
        await rig.meet(seed)
        going = await until(client, key, lambda one: one.down_rate > 0 and one.peers > 0)

    assert going.state is ClientState.DOWNLOADING
    assert going.done_bytes < going.wanted_bytes


@pytest.mark.anyio
async def test_a_download_goes_on_after_a_restart(rig: Rig, tmp_path: Path) -> None:
    source = film(tmp_path / "theirs", size=4 * MIB)
    async with tracking() as tracker, seeding(source, tracker=tracker) as seed:
        seed.limit(512 * 1024)
        async with rig.open() as client:
            key = (await client.add(AddRequest(seed.torrent_bytes, rig.save_path))).key
            await rig.meet(seed)
            half = await until(client, key, lambda one: one.done_bytes > 0)
        seed.limit(0)
        async with rig.open() as client:
            await until(client, key, lambda one: one.state is not ClientState.CHECKING)
            if not half.complete:
                await rig.meet(seed)
            await until_complete(client, key)

    assert half.done_bytes < half.wanted_bytes
    assert (rig.save_path / source.name).read_bytes() == source.read_bytes()


@pytest.mark.anyio
async def test_who_paused_is_remembered_over_a_restart(rig: Rig, tmp_path: Path) -> None:
    ours = make_torrent(film(tmp_path / "theirs", name="a.mkv"), announce_url=NOWHERE)
    owners = make_torrent(film(tmp_path / "theirs", name="b.mkv"), announce_url=NOWHERE)
    async with rig.open() as client:
        first = await client.add(AddRequest(ours, rig.save_path))
        second = await client.add(AddRequest(owners, rig.save_path, category="films"))
        await client.pause(first.key, by=Pauser.US)
        await client.pause(second.key, by=Pauser.OWNER)
    async with rig.open() as client:
        for key in (first.key, second.key):
            await until(client, key, lambda one: one.state is not ClientState.CHECKING)
        found = [(one.hashes.key, one.state, one.category) for one in await client.transfers()]

    assert found == [
        (first.key, ClientState.PAUSED_BY_US, "matinee"),
        (second.key, ClientState.PAUSED_BY_OWNER, "films"),
    ]


@pytest.mark.anyio
async def test_a_pause_by_the_owner_is_lifted_by_the_owner_only(rig: Rig, tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"), announce_url=NOWHERE)
    async with rig.open() as client:
        key = (await client.add(AddRequest(torrent, rig.save_path))).key
        await client.pause(key, by=Pauser.OWNER)
        await client.pause(key, by=Pauser.US)
        with pytest.raises(DeclinedError):
            await client.resume(key, by=Pauser.US)
        paused = await client.transfer(key)
        await client.resume(key, by=Pauser.OWNER)
        resumed = await until(client, key, lambda one: one.state is ClientState.DOWNLOADING)

    assert paused is not None
    assert paused.state is ClientState.PAUSED_BY_OWNER
    assert not resumed.complete


@pytest.mark.anyio
async def test_a_paused_torrent_fetches_nothing_until_it_is_resumed(
    rig: Rig, tmp_path: Path
) -> None:
    source = film(tmp_path / "theirs")
    async with (
        tracking() as tracker,
        seeding(source, tracker=tracker) as seed,
        rig.open() as client,
    ):
        torrent = AddRequest(seed.torrent_bytes, rig.save_path)
        seed.limit(64 * 1024)
        key = (await client.add(torrent)).key
        await client.pause(key, by=Pauser.US)
        seed.limit(0)
        paused = await until(client, key, lambda one: not one.peers)
        await client.resume(key, by=Pauser.US)
        await rig.meet(seed)
        await until_complete(client, key)

    assert paused.state is ClientState.PAUSED_BY_US
    assert paused.done_bytes < source.stat().st_size


@pytest.mark.anyio
async def test_what_is_complete_and_paused_is_completed_until_it_may_give_again(
    rig: Rig,
) -> None:
    source = film(rig.save_path)
    torrent = make_torrent(source, announce_url=NOWHERE)
    async with rig.open() as client:
        key = (await client.add(AddRequest(torrent, rig.save_path))).key
        seeding_ = await until(client, key, lambda one: one.state is ClientState.SEEDING)
        await client.pause(key, by=Pauser.US)
        paused = await until(client, key, lambda one: one.state is ClientState.COMPLETED)
        await client.resume(key, by=Pauser.US)
        await until(client, key, lambda one: one.state is ClientState.SEEDING)

    assert (seeding_.complete, paused.complete) == (True, True)
    assert not paused.stopped_at_limit
