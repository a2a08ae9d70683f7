from collections import Counter
from pathlib import Path

import libtorrent as lt
import pytest

from capabilities.adapters.downloader.port import AddRequest
from tests.capabilities.adapters.downloader.rig import embedded, until_complete
from world.scripts import say
from world.stage import FILM_BYTES, GB, RELEASE, SINTEL, staged

MIB = 1 << 20


@pytest.mark.anyio
async def test_one_offer_is_real_and_the_others_are_there_to_be_refused(tmp_path: Path) -> None:
    async with staged(tmp_path, say("hello"), size=MIB) as stage:
        real = [offer for offer in stage.offers if offer.torrent == stage.seed.torrent_bytes]
        assert [offer.title for offer in real] == [RELEASE]
        assert (real[0].size, real[0].tmdb_id) == (MIB, SINTEL)
        titles = Counter(offer.title for offer in stage.offers)
        assert len(titles) == len(stage.offers) == 7
        assert {offer.tmdb_id for offer in stage.offers} == {SINTEL}
        assert max(offer.size for offer in stage.offers) == 60 * GB
        assert stage.video == f"{RELEASE}/{RELEASE}.mkv"
        assert seen(tmp_path / stage.video) == MIB


def seen(file: Path) -> int:
    return file.stat().st_size


def names(torrent: bytes) -> set[str]:
    info = lt.load_torrent_buffer(torrent).ti
    assert info is not None
    return {info.layout().file_path(index) for index in range(info.num_files())}


@pytest.mark.anyio
async def test_the_real_release_is_a_film_with_its_subtitle(tmp_path: Path) -> None:
    async with staged(tmp_path, say("hello"), size=MIB) as stage:
        assert names(stage.seed.torrent_bytes) == {
            f"{RELEASE}/{RELEASE}.mkv",
            f"{RELEASE}/{RELEASE}.en.srt",
        }
        (fake,) = {each.torrent for each in stage.offers} - {stage.seed.torrent_bytes}
        assert fake is not None
        (name,) = names(fake)
        assert name.endswith(".mkv.exe")


@pytest.mark.anyio
async def test_the_same_world_has_the_same_torrent_each_time_but_for_its_tracker(
    tmp_path: Path,
) -> None:
    hashes: list[str | None] = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        async with staged(folder, say("hello"), size=MIB) as stage:
            hashes.append(stage.seed.v1)
    assert hashes[0] == hashes[1]


@pytest.mark.anyio
async def test_it_can_be_fetched_by_anybody_who_asks_the_tracker(tmp_path: Path) -> None:
    world, files = tmp_path / "world", tmp_path / "files"
    for folder in (world, files):
        folder.mkdir()
    async with (
        staged(world, say("hello"), size=MIB) as stage,
        embedded(tmp_path / "client") as client,
    ):
        hashes = await client.add(AddRequest(stage.seed.torrent_bytes, files))
        transfer = await until_complete(client, hashes.key)
        assert transfer.done_bytes == transfer.wanted_bytes
        assert seen(files / stage.video) == MIB
    assert FILM_BYTES == 64 * MIB
