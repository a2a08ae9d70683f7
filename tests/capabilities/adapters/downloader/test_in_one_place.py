from functools import partial
from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.in_one_place import InOnePlace
from capabilities.adapters.downloader.port import AddRequest, Pauser
from capabilities.adapters.downloader.torrent_file import parse_magnet, read_torrent
from capabilities.kernel.faults import UnreachableError
from tests.capabilities.adapters.downloader.rig import LIMIT_S, embedded, film
from world.seeder import make_torrent

HASH = "ab" * 20


@pytest.fixture
def client(tmp_path: Path) -> InOnePlace:
    """A client that is not running anywhere yet."""
    return InOnePlace("embedded", "embedded", partial(embedded, tmp_path))


@pytest.mark.anyio
async def test_elsewhere_every_call_says_where_it_is_and_does_nothing(
    client: InOnePlace, tmp_path: Path
) -> None:
    client.runs_elsewhere("that is box-1 on box")
    calls = [
        client.add(AddRequest(HASH, tmp_path)),
        client.transfer(HASH),
        client.transfers(),
        client.pause(HASH, by=Pauser.US),
        client.resume(HASH, by=Pauser.US),
        client.recheck(HASH),
        client.remove(HASH, delete_data=False),
        client.metadata(parse_magnet(HASH)),
    ]
    for call in calls:
        with pytest.raises(UnreachableError, match="in one process only, and that is box-1 on box"):
            await call
    health = await client.health()
    assert (health.reachable, health.note) == (
        False,
        "It works in one process only, and that is box-1 on box.",
    )
    await client.aclose()


@pytest.mark.anyio
async def test_here_it_is_the_client_itself_until_the_block_ends(
    client: InOnePlace, tmp_path: Path
) -> None:
    async with client.here():
        hashes = await client.add(AddRequest(make_torrent(film(tmp_path)), tmp_path))
        assert [each.hashes for each in await client.transfers()] == [hashes]
        await client.pause(hashes.key, by=Pauser.US)
        await client.resume(hashes.key, by=Pauser.US)
        await client.recheck(hashes.key)
        assert (await client.health()).reachable
        raw = await client.metadata(parse_magnet(hashes.key))
        assert read_torrent(raw).hashes == hashes
        await client.remove(hashes.key, delete_data=False)
        assert await client.transfer(hashes.key) is None
    with pytest.raises(UnreachableError, match="not running in any process"):
        await client.transfers()


@pytest.mark.anyio
async def test_who_listens_waits_until_the_client_is_here(
    client: InOnePlace, tmp_path: Path
) -> None:
    heard: list[str] = []
    added: list[str] = []

    async def listen() -> None:
        async with client.changes() as changes:
            heard.append(await anext(changes))

    with anyio.fail_after(LIMIT_S):
        async with anyio.create_task_group() as group:
            group.start_soon(listen)
            await anyio.wait_all_tasks_blocked()
            async with client.here():
                await anyio.wait_all_tasks_blocked()
                hashes = await client.add(AddRequest(make_torrent(film(tmp_path)), tmp_path))
                added.append(hashes.key)
                while not heard:
                    await anyio.wait_all_tasks_blocked()
    assert heard == added
