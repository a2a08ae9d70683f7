"""What the embedded client does by itself: late names, missing files, stalls, disk faults."""

from pathlib import Path

import anyio
import libtorrent as lt
import pytest

from capabilities.adapters.downloader.embedded import open_embedded
from capabilities.adapters.downloader.embedded_kept import Kept, KeptTorrents
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.embedded_upkeep import Timing
from capabilities.adapters.downloader.port import AddRequest, ClientState, Downloader, Pauser
from capabilities.adapters.downloader.torrent_file import read_torrent
from capabilities.kernel.faults import DeclinedError
from tests.capabilities.adapters.downloader.rig import (
    LIMIT_S,
    MIB,
    QUICK,
    embedded,
    film,
    hostile,
    listing,
    pack,
    state_folder_broken,
    until,
    until_complete,
)
from world.seeder import TorrentKind, giving, make_torrent, seeding
from world.tracker import tracking


async def fetched(client: Downloader, torrent: bytes, folder: Path) -> str:
    key = (await client.add(AddRequest(torrent, folder))).key
    await until_complete(client, key)
    return key


@pytest.mark.anyio
async def test_unsafe_names_that_come_late_stop_the_torrent_before_a_byte_is_written(
    tmp_path: Path,
) -> None:
    torrent = hostile(b"..", b"..", b"evil.mkv")
    async with giving(torrent, tmp_path / "theirs") as seed, embedded(tmp_path) as client:
        key = (await client.add(AddRequest(seed.magnet, tmp_path / "ours"))).key
        failed = await until(client, key, lambda one: one.state is ClientState.FAILED)
        for action in (client.resume(key, by=Pauser.OWNER), client.recheck(key)):
            with pytest.raises(DeclinedError, match="file name"):
                await action
    async with embedded(tmp_path) as client:
        restored = await until(client, key, lambda one: one.state is ClientState.FAILED)

    assert failed.error is not None
    assert failed.error == restored.error
    assert failed.wanted_bytes == 0
    assert {path.split("/")[0] for path in listing(tmp_path)} == {"state"}


@pytest.mark.anyio
async def test_late_metadata_without_the_chosen_files_stops_the_torrent(tmp_path: Path) -> None:
    source = pack(tmp_path / "theirs")
    async with seeding(source, kind=TorrentKind.HYBRID) as seed:
        assert seed.v2
        by_second = AddRequest(seed.v2, tmp_path / "ours", wanted=(99,), peers=(seed.address,))
        async with embedded(tmp_path) as client:
            await client.add(by_second)
            failed = await until(client, seed.v2, lambda one: one.state is ClientState.FAILED)
        for _ in range(2):
            async with embedded(tmp_path) as client:
                again = await until(client, seed.v2, lambda one: one.state is ClientState.FAILED)
                assert again.error == failed.error
        async with embedded(tmp_path) as client:
            await client.remove(seed.v2, delete_data=True)
    async with embedded(tmp_path) as client:
        left = await client.transfers()

    assert "chosen" in (failed.error or "")
    assert left == []
    assert not (tmp_path / "ours").exists()


@pytest.mark.anyio
async def test_two_magnets_that_turn_out_to_be_one_torrent_do_not_run_twice(
    tmp_path: Path,
) -> None:
    source = film(tmp_path / "theirs")
    hashes = read_torrent(make_torrent(source, kind=TorrentKind.HYBRID)).hashes
    async with tracking() as tracker, embedded(tmp_path) as client:
        for name in (f"btih:{hashes.v1}", f"btmh:1220{hashes.v2}"):
            magnet = f"magnet:?xt=urn:{name}&tr={tracker.announce_url}"
            await client.add(AddRequest(magnet, tmp_path / "ours"))
        assert len(await client.transfers()) == 2
        async with seeding(source, kind=TorrentKind.HYBRID, tracker=tracker):
            assert hashes.v1
            assert hashes.v2
            failed = await until(client, hashes.v1, lambda one: one.state is ClientState.FAILED)
            await client.remove(hashes.v2, delete_data=False)
            await client.resume(hashes.v1, by=Pauser.OWNER)
            await until_complete(client, hashes.v1)
            [left] = await client.transfers()

    assert "other hash" in (failed.error or "")
    assert left.hashes == hashes


@pytest.mark.anyio
async def test_a_magnet_by_its_second_hash_goes_by_both_once_it_is_known(tmp_path: Path) -> None:
    source = film(tmp_path / "theirs")
    async with seeding(source, kind=TorrentKind.HYBRID) as seed, embedded(tmp_path) as client:
        assert seed.v2
        request = AddRequest(seed.v2, tmp_path / "ours", peers=(seed.address,))
        first = await client.add(request)
        complete = await until_complete(client, first.key)
    async with embedded(tmp_path) as client:
        kept = await client.transfers()

    assert first.v1 is None
    assert complete.hashes.key == seed.v1
    assert [one.hashes.v2 for one in kept] == [seed.v2]


@pytest.mark.anyio
async def test_files_gone_at_a_start_are_not_fetched_again_until_a_recheck(
    tmp_path: Path,
) -> None:
    source = pack(tmp_path / "theirs")
    ours = tmp_path / "ours"
    gone = ours / source.name / "Show.S01E02.mkv"
    async with tracking() as tracker, seeding(source, tracker=tracker) as seed:
        async with embedded(tmp_path) as client:
            key = await fetched(client, seed.torrent_bytes, ours)
        gone.unlink()
        given = seed.given_bytes
        for _ in range(2):
            async with embedded(tmp_path) as client:
                held = await until(client, key, lambda one: one.state is ClientState.MISSING_FILES)
                assert not held.complete
                with pytest.raises(DeclinedError, match="missing"):
                    await client.resume(key, by=Pauser.OWNER)
        assert seed.given_bytes == given
        assert not gone.exists()

        async with embedded(tmp_path) as client:
            await client.recheck(key)
            await until_complete(client, key)

        assert gone.read_bytes() == (source / gone.name).read_bytes()
        assert given < seed.given_bytes < given + 2 * MIB


@pytest.mark.anyio
async def test_a_file_in_progress_that_is_gone_at_a_start_is_not_begun_anew(
    tmp_path: Path,
) -> None:
    source = film(tmp_path / "theirs", size=4 * MIB)
    ours = tmp_path / "ours" / source.name
    async with tracking() as tracker, seeding(source, tracker=tracker) as seed:
        seed.limit(MIB)
        async with embedded(tmp_path) as client:
            key = (await client.add(AddRequest(seed.torrent_bytes, ours.parent))).key
            await until(client, key, lambda one: one.done_bytes > 0)
            await client.pause(key, by=Pauser.US)
        ours.unlink()
        async with embedded(tmp_path) as client:
            held = await until(client, key, lambda one: one.state is not ClientState.QUEUED)

    assert held.state is ClientState.MISSING_FILES
    assert not ours.exists()


@pytest.mark.anyio
async def test_files_that_were_put_back_are_found_by_a_recheck_and_not_fetched(
    tmp_path: Path,
) -> None:
    source = film(tmp_path / "theirs")
    ours = tmp_path / "ours" / source.name
    async with tracking() as tracker, seeding(source, tracker=tracker) as seed:
        async with embedded(tmp_path) as client:
            key = await fetched(client, seed.torrent_bytes, ours.parent)
        ours.rename(tmp_path / "aside")
        given = seed.given_bytes
        async with embedded(tmp_path) as client:
            await until(client, key, lambda one: one.state is ClientState.MISSING_FILES)
            await client.pause(key, by=Pauser.OWNER)
            (tmp_path / "aside").rename(ours)
            await client.recheck(key)
            found = await until_complete(client, key)

        assert found.state is ClientState.COMPLETED
        assert seed.given_bytes == given


@pytest.mark.anyio
async def test_a_torrent_without_peers_is_stalled_after_its_time_and_not_before(
    tmp_path: Path,
) -> None:
    source = film(tmp_path / "theirs")
    patient = Timing(look_every_s=0.05, stall_after_s=60)
    hasty = Timing(look_every_s=0.05, stall_after_s=0.2)
    torrent = make_torrent(source)
    async with embedded(tmp_path, patient) as client:
        key = (await client.add(AddRequest(torrent, tmp_path / "ours"))).key
        waiting = await until(client, key, lambda one: one.state is not ClientState.QUEUED)
    async with embedded(tmp_path, hasty) as client:
        await until(client, key, lambda one: one.state is ClientState.STALLED)
        async with seeding(source) as seed:
            await client.add(AddRequest("cd" * 20, tmp_path / "ours"))
            await until(client, "cd" * 20, lambda one: one.state is ClientState.STALLED)
            await client.remove(key, delete_data=True)
            again = AddRequest(torrent, tmp_path / "ours", peers=(seed.address,))
            await client.add(again)
            await until_complete(client, key)

    assert waiting.state is ClientState.DOWNLOADING


@pytest.mark.anyio
async def test_a_disk_that_refuses_is_a_failure_with_a_sentence_and_can_be_resumed(
    tmp_path: Path,
) -> None:
    source = pack(tmp_path / "theirs")
    ours = tmp_path / "ours"
    ours.mkdir()
    (ours / source.name).write_text("a file where the folder should be")
    async with seeding(source) as seed, embedded(tmp_path) as client:
        request = AddRequest(seed.torrent_bytes, ours, peers=(seed.address,))
        key = (await client.add(request)).key
        failed = await until(client, key, lambda one: one.state is ClientState.FAILED)
        (ours / source.name).unlink()
        await client.resume(key, by=Pauser.OWNER)
        await until_complete(client, key)

    assert failed.error is not None
    assert str(tmp_path) not in failed.error
    assert listing(ours / source.name) == listing(source)


@pytest.mark.anyio
async def test_a_recheck_of_a_paused_torrent_leaves_it_paused(tmp_path: Path) -> None:
    source = film(tmp_path / "theirs")
    async with tracking() as tracker, seeding(source, tracker=tracker) as seed:
        async with embedded(tmp_path) as client:
            key = await fetched(client, seed.torrent_bytes, tmp_path / "ours")
            await client.pause(key, by=Pauser.OWNER)
            with (tmp_path / "ours" / source.name).open("r+b") as file:
                file.write(b"spoilt")
            given = seed.given_bytes
            await client.recheck(key)
            paused = await until(client, key, lambda one: one.state is ClientState.PAUSED_BY_OWNER)

        assert 0 < paused.done_bytes < paused.wanted_bytes
        assert seed.given_bytes == given


@pytest.mark.anyio
async def test_a_recheck_that_a_crash_cut_short_is_begun_again(tmp_path: Path) -> None:
    source = film(tmp_path / "theirs")
    ours = tmp_path / "ours" / source.name
    kept = KeptTorrents(tmp_path / "state")
    async with seeding(source) as seed, embedded(tmp_path) as client:
        request = AddRequest(seed.torrent_bytes, ours.parent, peers=(seed.address,))
        key = (await client.add(request)).key
        await until_complete(client, key)
        await client.pause(key, by=Pauser.OWNER)
    [before] = await kept.read_all()
    intent = before.intent.model_copy(update={"recheck": True})
    await kept.write(Kept(key, intent, before.resume))
    with ours.open("r+b") as file:
        file.write(b"spoilt")
    async with embedded(tmp_path) as client:
        paused = await until(client, key, lambda one: one.state is ClientState.PAUSED_BY_OWNER)
    [after] = await kept.read_all()

    assert paused.done_bytes < paused.wanted_bytes
    assert not after.intent.recheck


@pytest.mark.anyio
async def test_a_torrent_kept_under_two_keys_is_one_torrent_and_stays_removed(
    tmp_path: Path,
) -> None:
    source = film(tmp_path / "theirs")
    kept = KeptTorrents(tmp_path / "state")
    torrent = make_torrent(source, kind=TorrentKind.HYBRID)
    async with embedded(tmp_path) as client:
        hashes = await client.add(AddRequest(torrent, tmp_path / "ours"))
    async with embedded(tmp_path / "other") as client:
        assert hashes.v2
        await client.add(AddRequest(hashes.v2, tmp_path / "ours"))
    [magnet] = await KeptTorrents(tmp_path / "other" / "state").read_all()
    await kept.write(magnet)
    async with embedded(tmp_path) as client:
        found = await client.transfers()
        await client.remove(hashes.key, delete_data=False)

    assert [len(one.files) for one in found] == [1]
    assert await kept.read_all() == []


@pytest.mark.anyio
async def test_what_cannot_be_read_is_left_out_and_said(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"))
    async with embedded(tmp_path) as client:
        key = (await client.add(AddRequest(torrent, tmp_path / "ours"))).key
    spoilt = tmp_path / "state" / f"{'ef' * 20}.torrent-state"
    spoilt.write_bytes(b"spoilt")
    async with embedded(tmp_path) as client:
        found = [one.hashes.key for one in await client.transfers()]
        health = await client.health()

    assert found == [key]
    assert "cannot be read" in (health.note or "")
    assert spoilt.read_bytes() == b"spoilt"


@pytest.mark.anyio
async def test_resume_data_that_libtorrent_rejects_holds_the_torrent(tmp_path: Path) -> None:
    source = film(tmp_path / "theirs")
    ours = tmp_path / "ours" / source.name
    async with tracking() as tracker, seeding(source, tracker=tracker) as seed:
        async with embedded(tmp_path) as client:
            key = await fetched(client, seed.torrent_bytes, ours.parent)
            given = seed.given_bytes
        ours.write_bytes(b"")
        async with embedded(tmp_path, QUICK) as client:
            held = await until(client, key, lambda one: one.state is ClientState.MISSING_FILES)

        assert held.error is None
        assert seed.given_bytes == given


@pytest.mark.anyio
async def test_a_download_that_could_not_be_written_down_is_complete_and_kept_later(
    tmp_path: Path,
) -> None:
    source = film(tmp_path / "theirs")
    often = Timing(look_every_s=0.05, keep_every_s=0.05)
    async with seeding(source) as seed, embedded(tmp_path, often) as client:
        request = AddRequest(seed.torrent_bytes, tmp_path / "ours", peers=(seed.address,))
        seed.limit(64 * 1024)
        key = (await client.add(request)).key
        with state_folder_broken(tmp_path):
            seed.limit(0)
            await until_complete(client, key)
            broken = await client.health()
        with anyio.fail_after(LIMIT_S):
            while (await client.health()).note is not None:
                await anyio.lowlevel.checkpoint()
    [kept] = await KeptTorrents(tmp_path / "state").read_all()

    assert broken.note is not None
    assert all(kept.params().have_pieces)


class Forgetful(LoopbackProfile):
    """libtorrent with room for hardly any alert, so that most are dropped."""

    def pack(self) -> "lt.settings_pack":
        return {**super().pack(), "alert_queue_size": 2}


@pytest.mark.anyio
async def test_lost_alerts_cost_a_look_and_nothing_more(tmp_path: Path) -> None:
    source = pack(tmp_path / "theirs")
    async with (
        seeding(source) as seed,
        open_embedded(tmp_path / "state", tmp_path, Forgetful(), timing=QUICK) as client,
    ):
        for number in range(1, 21):
            await client.add(AddRequest(f"{number:040x}", tmp_path / "ours"))
        request = AddRequest(seed.torrent_bytes, tmp_path / "ours", peers=(seed.address,))
        await until_complete(client, (await client.add(request)).key)

    assert listing(tmp_path / "ours" / source.name) == listing(source)
