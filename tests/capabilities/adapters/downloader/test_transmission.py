"""Transmission, the real program: what this adapter promises beside what all of them do.

Most torrents here find their data in place, which needs no peer; see the contract for peers.
"""

import base64
from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser, Transfer
from capabilities.adapters.downloader.transmission import TransmissionDownloader
from capabilities.adapters.downloader.transmission_rpc import Account, Nothing
from capabilities.kernel.faults import DeclinedError
from tests.capabilities.adapters.downloader.rig import LIMIT_S, film, pack, until
from tests.capabilities.adapters.downloader.transmission_server import (
    Owner,
    connected,
    program_in,
)
from world.seeder import TorrentKind, make_torrent

pytestmark = pytest.mark.proof

NOWHERE = "http://127.0.0.1:9/announce"


@pytest.fixture
async def account(tmp_path: Path) -> AsyncGenerator[Account]:
    async with program_in(tmp_path / "profile") as (_, account):
        yield account


async def added(
    client: TransmissionDownloader, source: Path, *, wanted: tuple[int, ...] | None = None
) -> str:
    """The key of a torrent whose data lies where it would be saved."""
    torrent = make_torrent(source, announce_url=NOWHERE)
    return (await client.add(AddRequest(torrent, source.parent, wanted=wanted))).key


async def until_state(client: TransmissionDownloader, key: str, state: ClientState) -> Transfer:
    return await until(client, key, lambda one: one.state is state)


@pytest.mark.anyio
async def test_data_that_is_there_is_found_and_given(account: Account, tmp_path: Path) -> None:
    source = pack(tmp_path / "ours")
    async with connected(account) as client:
        key = await added(client, source)
        transfer = await until_state(client, key, ClientState.SEEDING)

    size = sum(path.stat().st_size for path in source.iterdir())
    assert transfer.complete
    assert (transfer.wanted_bytes, transfer.done_bytes) == (size, size)
    assert {file.path for file in transfer.files} == {
        f"{source.name}/{path.name}" for path in source.iterdir()
    }
    assert (transfer.category, transfer.save_path) == ("matinee", source.parent)
    assert (transfer.ratio, transfer.error) == (0.0, None)


@pytest.mark.anyio
@pytest.mark.parametrize("kind", [TorrentKind.V2, TorrentKind.HYBRID])
async def test_torrents_of_version_2_are_declined_with_the_reason(
    account: Account, tmp_path: Path, kind: TorrentKind
) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"), kind=kind)
    async with connected(account) as client:
        with pytest.raises(DeclinedError, match="takes version 1 only"):
            await client.add(AddRequest(torrent, tmp_path / "ours"))

        assert await client.transfers() == []


@pytest.mark.anyio
async def test_adding_the_same_torrent_at_the_same_time_adds_it_once(
    account: Account, tmp_path: Path
) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"), announce_url=NOWHERE)
    async with connected(account) as client:
        async with anyio.create_task_group() as group:
            for _ in range(5):
                group.start_soon(client.add, AddRequest(torrent, tmp_path / "ours"))

        assert len(await client.transfers()) == 1


@pytest.mark.anyio
async def test_the_owners_own_torrent_is_adopted_as_it_stands(
    account: Account, tmp_path: Path
) -> None:
    source = film(tmp_path / "ours")
    owner = Owner(account)
    async with connected(account) as client:
        key = await added(client, source)
        await until_state(client, key, ClientState.SEEDING)
        await owner.sets(key, labels=["for Anna"])
        await owner.stops(key)
        await until_state(client, key, ClientState.COMPLETED)
        await client.add(AddRequest(key, tmp_path / "elsewhere"))
        transfer = await client.transfer(key)

    assert transfer is not None
    assert (transfer.state, transfer.category) == (ClientState.COMPLETED, "for Anna")
    assert transfer.save_path == source.parent


@pytest.mark.anyio
async def test_what_the_owner_added_is_listed_and_looked_into_once_it_is_asked_for(
    account: Account, tmp_path: Path
) -> None:
    owner = Owner(account)
    ours = make_torrent(film(tmp_path / "theirs"), announce_url=NOWHERE)
    others = base64.b64encode(make_torrent(pack(tmp_path / "theirs"))).decode()
    async with connected(account) as client:
        key = (await client.add(AddRequest(ours, tmp_path / "ours"))).key
        await owner.calls("torrent-add", Nothing, metainfo=others, paused=True)
        listed = {one.hashes.key: one for one in await client.transfers()}
        [other] = listed.keys() - {key}
        await client.transfer(other)
        again = {one.hashes.key: one for one in await client.transfers()}

    assert listed[key].files != ()
    assert (listed[other].files, len(again[other].files)) == ((), 4)
    assert listed[other].wanted_bytes == again[other].wanted_bytes


@pytest.mark.anyio
async def test_a_stop_at_its_own_ratio_is_nobodys_pause(account: Account, tmp_path: Path) -> None:
    owner = Owner(account)
    async with connected(account) as client:
        key = await added(client, film(tmp_path / "ours"))
        await until_state(client, key, ClientState.SEEDING)
        await owner.sets(key, seedRatioMode=1, seedRatioLimit=0)
        stopped = await until_state(client, key, ClientState.COMPLETED)

    assert stopped.stopped_at_limit


@pytest.mark.anyio
async def test_what_the_owner_does_by_hand_is_the_owners(account: Account, tmp_path: Path) -> None:
    owner = Owner(account)
    torrent = make_torrent(film(tmp_path / "theirs"), announce_url=NOWHERE)
    async with connected(account) as client:
        key = (await client.add(AddRequest(torrent, tmp_path / "ours"))).key
        await client.pause(key, by=Pauser.US)
        await owner.starts(key)
        await until_state(client, key, ClientState.DOWNLOADING)
        await owner.until_labels(key, ["matinee"])
        await owner.stops(key)
        await until_state(client, key, ClientState.PAUSED_BY_OWNER)
        with pytest.raises(DeclinedError, match="only the owner"):
            await client.resume(key, by=Pauser.US)
        await client.pause(key, by=Pauser.US)
        still = await client.transfer(key)
        await client.resume(key, by=Pauser.OWNER)
        await until_state(client, key, ClientState.DOWNLOADING)

    assert still is not None
    assert still.state is ClientState.PAUSED_BY_OWNER


@pytest.mark.anyio
async def test_labels_of_the_owner_outlive_a_pause(account: Account, tmp_path: Path) -> None:
    owner = Owner(account)
    async with connected(account) as client:
        key = await added(client, film(tmp_path / "ours"))
        await owner.sets(key, labels=["matinee", "for Anna"])
        await client.pause(key, by=Pauser.US)
        paused = await owner.labels(key)
        await client.resume(key, by=Pauser.US)
        resumed = await owner.labels(key)

    assert paused == ["matinee", "for Anna", "matinee-paused"]
    assert resumed == ["matinee", "for Anna"]


@pytest.mark.anyio
async def test_spoilt_bytes_are_wanted_again_after_a_recheck(
    account: Account, tmp_path: Path
) -> None:
    source = pack(tmp_path / "ours")
    async with connected(account) as client:
        key = await added(client, source)
        complete = await until_state(client, key, ClientState.SEEDING)
        (source / "Show.S01E02.mkv").write_bytes(b"spoilt")
        await client.recheck(key)
        spoilt = await until_state(client, key, ClientState.DOWNLOADING)

    assert spoilt.done_bytes < spoilt.wanted_bytes == complete.wanted_bytes
    assert [file.path for file in spoilt.files if file.done < file.size] != []
    whole = next(file for file in spoilt.files if file.path.endswith("E01.mkv"))
    assert whole.size - whole.done < 1 << 16


@pytest.mark.anyio
async def test_missing_files_hold_it_until_they_are_back_and_rechecked(
    account: Account, tmp_path: Path
) -> None:
    source = film(tmp_path / "ours")
    aside = tmp_path / "aside"
    owner = Owner(account)
    async with connected(account) as client:
        key = await added(client, source)
        await until_state(client, key, ClientState.SEEDING)
        await owner.stops(key)
        await until_state(client, key, ClientState.COMPLETED)
        source.rename(aside)
        await owner.starts(key)
        held = await until_state(client, key, ClientState.MISSING_FILES)
        with pytest.raises(DeclinedError, match="none of its files"):
            await client.resume(key, by=Pauser.OWNER)
        with pytest.raises(DeclinedError, match="none of its files"):
            await client.recheck(key)
        aside.rename(source)
        await client.recheck(key)
        await until_state(client, key, ClientState.SEEDING)

    assert not held.complete


@pytest.mark.anyio
@pytest.mark.parametrize("by", list(Pauser))
async def test_files_that_come_back_do_not_end_a_pause(
    account: Account, tmp_path: Path, by: Pauser
) -> None:
    source = pack(tmp_path / "ours")
    aside = tmp_path / "aside"
    async with connected(account) as client:
        key = await added(client, source)
        await until_state(client, key, ClientState.SEEDING)
        await client.pause(key, by=by)
        source.rename(aside)
        with pytest.raises(DeclinedError, match="none of its files"):
            await client.recheck(key)
        await until_state(client, key, ClientState.MISSING_FILES)
        aside.rename(source)
        (source / "Show.S01E02.mkv").unlink()
        await client.recheck(key)
        paused = {Pauser.US: ClientState.PAUSED_BY_US, Pauser.OWNER: ClientState.PAUSED_BY_OWNER}
        await until_state(client, key, paused[by])


@pytest.mark.anyio
async def test_a_torrent_without_metadata_cannot_be_rechecked(
    account: Account, tmp_path: Path
) -> None:
    async with connected(account) as client:
        key = (await client.add(AddRequest("ab" * 20, tmp_path / "ours"))).key
        waiting = await until_state(client, key, ClientState.METADATA)
        with pytest.raises(DeclinedError, match="metadata"):
            await client.recheck(key)

    assert (waiting.name, waiting.files, waiting.complete) == (key, (), False)


@pytest.mark.anyio
async def test_only_what_was_chosen_is_told_as_wanted(account: Account, tmp_path: Path) -> None:
    source = pack(tmp_path / "ours")
    async with connected(account) as client:
        key = await added(client, source, wanted=(0, 2))
        transfer = await until_state(client, key, ClientState.SEEDING)

    sizes = {file.index: file.size for file in transfer.files}
    assert [file.index for file in transfer.files if file.wanted] == [0, 2]
    assert transfer.wanted_bytes == transfer.done_bytes == sizes[0] + sizes[2]


@pytest.mark.anyio
async def test_health_says_which_it_is_and_how_much_is_free(account: Account) -> None:
    async with connected(account) as client:
        health = await client.health()

    assert health.version.startswith("Transmission ")
    assert (health.reachable, health.note) == (True, None)
    assert health.free_bytes


@pytest.mark.anyio
async def test_an_exception_of_the_block_leaves_it_as_it_was_raised() -> None:
    with pytest.raises(ZeroDivisionError), anyio.fail_after(LIMIT_S):
        async with connected(Account("http://127.0.0.1:9")):
            raise ZeroDivisionError
