"""Torrents that a real qBittorrent was given stopped: late names, choices of files, cut short."""

from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser
from capabilities.kernel.faults import DeclinedError
from tests.capabilities.adapters.downloader.qbittorrent_server import meeting, profile_in, real
from tests.capabilities.adapters.downloader.rig import (
    film,
    hostile,
    listing,
    pack,
    until,
    until_complete,
)
from world.qbittorrent_program import Profile
from world.seeder import giving, make_torrent, seeding

pytestmark = pytest.mark.proof


@pytest.fixture
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    return profile_in(tmp_path_factory.mktemp("profile"))


@pytest.mark.anyio
async def test_unsafe_names_that_come_late_stop_the_torrent_before_a_byte_is_written(
    tmp_path: Path, profile: Profile
) -> None:
    torrent = hostile(b"..", b"..", b"evil.mkv")
    async with giving(torrent, tmp_path / "theirs") as seed, real(profile) as client:
        key = (await client.add(AddRequest(seed.magnet, tmp_path / "ours"))).key
        failed = await until(client, key, lambda one: one.state is ClientState.FAILED)
        for action in (client.resume(key, by=Pauser.OWNER), client.recheck(key)):
            with pytest.raises(DeclinedError, match="file name"):
                await action
    async with real(profile) as client:
        restored = await until(client, key, lambda one: one.state is ClientState.FAILED)

    assert failed.error == restored.error
    assert "file name" in (failed.error or "")
    assert (failed.wanted_bytes, failed.files) == (0, ())
    assert listing(tmp_path) == set()


@pytest.mark.anyio
async def test_the_wanted_files_of_a_magnet_are_chosen_when_its_metadata_comes(
    tmp_path: Path, profile: Profile
) -> None:
    source = pack(tmp_path / "theirs")
    async with seeding(source) as seed, real(profile) as client:
        request = AddRequest(seed.magnet, tmp_path / "ours", wanted=(0, 1))
        waiting = await client.add(request)
        transfer = await until_complete(client, waiting.key)

    wanted = {Path(file.path).name for file in transfer.files if file.wanted}
    assert {file.index for file in transfer.files if file.wanted} == {0, 1}
    assert listing(tmp_path / "ours" / source.name) == wanted


@pytest.mark.anyio
async def test_late_metadata_without_the_chosen_files_holds_the_torrent(
    tmp_path: Path, profile: Profile
) -> None:
    source = pack(tmp_path / "theirs")
    async with seeding(source) as seed, real(profile) as client:
        key = (await client.add(AddRequest(seed.magnet, tmp_path / "ours", wanted=(99,)))).key
        failed = await until(client, key, lambda one: one.state is ClientState.FAILED)
        with pytest.raises(DeclinedError, match="chosen"):
            await client.resume(key, by=Pauser.US)
        await client.remove(key, delete_data=True)

        assert await client.transfers() == []
    assert "chosen" in (failed.error or "")
    assert not (tmp_path / "ours").exists()


@pytest.mark.anyio
async def test_a_magnet_is_waited_for_over_a_restart_and_cannot_be_rechecked(
    tmp_path: Path, profile: Profile
) -> None:
    async with seeding(film(tmp_path / "theirs")) as seed:
        async with real(profile) as client:
            key = (await client.add(AddRequest(seed.v1 or "", tmp_path / "ours"))).key
            with pytest.raises(DeclinedError, match="metadata"):
                await client.recheck(key)
            waiting = await until(client, key, lambda one: one.state is ClientState.METADATA)
        async with real(profile) as client:
            await until(client, key, lambda one: one.state is ClientState.METADATA)
            await meeting(profile)(seed)
            await until_complete(client, key)

    assert (waiting.name, waiting.files, waiting.complete) == (key, (), False)


@pytest.mark.anyio
async def test_a_magnet_paused_before_its_metadata_stays_paused(
    tmp_path: Path, profile: Profile
) -> None:
    async with seeding(film(tmp_path / "theirs")) as seed, real(profile) as client:
        key = (await client.add(AddRequest(seed.v1 or "", tmp_path / "ours"))).key
        await client.pause(key, by=Pauser.OWNER)
        with pytest.raises(DeclinedError, match="only the owner"):
            await client.resume(key, by=Pauser.US)
        paused = await client.transfer(key)
        await client.resume(key, by=Pauser.OWNER)
        await meeting(profile)(seed)
        await until_complete(client, key)

    assert paused is not None
    assert paused.state is ClientState.PAUSED_BY_OWNER


@pytest.mark.anyio
async def test_adding_the_same_torrent_at_the_same_time_adds_it_once(
    tmp_path: Path, profile: Profile
) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"))
    async with real(profile) as client:
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(client.add, AddRequest(torrent, tmp_path / "ours"))

        assert len(await client.transfers()) == 1


@pytest.mark.anyio
@pytest.mark.parametrize("after_s", [0.02, 0.1, 0.2, 0.4])
async def test_an_add_that_is_given_up_is_done_whole_or_not_at_all(
    tmp_path: Path, profile: Profile, after_s: float
) -> None:
    source = pack(tmp_path / "theirs")
    async with seeding(source) as seed, real(profile) as client:
        request = AddRequest(seed.torrent_bytes, tmp_path / "ours", wanted=(0,))
        with anyio.move_on_after(after_s):
            await client.add(request)
        seen = [one.hashes.key for one in await client.transfers()]
        for key in seen:
            await meeting(profile)(seed)
            done = await until_complete(client, key)
            assert [file.index for file in done.files if file.wanted] == [0]
    assert seen in ([], [seed.v1])
