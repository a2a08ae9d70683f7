import base64
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest

from capabilities.adapters.indexer.indexers import Indexers
from capabilities.kernel.codes import Code
from ledger.stores import releases
from tests.capabilities.adapters.downloader.rig import hostile
from tests.scene import Scene
from tests.stage_set import torznab_of
from world.indexer import serving_indexer
from world.indexer_feed import Offer
from world.seeder import TorrentKind, make_torrent
from world.stage import GB, RELEASE, SINTEL

FAKE = "Sintel.2010.1080p.BluRay.x265-FAKE"


def encoded(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


@pytest.mark.anyio
async def test_a_release_is_opened_to_its_files_and_hashes(scene: Scene) -> None:
    seen = await scene.answer("release.inspect", release=await scene.release())
    assert seen["title"] == RELEASE
    assert [file["path"] for file in seen["files"]] == [
        f"{RELEASE}/{RELEASE}.mkv",
        f"{RELEASE}/{RELEASE}.en.srt",
    ]
    assert seen["files"][0]["size_mb"] == 1.05
    assert seen["hash_v1"] == scene.stage.seed.v1
    assert (seen["dangerous"], seen["private"], seen["left_out"]) == (False, False, 0)
    assert seen["judged"] == {
        "grade": "A",
        "verdict": "same",
        "accepted": True,
        "reasons": ['"1080p BluRay" is in tier "Blu-ray 1080p"'],
    }


@pytest.mark.anyio
async def test_a_torrent_file_is_fetched_once_and_kept(scene: Scene) -> None:
    release = await scene.release()
    await scene.answer("release.inspect", release=release)
    id_ = await scene.id_of(release)
    kept = await scene.read(lambda conn: releases.torrent(conn, id_))
    assert kept == scene.stage.seed.torrent_bytes
    gone = scene.having(Indexers([torznab_of(scene.base, key="wrong")]))
    assert (await gone.answer("release.inspect", release=release))["hash_v1"]


@pytest.mark.anyio
async def test_a_program_that_claims_to_be_a_video_is_named(scene: Scene) -> None:
    seen = await scene.answer("release.inspect", release=await scene.release(FAKE))
    (file,) = seen["files"]
    assert file["path"].endswith(".mkv.exe")
    assert file["danger"]
    assert seen["dangerous"]


@pytest.mark.anyio
async def test_dangers_come_first_and_what_is_not_shown_is_counted(
    scene: Scene, tmp_path: Path
) -> None:
    pack = tmp_path / "Sintel.2010.1080p.BluRay-PACK"
    pack.mkdir()
    for number in range(60):
        (pack / f"{number}.srt").write_bytes(b"1" * (1000 + number))
    (pack / "setup.exe").write_bytes(b"x")
    raw = await anyio.to_thread.run_sync(make_torrent, pack)
    seen = await scene.answer("release.inspect", torrent=encoded(raw))
    assert seen["files"][0]["path"].endswith("setup.exe")
    assert (len(seen["files"]), seen["left_out"]) == (50, 11)


@pytest.mark.anyio
async def test_every_video_says_what_its_own_name_reads_as(scene: Scene, tmp_path: Path) -> None:
    pack = tmp_path / "Lantern.Street.S01.1080p.WEB-DL-OPEN"
    pack.mkdir()
    for name in ("Lantern.Street.S01E01E02.1080p.mkv", "Sintel.2010.mkv", "notes.txt"):
        with (pack / name).open("wb") as file:
            file.truncate(60_000_000 if name.endswith("mkv") else 10)
    raw = await anyio.to_thread.run_sync(make_torrent, pack)
    seen = await scene.answer("release.inspect", torrent=encoded(raw))
    reads = {file["path"].rpartition("/")[2]: file.get("reads_as") for file in seen["files"]}
    assert reads == {
        "Lantern.Street.S01E01E02.1080p.mkv": "Lantern Street S1E1+2",
        "Sintel.2010.mkv": "Sintel (2010)",
        "notes.txt": None,
    }


@pytest.mark.anyio
@pytest.mark.parametrize("kind", TorrentKind)
async def test_torrents_of_every_version_tell_their_hashes(
    scene: Scene, tmp_path: Path, kind: TorrentKind
) -> None:
    film = tmp_path / "Sintel.2010.mkv"
    film.write_bytes(b"film" * 10_000)
    raw = make_torrent(film, kind=kind, private=True)
    seen = await scene.answer("release.inspect", torrent=encoded(raw))
    assert ("hash_v1" in seen) == (kind is not TorrentKind.V2)
    assert ("hash_v2" in seen) == (kind is not TorrentKind.V1)
    assert seen["private"]
    assert "judged" not in seen


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("magnet", "title"),
    [
        (f"magnet:?xt=urn:btih:{'ab' * 20}&dn=Sintel%E2%80%AE.2010", "Sintel .2010"),
        ("AB" * 20, "ab" * 20),
    ],
)
async def test_a_magnet_tells_its_hash_and_nothing_more(
    scene: Scene, magnet: str, title: str
) -> None:
    seen = await scene.answer("release.inspect", magnet=magnet)
    assert (seen["title"], seen["hash_v1"]) == (title, "ab" * 20)
    assert seen["files"] == []
    assert "size_gb" not in seen


@pytest.mark.anyio
async def test_a_release_that_is_only_a_magnet_tells_its_hash(scene: Scene) -> None:
    magnet = f"magnet:?xt=urn:btih:{'cd' * 20}"
    async with scene.offering(Offer(RELEASE, GB, magnet=magnet, tmdb_id=SINTEL)) as offered:
        seen = await offered.answer("release.inspect", release=await offered.release())
    assert seen["hash_v1"] == "cd" * 20
    assert seen["judged"]["verdict"] == "same"


@pytest.mark.anyio
@pytest.mark.parametrize("torrent", ["no base64!", "ü" * 8, "====", "YWJj\n"])
async def test_what_is_no_base64_is_refused(scene: Scene, torrent: str) -> None:
    refused = await scene.refusal(Code.INVALID_INPUT, "release.inspect", torrent=torrent)
    assert "base64" in refused.sentence


@pytest.mark.anyio
@pytest.mark.parametrize(
    "raw",
    [
        b"garbage",
        b"",
        hostile(b"..", b"evil.mkv"),
        hostile(b"..\\evil.mkv"),
        hostile(name=b"../../evil"),
    ],
)
async def test_a_torrent_that_is_none_or_leads_elsewhere_is_not_opened(
    scene: Scene, raw: bytes
) -> None:
    failed = await scene.failure(Code.PRECONDITION, "release.inspect", torrent=encoded(raw))
    assert not failed.retry


@pytest.mark.anyio
async def test_a_text_that_is_no_magnet_is_not_opened(scene: Scene) -> None:
    await scene.failure(Code.PRECONDITION, "release.inspect", magnet="http://127.0.0.1/x")


@pytest.mark.anyio
@pytest.mark.parametrize("given", [{}, {"magnet": "ab" * 20, "release": "rel:1"}])
async def test_it_takes_exactly_one_thing(scene: Scene, given: dict[str, Any]) -> None:
    await scene.refusal(Code.INVALID_INPUT, "release.inspect", **given)


@pytest.mark.anyio
async def test_a_release_that_does_not_exist_is_not_found(scene: Scene) -> None:
    await scene.failure(Code.NOT_FOUND, "release.inspect", release="rel:9")
    await scene.failure(Code.NOT_FOUND, "release.inspect", release="rel_of_nobody")


@pytest.mark.anyio
async def test_an_indexer_that_is_gone_gives_no_file(scene: Scene) -> None:
    torrent = scene.stage.seed.torrent_bytes
    async with serving_indexer([Offer(RELEASE, GB, torrent=torrent, tmdb_id=SINTEL)]) as gone:
        torznab = torznab_of(scene.base, address=gone.address, key=gone.api_key)
        away = scene.having(Indexers([torznab]))
        release = await away.release()
    failed = await away.failure(Code.UNAVAILABLE, "release.inspect", release=release)
    assert failed.retry
