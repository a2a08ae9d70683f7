"""The embedded client: the shared promises, and what only it promises."""

import os
from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.embedded import open_embedded
from capabilities.adapters.downloader.embedded_kept import KeptTorrents
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser
from capabilities.kernel.faults import DeclinedError, LostAnswerError
from tests.capabilities.adapters.downloader.contract import *  # noqa: F403  # run against `rig`
from tests.capabilities.adapters.downloader.contract_adding import *  # noqa: F403  # run against `rig`
from tests.capabilities.adapters.downloader.contract_going_on import *  # noqa: F403  # run against `rig`
from tests.capabilities.adapters.downloader.contract_paths import *  # noqa: F403  # run against `rig`
from tests.capabilities.adapters.downloader.rig import (
    LIMIT_S,
    MIB,
    Rig,
    embedded,
    film,
    listing,
    pack,
    state_folder_broken,
    until,
    until_complete,
)
from world.seeder import TorrentKind, make_torrent, seeding
from world.tracker import tracking


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(lambda: embedded(tmp_path), tmp_path / "ours")


@pytest.mark.anyio
@pytest.mark.parametrize("kind", list(TorrentKind))
async def test_a_torrent_of_every_format_is_fetched_and_known_by_all_its_names(
    tmp_path: Path, kind: TorrentKind
) -> None:
    source = film(tmp_path / "theirs")
    async with (
        tracking() as tracker,
        seeding(source, tracker=tracker, kind=kind) as seed,
        embedded(tmp_path) as client,
    ):
        hashes = await client.add(AddRequest(seed.torrent_bytes, tmp_path / "ours"))
        transfer = await until_complete(client, hashes.key)

        assert (hashes.v1, hashes.v2) == (seed.v1, seed.v2)
        assert [file.path for file in transfer.files] == [source.name]
        for name in hashes.names():
            assert await client.transfer(name.upper()) is not None


@pytest.mark.anyio
async def test_what_is_called_complete_is_on_the_disk(tmp_path: Path) -> None:
    # Of v2 torrents, libtorrent calls finished what it has yet to write: here some tenth of it.
    source = film(tmp_path / "theirs", size=64 * MIB)
    async with seeding(source, kind=TorrentKind.V2) as seed, embedded(tmp_path) as client:
        request = AddRequest(seed.torrent_bytes, tmp_path / "ours", peers=(seed.address,))
        await until_complete(client, (await client.add(request)).key)
        # Looking for a hole takes no time in which the rest could be written.
        with (tmp_path / "ours" / source.name).open("rb") as file:
            first_hole = os.lseek(file.fileno(), 0, os.SEEK_HOLE)

    assert first_hole == source.stat().st_size
    assert (tmp_path / "ours" / source.name).read_bytes() == source.read_bytes()


@pytest.mark.anyio
async def test_a_pause_is_written_down_when_it_is_answered(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"))
    kept = KeptTorrents(tmp_path / "state")
    async with embedded(tmp_path) as client:
        key = (await client.add(AddRequest(torrent, tmp_path / "ours"))).key
        await client.pause(key, by=Pauser.OWNER)
        [paused] = await kept.read_all()
        await client.resume(key, by=Pauser.OWNER)
        [resumed] = await kept.read_all()

    assert (paused.intent.paused_by, resumed.intent.paused_by) == (Pauser.OWNER, None)


@pytest.mark.anyio
async def test_pad_files_are_neither_shown_nor_wanted_nor_written(tmp_path: Path) -> None:
    source = pack(tmp_path / "theirs")
    async with (
        seeding(source, kind=TorrentKind.HYBRID) as seed,
        embedded(tmp_path) as client,
    ):
        request = AddRequest(seed.torrent_bytes, tmp_path / "ours", peers=(seed.address,))
        transfer = await until_complete(client, (await client.add(request)).key)

    assert transfer.wanted_bytes == sum(path.stat().st_size for path in source.iterdir())
    assert listing(tmp_path / "ours" / source.name) == listing(source)


@pytest.mark.anyio
async def test_the_wanted_files_of_a_magnet_are_chosen_when_its_metadata_comes(
    tmp_path: Path,
) -> None:
    source = pack(tmp_path / "theirs")
    async with seeding(source) as seed, embedded(tmp_path) as client:
        request = AddRequest(seed.magnet, tmp_path / "ours", wanted=(0, 1))
        transfer = await until_complete(client, (await client.add(request)).key)

    wanted = {Path(file.path).name for file in transfer.files if file.wanted}
    assert {file.index for file in transfer.files if file.wanted} == {0, 1}
    assert listing(tmp_path / "ours" / source.name) == wanted


@pytest.mark.anyio
async def test_adding_the_same_torrent_at_the_same_time_adds_it_once(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"))
    async with embedded(tmp_path) as client:
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(client.add, AddRequest(torrent, tmp_path / "ours"))

        assert len(await client.transfers()) == 1


@pytest.mark.anyio
@pytest.mark.parametrize("steps", [0, 1, 2, 3, 5, 8, 13, 21, 34, 55])
async def test_a_call_that_is_given_up_does_all_or_nothing(tmp_path: Path, steps: int) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"))
    async with embedded(tmp_path) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(client.add, AddRequest(torrent, tmp_path / "ours"))
            for _ in range(steps):
                await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()
        held = [one.hashes for one in await client.transfers()]
    async with embedded(tmp_path) as client:
        after_restart = [one.hashes for one in await client.transfers()]

    assert after_restart == held


@pytest.mark.anyio
async def test_a_link_in_the_way_is_not_followed(tmp_path: Path) -> None:
    source = pack(tmp_path / "theirs")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / source.name).symlink_to(elsewhere)
    async with embedded(tmp_path) as client:
        with pytest.raises(DeclinedError, match="symbolic link"):
            await client.add(AddRequest(make_torrent(source), tmp_path / "ours"))

        assert await client.transfers() == []
    assert listing(elsewhere) == set()


@pytest.mark.anyio
async def test_a_state_folder_that_cannot_be_written_declines_what_it_could_not_keep(
    tmp_path: Path,
) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"))
    async with embedded(tmp_path) as client:
        await client.add(AddRequest("ab" * 20, tmp_path / "ours"))
        with state_folder_broken(tmp_path):
            with pytest.raises(DeclinedError, match="state folder"):
                await client.add(AddRequest(torrent, tmp_path / "ours"))
            health = await client.health()

        assert len(await client.transfers()) == 1
        assert health.note is not None

        await client.add(AddRequest(torrent, tmp_path / "ours"))

        assert (await client.health()).note is None


@pytest.mark.anyio
async def test_what_was_done_but_not_written_down_is_said_to_be_unknown(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"))
    async with embedded(tmp_path) as client:
        key = (await client.add(AddRequest(torrent, tmp_path / "ours"))).key
        with state_folder_broken(tmp_path), pytest.raises(LostAnswerError, match="do it again"):
            await client.pause(key, by=Pauser.US)
        await client.pause(key, by=Pauser.US)
    async with embedded(tmp_path) as client:
        [again] = await client.transfers()

    assert again.state is ClientState.PAUSED_BY_US


@pytest.mark.anyio
async def test_a_removal_that_was_not_written_down_can_be_repeated(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"))
    async with embedded(tmp_path) as client:
        key = (await client.add(AddRequest(torrent, tmp_path / "ours"))).key
        (tmp_path / "state" / f"{key}.torrent-state").unlink()
        (tmp_path / "state" / f"{key}.torrent-state").mkdir()
        with pytest.raises(LostAnswerError, match="remove it again"):
            await client.remove(key, delete_data=False)
        with pytest.raises(LostAnswerError, match="remove it again"):
            await client.remove(key, delete_data=False)
        (tmp_path / "state" / f"{key}.torrent-state").rmdir()
        await client.remove(key, delete_data=False)


@pytest.mark.anyio
async def test_a_removal_says_when_files_would_not_go(tmp_path: Path) -> None:
    source = film(tmp_path / "theirs")
    async with seeding(source) as seed, embedded(tmp_path) as client:
        request = AddRequest(seed.torrent_bytes, tmp_path / "ours", peers=(seed.address,))
        key = (await client.add(request)).key
        await until_complete(client, key)
        (tmp_path / "ours" / source.name).unlink()
        film(tmp_path / "ours" / source.name, name="somebody else's")
        with pytest.raises(LostAnswerError, match="could not be deleted"):
            await client.remove(key, delete_data=True)

        assert await client.transfers() == []
    assert listing(tmp_path / "ours" / source.name) == {"somebody else's"}


@pytest.mark.anyio
async def test_what_libtorrent_refuses_is_declined_and_not_kept(tmp_path: Path) -> None:
    async with embedded(tmp_path) as client:
        with pytest.raises(DeclinedError, match="did not take"):
            await client.add(AddRequest("00" * 20, tmp_path / "ours"))

        assert await client.transfers() == []
    assert listing(tmp_path / "state") == set()


@pytest.mark.anyio
async def test_a_magnet_cannot_be_rechecked_before_its_metadata_came(tmp_path: Path) -> None:
    async with embedded(tmp_path) as client:
        key = (await client.add(AddRequest("ab" * 20, tmp_path / "ours"))).key
        with pytest.raises(DeclinedError, match="metadata"):
            await client.recheck(key)
        waiting = await until(client, key, lambda one: one.state is ClientState.METADATA)
    async with embedded(tmp_path) as client:
        again = await until(client, key, lambda one: one.state is ClientState.METADATA)

    assert (waiting.name, again.name) == (key, key)
    assert (waiting.files, waiting.complete) == ((), False)


@pytest.mark.anyio
async def test_a_recheck_that_cannot_be_written_down_is_declined(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"))
    async with embedded(tmp_path) as client:
        key = (await client.add(AddRequest(torrent, tmp_path / "ours"))).key
        await until(client, key, lambda one: one.state is ClientState.DOWNLOADING)
        await client.pause(key, by=Pauser.OWNER)
        with state_folder_broken(tmp_path), pytest.raises(DeclinedError, match="was rechecked"):
            await client.recheck(key)
        transfer = await client.transfer(key)

    assert transfer is not None
    assert transfer.state is ClientState.PAUSED_BY_OWNER


@pytest.mark.anyio
async def test_free_space_is_that_of_the_downloads_folder_if_there_is_one(tmp_path: Path) -> None:
    async with embedded(tmp_path) as client:
        here = await client.health()
    async with open_embedded(tmp_path / "s", tmp_path / "none", LoopbackProfile()) as client:
        nowhere = await client.health()

    assert here.free_bytes
    assert nowhere.free_bytes is None
    assert (here.reachable, here.note) == (True, None)


@pytest.mark.anyio
async def test_an_exception_of_the_block_leaves_it_as_it_was_raised(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), anyio.fail_after(LIMIT_S):
        async with embedded(tmp_path):
            raise ZeroDivisionError
