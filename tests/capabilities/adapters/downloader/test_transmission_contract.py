"""Transmission, the real program: the shared promises, and what takes a peer to show.

It thinks about peers at a pace of seconds, so nothing here is quick.
"""

from pathlib import Path

import anyio
import pytest

from capabilities.adapters.downloader.port import (
    AddRequest,
    ClientState,
    Downloader,
    Pauser,
    Transfer,
)
from capabilities.adapters.downloader.transmission_rpc import Account
from capabilities.kernel.faults import DeclinedError
from tests.capabilities.adapters.downloader.contract import *  # noqa: F403  # run against `rig`
from tests.capabilities.adapters.downloader.contract_adding import *  # noqa: F403  # run against `rig`
from tests.capabilities.adapters.downloader.contract_going_on import *  # noqa: F403  # run against `rig`
from tests.capabilities.adapters.downloader.contract_paths import *  # noqa: F403  # run against `rig`
from tests.capabilities.adapters.downloader.rig import (
    LIMIT_S,
    MIB,
    Rig,
    film,
    listing,
    pack,
    until,
    until_complete,
)
from tests.capabilities.adapters.downloader.transmission_server import (
    account_of,
    connected,
    meeting,
    profile_in,
    real,
)
from world.seeder import Seed, seeding
from world.transmission_program import USER, running

pytestmark = pytest.mark.proof


@pytest.fixture
async def rig(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Rig:
    profile = profile_in(tmp_path_factory.mktemp("profile"))
    account = Account(f"http://127.0.0.1:{profile.port}", USER, profile.password)
    return Rig(
        lambda: real(profile), tmp_path / "ours", meeting(profile, account), part_suffix=".part"
    )


async def until_refused(rig: Rig, seed: Seed, client: Downloader, key: str) -> Transfer:
    """Wait until a magnet was judged, which may be before the seed has given anything."""
    refused: list[Transfer] = []

    async def meet() -> None:
        await rig.meet(seed)

    async with anyio.create_task_group() as group:
        group.start_soon(meet)
        refused.append(
            await until(
                client, key, lambda one: one.state is ClientState.FAILED, limit_s=2 * LIMIT_S
            )
        )
        group.cancel_scope.cancel()
    return refused[0]


@pytest.mark.anyio
async def test_the_wanted_files_of_a_magnet_are_chosen_when_its_metadata_comes(
    rig: Rig, tmp_path: Path
) -> None:
    source = pack(tmp_path / "theirs")
    async with seeding(source, upload_limit=512 * 1024) as seed, rig.open() as client:
        key = (await client.add(AddRequest(seed.magnet, rig.save_path, wanted=(0, 3)))).key
        await rig.meet(seed)
        chosen = await until(
            client, key, lambda one: {each.index for each in one.files if each.wanted} == {0, 3}
        )
        seed.limit(0)
        transfer = await until_complete(client, key)

    assert not chosen.complete
    assert transfer.wanted_bytes == sum(file.size for file in transfer.files if file.wanted)
    assert transfer.category == "matinee"


@pytest.mark.anyio
async def test_names_that_come_late_and_are_unsafe_stop_it(rig: Rig, tmp_path: Path) -> None:
    source = pack(tmp_path / "theirs")
    film(source, size=1000, name="READ.me.txt")
    async with seeding(source, upload_limit=64 * 1024) as seed, rig.open() as client:
        key = (await client.add(AddRequest(seed.magnet, rig.save_path))).key
        refused = await until_refused(rig, seed, client, key)
        for attempt in (client.resume(key, by=Pauser.OWNER), client.recheck(key)):
            with pytest.raises(DeclinedError, match="differs from another only in case"):
                await attempt
        still = await until(client, key, lambda one: not one.peers)

    assert refused.error is not None
    assert "differs from another only in case" in refused.error
    assert still.state is ClientState.FAILED
    assert still.done_bytes < still.wanted_bytes


@pytest.mark.anyio
async def test_a_choice_that_a_magnet_does_not_have_stops_it(rig: Rig, tmp_path: Path) -> None:
    source = film(tmp_path / "theirs")
    async with seeding(source, upload_limit=64 * 1024) as seed, rig.open() as client:
        key = (await client.add(AddRequest(seed.magnet, rig.save_path, wanted=(7,)))).key
        refused = await until_refused(rig, seed, client, key)

    assert refused.error is not None
    assert "does not have the files that were chosen" in refused.error


@pytest.mark.anyio
async def test_a_crash_in_the_middle_costs_no_byte_of_the_result(tmp_path: Path) -> None:
    source = film(tmp_path / "theirs", size=2 * MIB)
    profile = profile_in(tmp_path / "profile")
    ours = tmp_path / "ours"
    async with seeding(source, upload_limit=256 * 1024) as seed:
        async with running(profile) as program, connected(account_of(program)) as client:
            key = (await client.add(AddRequest(seed.torrent_bytes, ours))).key
            await meeting(profile, account_of(program))(seed)
            half = await until(client, key, lambda one: one.done_bytes > 0)
            await program.kill()
        seed.limit(0)
        async with running(profile) as program, connected(account_of(program)) as client:
            await until(client, key, lambda one: one.state is ClientState.DOWNLOADING)
            await meeting(profile, account_of(program))(seed)
            complete = await until_complete(client, key)

    assert half.done_bytes < half.wanted_bytes == complete.done_bytes
    assert (ours / source.name).read_bytes() == source.read_bytes()
    assert listing(ours) == {source.name}


@pytest.mark.anyio
async def test_what_cannot_be_written_fails_in_transmissions_words(
    rig: Rig, tmp_path: Path
) -> None:
    source = pack(tmp_path / "theirs")
    rig.save_path.mkdir()
    (rig.save_path / source.name).write_text("a file where a folder should be")
    async with seeding(source) as seed, rig.open() as client:
        key = (await client.add(AddRequest(seed.torrent_bytes, rig.save_path))).key
        await rig.meet(seed)
        failed = await until(client, key, lambda one: one.state is ClientState.FAILED)
        (rig.save_path / source.name).unlink()
        await client.remove(key, delete_data=True)
        await client.add(AddRequest(seed.torrent_bytes, rig.save_path))
        await rig.meet(seed)
        await until_complete(client, key)

    assert failed.error is not None
    assert "ot a directory" in failed.error
    assert listing(rig.save_path / source.name) == listing(source)
