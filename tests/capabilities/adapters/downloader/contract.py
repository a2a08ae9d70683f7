"""Promises of `Downloader` that every client keeps; a test module offers its own `rig`."""

from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser
from capabilities.kernel.faults import DeclinedError, UnreachableError
from tests.capabilities.adapters.downloader.rig import (
    LIMIT_S,
    NOWHERE,
    UNKNOWN,
    Rig,
    film,
    listing,
    pack,
    until_complete,
)
from world.seeder import make_torrent, seeding
from world.tracker import tracking


@pytest.mark.anyio
async def test_a_torrent_file_is_fetched_through_its_tracker(rig: Rig, tmp_path: Path) -> None:
    source = film(tmp_path / "theirs")
    async with (
        tracking() as tracker,
        seeding(source, tracker=tracker) as seed,
        rig.open() as client,
    ):
        hashes = await client.add(AddRequest(seed.torrent_bytes, rig.save_path))
        await rig.meet(seed)
        transfer = await until_complete(client, hashes.key)

        assert (rig.save_path / source.name).read_bytes() == source.read_bytes()
        assert hashes.v1 == seed.v1
        assert transfer.name == source.name
        assert transfer.wanted_bytes == transfer.done_bytes == source.stat().st_size
        assert transfer.save_path == rig.save_path
        assert transfer.state is ClientState.SEEDING
        assert [(file.path, file.done) for file in transfer.files] == [
            (source.name, source.stat().st_size)
        ]


@pytest.mark.anyio
async def test_a_magnet_is_fetched_once_its_metadata_came_from_a_peer(
    rig: Rig, tmp_path: Path
) -> None:
    source = pack(tmp_path / "theirs")
    async with seeding(source) as seed, rig.open() as client:
        hashes = await client.add(AddRequest(seed.magnet, rig.save_path))
        await rig.meet(seed)
        transfer = await until_complete(client, hashes.key)

        assert listing(rig.save_path / source.name) == listing(source)
        assert {file.path for file in transfer.files} == {
            f"{source.name}/{path.name}" for path in source.iterdir()
        }


@pytest.mark.anyio
async def test_only_the_wanted_files_of_a_pack_are_fetched(rig: Rig, tmp_path: Path) -> None:
    source = pack(tmp_path / "theirs")
    async with (
        tracking() as tracker,
        seeding(source, tracker=tracker) as seed,
        rig.open() as client,
    ):
        hashes = await client.add(AddRequest(seed.torrent_bytes, rig.save_path, wanted=(1,)))
        await rig.meet(seed)
        transfer = await until_complete(client, hashes.key)

        chosen = next(file for file in transfer.files if file.index == 1)
        assert [file.index for file in transfer.files if file.wanted] == [1]
        assert transfer.wanted_bytes == chosen.size == chosen.done
        there = listing(rig.save_path / source.name)
        assert {name for name in there if not rig.is_part(name)} == {Path(chosen.path).name}


@pytest.mark.anyio
async def test_a_recheck_finds_spoilt_bytes_and_fetches_them_again(
    rig: Rig, tmp_path: Path
) -> None:
    source = film(tmp_path / "theirs")
    async with (
        tracking() as tracker,
        seeding(source, tracker=tracker) as seed,
        rig.open() as client,
    ):
        key = (await client.add(AddRequest(seed.torrent_bytes, rig.save_path))).key
        await rig.meet(seed)
        await until_complete(client, key)
        with (rig.save_path / source.name).open("r+b") as file:
            file.seek(100_000)
            file.write(b"spoilt")
        await client.recheck(key)
        await rig.meet(seed)
        await until_complete(client, key)

        assert (rig.save_path / source.name).read_bytes() == source.read_bytes()


@pytest.mark.anyio
@pytest.mark.parametrize("delete_data", [False, True])
async def test_removing_deletes_files_only_when_told_to(
    rig: Rig, tmp_path: Path, *, delete_data: bool
) -> None:
    source = pack(tmp_path / "theirs")
    async with (
        tracking() as tracker,
        seeding(source, tracker=tracker) as seed,
        rig.open() as client,
    ):
        key = (await client.add(AddRequest(seed.torrent_bytes, rig.save_path))).key
        await rig.meet(seed)
        await until_complete(client, key)
        await client.remove(key, delete_data=delete_data)
        await client.remove(key, delete_data=delete_data)
        left = await client.transfers()
        found = await client.transfer(key)
    async with rig.open() as client:
        after_restart = await client.transfers()

    assert (left, found, after_restart) == ([], None, [])
    assert (rig.save_path / source.name).exists() is not delete_data


@pytest.mark.anyio
async def test_an_unknown_hash_is_none_and_cannot_be_acted_on(rig: Rig) -> None:
    async with rig.open() as client:
        assert await client.transfer(UNKNOWN) is None
        assert await client.transfer("no hash at all") is None
        for action in (
            client.pause(UNKNOWN, by=Pauser.US),
            client.resume(UNKNOWN, by=Pauser.OWNER),
            client.recheck(UNKNOWN),
        ):
            with pytest.raises(DeclinedError):
                await action


@pytest.mark.anyio
async def test_changes_are_told_and_end_with_the_client(rig: Rig, tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"), announce_url=NOWHERE)
    async with rig.open() as client, client.changes() as changes:
        key = (await client.add(AddRequest(torrent, rig.save_path))).key
        with anyio.fail_after(LIMIT_S):
            told = await anext(changes)
            await client.aclose()
            rest = [key async for key in changes]

    assert told == key
    assert set(rest) <= {key}


@pytest.mark.anyio
async def test_a_closed_client_says_so_and_does_nothing(
    rig: Rig, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"))
    async with rig.open() as client:
        health = await client.health()
        await client.aclose()
        await client.aclose()
        for action in (
            client.add(AddRequest(torrent, rig.save_path)),
            client.transfer(UNKNOWN),
            client.transfers(),
            client.remove(UNKNOWN, delete_data=True),
            client.pause(UNKNOWN, by=Pauser.US),
        ):
            with pytest.raises(UnreachableError):
                await action
        closed = await client.health()

    record_property("version", health.version)
    assert (health.reachable, closed.reachable) == (True, False)
    assert health.version
