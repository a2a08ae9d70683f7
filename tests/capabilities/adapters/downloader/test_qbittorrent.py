"""qBittorrent, the real program: the shared promises, and what only this adapter promises."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import AddRequest, ClientState, Pauser
from capabilities.kernel.faults import DeclinedError, ThrottledError
from tests.capabilities.adapters.downloader.contract import *  # noqa: F403  # run against `rig`
from tests.capabilities.adapters.downloader.contract_adding import *  # noqa: F403  # run against `rig`
from tests.capabilities.adapters.downloader.contract_going_on import *  # noqa: F403  # run against `rig`
from tests.capabilities.adapters.downloader.contract_paths import *  # noqa: F403  # run against `rig`
from tests.capabilities.adapters.downloader.qbittorrent_server import (
    account_of,
    connected,
    meeting,
    meeting_anew,
    owner_does,
    profile_in,
    real,
    until_back,
)
from tests.capabilities.adapters.downloader.rig import (
    Rig,
    film,
    listing,
    pack,
    until,
    until_complete,
)
from world.qbittorrent_program import Profile, running
from world.seeder import TorrentKind, make_torrent, seeding

pytestmark = pytest.mark.proof


@pytest.fixture
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    return profile_in(tmp_path_factory.mktemp("profile"))


@pytest.fixture
async def rig(tmp_path: Path, profile: Profile) -> AsyncGenerator[Rig]:
    async with AsyncExitStack() as opened:
        yield Rig(lambda: real(profile), tmp_path / "ours", meeting_anew(profile, opened))


@pytest.mark.anyio
@pytest.mark.parametrize("kind", list(TorrentKind))
async def test_a_torrent_of_every_format_is_fetched_and_known_by_all_its_names(
    tmp_path: Path, profile: Profile, kind: TorrentKind
) -> None:
    source = pack(tmp_path / "theirs")
    async with seeding(source, kind=kind) as seed, real(profile) as client:
        request = AddRequest(seed.torrent_bytes, tmp_path / "ours", peers=(seed.address,))
        hashes = await client.add(request)
        transfer = await until_complete(client, hashes.key)

        assert (hashes.v1, hashes.v2) == (seed.v1, seed.v2)
        assert transfer.wanted_bytes == sum(path.stat().st_size for path in source.iterdir())
        for name in hashes.names():
            found = await client.transfer(name.upper())
            assert found is not None
            assert found.hashes == hashes
    assert listing(tmp_path / "ours" / source.name) == listing(source)


@pytest.mark.anyio
async def test_files_are_counted_with_pad_files_as_the_torrent_counts_them(
    tmp_path: Path, profile: Profile
) -> None:
    source = pack(tmp_path / "theirs")
    async with seeding(source, kind=TorrentKind.HYBRID) as seed, real(profile) as client:
        save_path, peers = tmp_path / "ours", (seed.address,)
        # The second file comes after the pad of the first.
        request = AddRequest(seed.torrent_bytes, save_path, wanted=(2,), peers=peers)
        transfer = await until_complete(client, (await client.add(request)).key)

    [chosen] = [file for file in transfer.files if file.wanted]
    assert (chosen.index, Path(chosen.path).name) == (2, "Show.S01E02.mkv")
    assert listing(tmp_path / "ours" / source.name) == {"Show.S01E02.mkv"}


@pytest.mark.anyio
async def test_missing_files_hold_a_torrent_until_it_is_rechecked(
    tmp_path: Path, profile: Profile
) -> None:
    source = film(tmp_path / "theirs")
    async with seeding(source) as seed:
        request = AddRequest(seed.torrent_bytes, tmp_path / "ours", peers=(seed.address,))
        async with real(profile) as client:
            key = (await client.add(request)).key
            await until_complete(client, key)
        (tmp_path / "ours" / source.name).unlink()
        async with real(profile) as client:
            await until(client, key, lambda one: one.state is ClientState.MISSING_FILES)
            with pytest.raises(DeclinedError, match="rechecked"):
                await client.resume(key, by=Pauser.OWNER)
            film(tmp_path / "ours")
            await client.recheck(key)
            await until_complete(client, key)


@pytest.mark.anyio
async def test_a_client_that_dies_in_mid_download_is_found_again_and_goes_on(
    tmp_path: Path, profile: Profile
) -> None:
    source = film(tmp_path / "theirs", size=4 << 20)
    async with (
        seeding(source, upload_limit=512 << 10) as seed,
        running(profile) as program,
        connected(account_of(program)) as client,
    ):
        request = AddRequest(seed.torrent_bytes, tmp_path / "ours", peers=(seed.address,))
        key = (await client.add(request)).key
        await until(client, key, lambda one: 0 < one.done_bytes < one.wanted_bytes)
        await program.kill()
        gone = await client.health()
        seed.limit(0)
        async with running(profile):
            await until_back(client)
            await meeting(profile)(seed)
            await until_complete(client, key)

    assert not gone.reachable
    assert (tmp_path / "ours" / source.name).read_bytes() == source.read_bytes()


@pytest.mark.anyio
async def test_a_torrent_is_filed_under_our_category_which_is_made(
    tmp_path: Path, profile: Profile
) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"))
    async with real(profile) as client:
        key = (await client.add(AddRequest(torrent, tmp_path / "ours"))).key
        transfer = await client.transfer(key)
        health = await client.health()

    assert transfer is not None
    assert (transfer.category, transfer.save_path) == ("matinee", tmp_path / "ours")
    assert (transfer.ratio, transfer.seeding_s) == (0.0, 0)
    assert health.version.startswith("qBittorrent v")


@pytest.mark.anyio
async def test_a_stop_at_its_own_limit_is_nobodys_pause(tmp_path: Path, profile: Profile) -> None:
    source = film(tmp_path / "ours")
    async with running(profile) as program, connected(account_of(program)) as client:
        key = (await client.add(AddRequest(make_torrent(source), source.parent))).key
        await until(client, key, lambda one: one.state is ClientState.SEEDING)
        limits = {"hashes": key, "ratioLimit": "0", "seedingTimeLimit": "-1"}
        await owner_does(program, "torrents/setShareLimits", limits)
        stopped = await until(
            client, key, lambda one: one.state is ClientState.COMPLETED, limit_s=30
        )

    assert stopped.stopped_at_limit


@pytest.mark.anyio
async def test_a_wrong_password_and_the_ban_that_follows_are_told_apart(profile: Profile) -> None:
    async with running(profile) as program:
        right = account_of(program)
        async with connected(replace(right, password="wrong")) as client:
            for _ in range(10):
                with pytest.raises(DeclinedError, match="password are wrong"):
                    await client.transfers()
        async with connected(right) as client:
            # One wrong try only was sent, so that nobody is banned yet.
            assert await client.transfers() == []
        for _ in range(5):
            async with connected(replace(right, password="wrong")) as client:
                with pytest.raises((DeclinedError, ThrottledError)):
                    await client.transfers()
        async with connected(right) as client:
            with pytest.raises(ThrottledError, match="banned"):
                await client.transfers()
