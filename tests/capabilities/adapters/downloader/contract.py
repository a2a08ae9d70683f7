"""Promises of `Downloader` that every client keeps; a test module offers its own `rig`."""

from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser
from capabilities.kernel.faults import DeclinedError, UnreachableError
from tests.capabilities.adapters.downloader.rig import (
    LIMIT_S,
    Rig,
    film,
    hostile,
    listing,
    pack,
    until,
    until_complete,
)
from world.seeder import make_torrent, seeding
from world.tracker import tracking

NOWHERE = "http://127.0.0.1:9/announce"
UNKNOWN = "ab" * 20


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
async def test_adding_the_same_torrent_again_adopts_it(rig: Rig, tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"), announce_url=NOWHERE)
    async with rig.open() as client:
        first = await client.add(AddRequest(torrent, rig.save_path))
        second = await client.add(AddRequest(torrent, rig.save_path))
        by_hash = await client.add(AddRequest(first.key.upper(), rig.save_path))

        assert first == second == by_hash
        assert len(await client.transfers()) == 1


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
@pytest.mark.parametrize("wanted", [(), (99,), (0, 99)])
async def test_a_choice_that_the_torrent_does_not_have_is_declined(
    rig: Rig, tmp_path: Path, wanted: tuple[int, ...]
) -> None:
    torrent = make_torrent(pack(tmp_path / "theirs"))
    async with rig.open() as client:
        with pytest.raises(DeclinedError):
            await client.add(AddRequest(torrent, rig.save_path, wanted=wanted))

        assert await client.transfers() == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    "source",
    [
        b"<html>not found</html>",
        "http://127.0.0.1/film.torrent",
        hostile(b"..", b"..", b"evil.mkv"),
        hostile(name=b"/etc/evil.mkv"),
    ],
)
async def test_garbage_addresses_and_unsafe_names_are_declined_and_write_nothing(
    rig: Rig, tmp_path: Path, source: bytes | str
) -> None:
    rig.save_path.mkdir(parents=True, exist_ok=True)
    async with rig.open() as client:
        before = listing(tmp_path)
        with pytest.raises(DeclinedError):
            await client.add(AddRequest(source, rig.save_path))

        assert await client.transfers() == []
        assert listing(tmp_path) == before


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
