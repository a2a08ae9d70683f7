from pathlib import Path

import pytest

from capabilities.adapters.downloader.mapped import Mapped
from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser
from capabilities.kernel.faults import UnreachableError
from capabilities.rules.path_mapping import PathMap, SameFolder
from tests.capabilities.adapters.downloader.qbittorrent_server import account_of, connected
from tests.capabilities.adapters.downloader.rig import embedded, film, until, until_complete
from world.qbittorrent_double import qbittorrent_double
from world.seeder import make_torrent, seeding


def called(ours: object, theirs: object) -> PathMap:
    return PathMap([SameFolder(str(ours), str(theirs))])


@pytest.mark.anyio
async def test_each_side_is_told_its_own_name_of_the_folder(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "source"))
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    async with embedded(tmp_path) as client:
        mapped = Mapped(client, called(ours, theirs))
        key = (await mapped.add(AddRequest(torrent, ours / "films"))).key
        one, [same], there = (
            await mapped.transfer(key),
            await mapped.transfers(),
            await client.transfer(key),
        )

    assert one is not None
    assert there is not None
    assert (one.save_path, same.save_path) == (ours / "films", ours / "films")
    assert there.save_path == theirs / "films"
    assert (mapped.name, mapped.kind) == (client.name, client.kind)


@pytest.mark.anyio
async def test_a_folder_of_windows_is_one_too(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "source"))
    async with qbittorrent_double() as double, connected(account_of(double)) as client:
        mapped = Mapped(client, called("/srv/downloads", "D:\\Downloads"))
        key = (await mapped.add(AddRequest(torrent, Path("/srv/downloads/films")))).key
        here, there = await mapped.transfer(key), await client.transfer(key)

    assert here is not None
    assert there is not None
    assert here.save_path == Path("/srv/downloads/films")
    assert str(there.save_path) == "D:\\Downloads\\films"


@pytest.mark.anyio
async def test_all_else_is_the_clients_own(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "source"))
    async with embedded(tmp_path) as client:
        mapped = Mapped(client, called(tmp_path / "ours", tmp_path / "theirs"))
        async with mapped.changes() as changes:
            key = (await mapped.add(AddRequest(torrent, tmp_path / "ours"))).key
            assert await anext(changes) == key
        await mapped.pause(key, by=Pauser.US)
        paused = await until(client, key, lambda one: one.state is ClientState.PAUSED_BY_US)
        await mapped.recheck(key)
        await mapped.resume(key, by=Pauser.US)
        resumed = await until(client, key, lambda one: one.state is ClientState.DOWNLOADING)
        await mapped.remove(key, delete_data=True)
        left = await client.transfers()
        await mapped.aclose()
        with pytest.raises(UnreachableError):
            await client.transfers()

    assert (paused.hashes, left) == (resumed.hashes, [])


@pytest.mark.anyio
async def test_finished_files_that_are_not_where_we_look_are_told_of(tmp_path: Path) -> None:
    source = film(tmp_path / "source")
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    async with seeding(source) as seed, embedded(tmp_path) as client:
        mapped = Mapped(client, called(ours, theirs))
        before = await mapped.health()
        request = AddRequest(seed.torrent_bytes, ours, peers=(seed.address,))
        await until_complete(client, (await mapped.add(request)).key)
        nowhere = await mapped.health()
        ours.symlink_to(theirs)
        there = await mapped.health()
        await client.aclose()
        closed = await mapped.health()

    assert (before.note, there.note) == (None, None)
    assert nowhere.reachable
    assert nowhere.note is not None
    assert f'"{source.name}" is whole' in nowhere.note
    assert not closed.reachable
