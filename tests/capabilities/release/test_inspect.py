import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest

from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.indexer.indexers import Indexers
from capabilities.kernel.actors import client
from capabilities.kernel.codes import Code
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.tiers import TIERS_V1
from ledger.stores import blocklist, releases
from ledger.stores.blocklist import NewBlock
from tests.capabilities.adapters.downloader.rig import hostile
from tests.capabilities.release.test_file_identity import pack
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
    judged = seen["judged"]
    assert (judged["grade"], judged["verdict"], judged["accepted"]) == ("A", "same", True)
    assert judged["reasons"] == ['"1080p BluRay" is in tier "Blu-ray 1080p"']
    assert (judged["tier"], judged["score"]) == ("Blu-ray 1080p", 0)


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


def words(*lines: str) -> IdentityPolicy:
    return IdentityPolicy(words=words_from(lines))


@pytest.mark.anyio
async def test_an_answer_stays_small_whatever_is_inside(scene: Scene, tmp_path: Path) -> None:
    names = [f"Sintel.{'長' * 60}.{number:02}.2010.mkv" for number in range(60)]
    raw = await pack(tmp_path / f"Sintel.{'長' * 60}-OPEN", *names)
    await scene.publish(
        AcquisitionPolicy(refused_tokens=tuple(f"長{number}" for number in range(40)))
    )
    seen = await scene.answer("release.inspect", torrent=encoded(raw))
    assert len(json.dumps(seen, ensure_ascii=False).encode()) < 25_000
    assert len(seen["files"]) + seen["left_out"] == 61


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
async def test_a_magnet_without_folders_says_which_ones_are_missing(scene: Scene) -> None:
    bare = scene.having(without=(Downloaders,))
    refused = await bare.refusal(Code.PRECONDITION, "release.inspect", magnet="ab" * 20)
    assert "folders.downloads, folders.films and folders.series" in str(refused.needs["settings"])


@pytest.mark.anyio
async def test_a_magnet_with_too_short_a_hash_says_how_long_one_is(scene: Scene) -> None:
    short = "magnet:?xt=urn:btih:abc123"
    failed = await scene.failure(Code.PRECONDITION, "release.inspect", magnet=short)
    assert "The magnet link names no torrent: an info-hash has 40" in failed.sentence


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


@pytest.mark.anyio
async def test_every_rule_speaks_of_what_is_really_in_it(scene: Scene) -> None:
    tiers = tuple(replace(tier, least_per_minute=10**9) for tier in TIERS_V1)
    await scene.publish(AcquisitionPolicy(tiers=tuple(
        replace(tier, most_per_minute=None, preferred_per_minute=None) for tier in tiers
    )))  # fmt: skip
    seen = await scene.answer("release.inspect", release=await scene.release())
    first, second = seen["judged"]["rules"][:2]
    assert (first["rule"], first["rejects"], first["hit"]) == ("size", True, "0.0 MB/min")
    assert (second["rule"], second["rejects"]) == ("tier", False)
    assert not seen["judged"]["accepted"]


@pytest.mark.anyio
async def test_a_torrent_given_by_hand_goes_the_same_way_as_any_other(scene: Scene) -> None:
    """SUB-20: magnet or torrent file given by the user."""
    raw = scene.stage.seed.torrent_bytes
    seen = await scene.answer("release.inspect", torrent=encoded(raw))
    assert seen["judged"]["grade"] == "E"
    again = await scene.answer("release.inspect", torrent=encoded(raw))
    assert again["release"] == seen["release"]
    known = await scene.answer("identity.resolve", release=seen["release"])
    if not known["accepted"]:
        pytest.fail(str(known))
    draft = await scene.answer("download.plan", release=seen["release"])
    assert set(draft["files"]) == {file["path"] for file in seen["files"]}
    await scene.approved("download.submit", plan=draft["plan"])
    assert (await scene.answer("download.submit", plan=draft["plan"]))["title"] == RELEASE


@pytest.mark.anyio
async def test_who_may_not_plan_leaves_nothing_behind(scene: Scene) -> None:
    reader = client("tablet", frozenset({"read"}))
    torrent = encoded(scene.stage.seed.torrent_bytes)
    seen = await scene.answer("release.inspect", reader, torrent=torrent)
    assert seen["hash_v1"] == scene.stage.seed.v1
    assert "release" not in seen


@pytest.mark.anyio
async def test_what_is_blocked_says_so_when_it_is_opened(scene: Scene) -> None:
    release = await scene.release()
    row = await scene.id_of(release)
    at = scene.ledger.now()
    block = NewBlock("a fake", info_hash=scene.stage.seed.v1)
    await scene.answer("release.inspect", release=release)
    await scene.write(
        lambda tx: blocklist.add(tx, replace(block, title=RELEASE), at, by="owner:ada")
    )
    seen = await scene.answer("release.inspect", release=row)
    assert seen["judged"]["rules"][0]["rule"] == "blocklist"
    assert not seen["judged"]["accepted"]


@pytest.mark.anyio
async def test_a_torrent_that_is_blocked_is_so_whatever_its_indexer_calls_it(
    scene: Scene,
) -> None:
    torrent = scene.stage.seed.torrent_bytes
    offer = Offer(RELEASE, GB, torrent=torrent, tmdb_id=SINTEL, info_hash="ab" * 20)
    block = NewBlock("a fake", info_hash=scene.stage.seed.v1)
    await scene.write(lambda tx: blocklist.add(tx, block, scene.ledger.now(), by="owner:ada"))
    async with scene.offering(offer) as offered:
        seen = await offered.answer("release.inspect", release=await offered.release())
    assert seen["judged"]["rules"][0]["rule"] == "blocklist"


@pytest.mark.anyio
async def test_what_the_torrent_contradicts_its_indexer_in_is_told(scene: Scene) -> None:
    torrent, real = scene.stage.seed.torrent_bytes, scene.stage.seed.v1
    size = 1_050_000
    lying = Offer(RELEASE, GB, torrent=torrent, tmdb_id=SINTEL, info_hash="ab" * 20)
    async with scene.offering(lying) as offered:
        seen = await offered.answer("release.inspect", release=await offered.release())
    other, smaller = seen["contradictions"]
    assert f"says info-hash {'ab' * 20}, and it is {real}" in other
    assert smaller.startswith("its indexer says 1.00 GB, and the torrent holds 1.0")
    honest = replace(lying, size=size, info_hash=str(real))
    async with scene.offering(honest) as offered:
        seen = await offered.answer("release.inspect", release=await offered.release())
    assert seen["contradictions"] == []


@pytest.mark.anyio
async def test_a_magnet_of_another_hash_than_the_one_claimed_is_told(scene: Scene) -> None:
    magnet = scene.stage.seed.magnet
    offer = Offer(RELEASE, GB, magnet=magnet, tmdb_id=SINTEL, info_hash="ab" * 20)
    async with scene.offering(offer) as offered:
        seen = await offered.answer("release.inspect", release=await offered.release())
    assert seen["hash_v1"] == scene.stage.seed.v1
    assert any(f"says info-hash {'ab' * 20}" in said for said in seen["contradictions"])


@pytest.mark.anyio
async def test_the_policy_judges_the_name_as_its_owner_has_it_read(scene: Scene) -> None:
    title = "Sintel.2010.FHD-Blu.x264-OPEN"
    offer = Offer(title, GB, torrent=scene.stage.seed.torrent_bytes, tmdb_id=SINTEL)
    await scene.publish(words("replace: FHD-Blu => 1080p.BluRay"))
    async with scene.offering(offer) as offered:
        seen = await offered.answer("release.inspect", release=await offered.release(title))
    assert seen["judged"]["tier"] == "Blu-ray 1080p"


@pytest.mark.anyio
async def test_what_the_owner_said_which_work_it_is_can_be_opened(scene: Scene) -> None:
    release = await scene.release()
    id_, work = await scene.id_of(release), await scene.work_id()
    record = {"grade": "by the owner", "by": "owner:ada", "work": work}
    await scene.write(lambda tx: releases.identify(tx, id_, work, record))
    judged = (await scene.answer("release.inspect", release=release))["judged"]
    assert (judged["grade"], judged["accepted"]) == ("by the owner", True)
