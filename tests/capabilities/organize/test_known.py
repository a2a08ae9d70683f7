import shutil
from pathlib import Path

import pytest

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.kernel.codes import Code
from capabilities.rules.episode_offsets import offset_from
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from ledger.stores import policies
from ledger.stores.downloads import DownloadRow
from tests.capabilities.download.packs import held, identified, offered, written
from tests.scene import OWNER, Scene
from world.indexer_feed import Offer
from world.samples import Sample, stretched
from world.seeder import make_torrent
from world.stage import GB

ABSOLUTE = "[G] Lantern Street - 05 (2019) [1080p WEB-DL]"


async def arrived(scene: Scene, name: str, folder: Path) -> DownloadRow:
    """A finished download of one episode of Lantern Street."""
    source = folder / name
    source.mkdir()
    stretched(Sample.FILM_1080P, source / f"{name}.mkv", 300_000)
    shutil.copytree(source, scene.folders.downloads / name)
    async with scene.offering(Offer(name, GB, torrent=make_torrent(source), seeders=9)) as offered:
        found = await offered.candidates(query="Lantern Street")
        release = found[name]["release"]
        assert (await offered.answer("identity.resolve", release=release))["accepted"]
        plan = (await offered.answer("download.plan", release=release))["plan"]
        await offered.approved("download.submit", plan=plan)
        answer = await offered.answer("download.submit", plan=plan)
        row = await offered.download(await offered.id_of(answer["download"]))
        await offered.until_complete(row.info_hash)
        return row


async def fetched(scene: Scene, source: Path) -> DownloadRow:
    """The same of a pack, of which what the library lacks is fetched from a seeder."""
    async with offered(scene, source) as (house, _):
        plan = (await house.answer("download.plan", release=await identified(house)))["plan"]
        await house.approved("download.submit", plan=plan)
        answer = await house.answer("download.submit", plan=plan)
        row = await house.download(await house.id_of(answer["download"]))
        await house.until_complete(row.info_hash)
        return row


@pytest.mark.anyio
async def test_a_number_through_all_seasons_is_placed_by_the_sources_order(
    scene: Scene, tmp_path: Path
) -> None:
    row = await arrived(scene, ABSOLUTE, tmp_path)
    (file,) = (await scene.answer("organize.plan", download=row.id))["files"]
    assert "S02E02" in file["target"]


@pytest.mark.anyio
async def test_the_owners_word_and_offset_hold_for_the_import_too(
    scene: Scene, tmp_path: Path
) -> None:
    words = words_from(["replace: Old Lamp => Lantern Street"])
    offset = offset_from("tmdb:series:900001 S03E01 = S02E03")
    await scene.publish(IdentityPolicy(words=words, offsets=(offset,)))
    name = "Lantern.Street.2019.S03E01.1080p.WEB-DL-G"
    row = await arrived(scene, name, tmp_path)
    (file,) = (await scene.answer("organize.plan", download=row.id))["files"]
    assert "S02E03" in file["target"]


@pytest.mark.anyio
async def test_a_number_that_only_the_source_can_place_waits_for_the_source(
    scene: Scene, tmp_path: Path
) -> None:
    row = await arrived(scene, ABSOLUTE, tmp_path)
    await scene.having(without=(Catalogue,)).refusal(
        Code.PRECONDITION, "organize.plan", download=row.id
    )


@pytest.mark.anyio
async def test_one_that_is_fetched_of_a_pack_is_not_all_the_episodes_of_the_packs_name(
    scene: Scene, tmp_path: Path
) -> None:
    await held(scene, 1, 3)
    title = "Lantern.Street.S01E01-E03.1080p.WEB-DL.x264-OPEN"
    names = ("Lantern Street 01", "Lantern Street 02", "Lantern Street 03")
    row = await fetched(scene, written(tmp_path, title, names))
    files = (await scene.answer("organize.plan", download=row.id))["files"]
    assert {file["source"].removeprefix(f"{title}/") for file in files} == {
        "Lantern Street 02.mkv",
        "Lantern Street 02.en.srt",
    }
    assert all(" - S01E02 " in file["target"] for file in files)


@pytest.mark.anyio
async def test_files_of_days_are_placed_as_the_episodes_of_those_days(
    scene: Scene, tmp_path: Path
) -> None:
    title = "Lantern.Street.2021.09.13.1080p.WEB-DL.x264-OPEN"
    row = await fetched(scene, written(tmp_path, title, (title,)))
    files = (await scene.answer("organize.plan", download=row.id))["files"]
    assert [" - S02E02 " in file["target"] for file in files] == [True, True]
    await scene.having(without=(Catalogue,)).refusal(
        Code.PRECONDITION, "organize.plan", download=row.id
    )


@pytest.mark.anyio
async def test_a_download_that_does_not_exist_is_not_found(scene: Scene) -> None:
    await scene.failure(Code.NOT_FOUND, "organize.plan", download="dl_of_nobody")


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["organize", "identity"])
async def test_a_policy_in_force_that_cannot_be_used_is_refused_by_its_name(
    scene: Scene, kind: str
) -> None:
    row = await scene.arrived()
    at = scene.ledger.now()
    await scene.write(lambda tx: policies.publish(tx, kind, {"colour": "red"}, at))
    refused = await scene.refusal(Code.PRECONDITION, "organize.plan", OWNER, download=row.id)
    assert refused.sentence.startswith(f"The {kind} policy in force cannot be used: colour")
