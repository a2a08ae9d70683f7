import shutil
from pathlib import Path
from typing import Any

import pytest

from capabilities.kernel.codes import Code
from capabilities.rules.naming import Templates
from capabilities.rules.organize_policy import OrganizePolicy
from ledger.stores.downloads import DownloadRow
from tests.scene import FOLDER, VIDEO, Scene
from world.indexer_feed import Offer
from world.seeder import make_torrent
from world.stage import GB, RELEASE, SINTEL

PLAN = "organize.plan"


@pytest.mark.anyio
async def test_arr_51_a_folder_of_the_library_is_used_however_it_is_spelled(scene: Scene) -> None:
    row = await scene.arrived()
    (scene.folders.films / FOLDER.upper()).mkdir()
    answer = await scene.answer(PLAN, download=row.id)
    targets = [file["target"] for file in answer["files"]]
    assert f"{FOLDER.upper()}/{VIDEO.partition('/')[2]}" in targets
    assert all(target.startswith(f"{FOLDER.upper()}/") for target in targets)


@pytest.mark.anyio
async def test_a_film_is_placed_by_the_owners_own_template(scene: Scene) -> None:
    own = Templates(film_file="{title}< ({year})>< [{resolution}]>")
    await scene.publish(OrganizePolicy(templates=own))
    row = await scene.arrived()
    answer = await scene.answer(PLAN, download=row.id)
    (video,) = [file["target"] for file in answer["files"] if file["role"] == "video"]
    assert video == f"{FOLDER}/Sintel (2010) [1080p].mkv"


DISC = ("BDMV/index.bdmv", "BDMV/JAR/00000.jar", "BDMV/STREAM/00000.m2ts")


async def disc_arrived(scene: Scene, tmp_path: Path) -> DownloadRow:
    source = tmp_path / "made" / RELEASE
    for name in DISC:
        file = source / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(name.encode() * 2000)
    shutil.copytree(source, scene.folders.downloads / RELEASE)
    offer = Offer(RELEASE, GB, torrent=make_torrent(source), tmdb_id=SINTEL)
    async with scene.offering(offer) as offered:
        return await offered.arrived()


@pytest.mark.anyio
async def test_org_17_a_disc_is_planned_as_a_whole(scene: Scene, tmp_path: Path) -> None:
    row = await disc_arrived(scene, tmp_path)
    answer = await scene.answer(PLAN, download=row.id)
    assert {file["target"] for file in answer["files"]} == {f"{FOLDER}/{name}" for name in DISC}
    assert {file["role"] for file in answer["files"]} == {"disc"}
    assert not answer["left"]


@pytest.mark.anyio
async def test_org_16_a_disc_is_never_mixed_with_one_that_is_there(
    scene: Scene, tmp_path: Path
) -> None:
    row = await disc_arrived(scene, tmp_path)
    there = scene.folders.films / FOLDER / "bdmv"
    there.mkdir(parents=True)
    (there / "index.bdmv").write_bytes(b"another disc")
    refused = await scene.refusal(Code.PRECONDITION, PLAN, download=row.id)
    assert "Nothing in this download can be placed" in refused.sentence
    left: Any = refused.needs["left"]
    assert len(left) == len(DISC)
