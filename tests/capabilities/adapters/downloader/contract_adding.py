"""The same about adding: what is declined, what is adopted, and that all is as it was asked."""

import base64
from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser
from capabilities.kernel.faults import DeclinedError
from tests.capabilities.adapters.downloader.rig import (
    NOWHERE,
    UNKNOWN,
    Rig,
    film,
    hostile,
    listing,
    pack,
    until,
)
from world.seeder import make_torrent


@pytest.mark.anyio
async def test_a_bare_hash_waits_for_its_metadata_and_writes_nothing(rig: Rig) -> None:
    rig.save_path.mkdir(parents=True, exist_ok=True)
    async with rig.open() as client:
        key = (await client.add(AddRequest(UNKNOWN, rig.save_path))).key
        waiting = await until(client, key, lambda one: one.state is ClientState.METADATA)
        with pytest.raises(DeclinedError, match="metadata"):
            await client.recheck(key)

        assert (waiting.name, waiting.files, waiting.complete) == (UNKNOWN, (), False)
        assert listing(rig.save_path) == set()


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
async def test_adding_it_many_times_at_once_adds_it_once(rig: Rig, tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"), announce_url=NOWHERE)
    async with rig.open() as client:
        async with anyio.create_task_group() as group:
            for _ in range(5):
                group.start_soon(client.add, AddRequest(torrent, rig.save_path))

        assert len(await client.transfers()) == 1


@pytest.mark.anyio
async def test_a_torrent_that_is_there_is_adopted_as_it_stands(rig: Rig, tmp_path: Path) -> None:
    torrent = make_torrent(pack(tmp_path / "theirs"), announce_url=NOWHERE)
    there = AddRequest(torrent, rig.save_path / "films", wanted=(1,), category="films")
    async with rig.open() as client:
        key = (await client.add(there)).key
        await client.pause(key, by=Pauser.OWNER)
        await client.add(AddRequest(torrent, rig.save_path, wanted=(0, 2)))
        await client.add(AddRequest(key, rig.save_path))
        adopted = await client.transfer(key)

    assert adopted is not None
    assert (adopted.save_path, adopted.category) == (rig.save_path / "films", "films")
    assert [file.index for file in adopted.files if file.wanted] == [1]
    assert adopted.state is ClientState.PAUSED_BY_OWNER


@pytest.mark.anyio
async def test_folder_category_and_choice_are_as_asked_and_outlive_a_restart(
    rig: Rig, tmp_path: Path
) -> None:
    torrent = make_torrent(pack(tmp_path / "theirs"), announce_url=NOWHERE)
    asked = AddRequest(torrent, rig.save_path / "films", wanted=(0, 3), category="films")
    found: list[tuple[Path, str, list[int], bool]] = []
    async with rig.open() as client:
        key = (await client.add(asked)).key
    for _ in range(2):
        async with rig.open() as client:
            one = await until(client, key, lambda one: bool(one.files))
            chosen = [file.index for file in one.files if file.wanted]
            size = sum(file.size for file in one.files if file.index in {0, 3})
            found.append((one.save_path, one.category, chosen, one.wanted_bytes == size))

    assert found == [(rig.save_path / "films", "films", [0, 3], True)] * 2


@pytest.mark.anyio
async def test_it_is_found_by_any_spelling_of_its_hash(rig: Rig, tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"), announce_url=NOWHERE)
    async with rig.open() as client:
        hashes = await client.add(AddRequest(torrent, rig.save_path))
        in_base32 = base64.b32encode(bytes.fromhex(hashes.key)).decode()
        for spelling in (hashes.key.upper(), f" {hashes.key} ", in_base32, in_base32.lower()):
            found = await client.transfer(spelling)
            assert found is not None
            assert found.hashes == hashes


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
