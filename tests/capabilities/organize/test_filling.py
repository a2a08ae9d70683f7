import shutil
from pathlib import Path

import pytest

from capabilities.organize.filling import filling
from capabilities.organize.import_plan import FrozenSource, OrganizePlan, PlannedFile
from capabilities.rules.works import WorkKind
from ledger.stores import shelf
from tests.left_behind import EXECUTE
from tests.scene import FOLDER, IMPORT, Scene
from world.indexer_feed import Offer
from world.seeder import make_torrent
from world.stage import GB, RELEASE, SINTEL

SIZES = {"BDMV/STREAM/00001.m2ts": 90_000, "BDMV/STREAM/00002.m2ts": 20, "BDMV/index.bdmv": 30}


def planned(target: str, role: str, size: int) -> PlannedFile:
    source = FrozenSource(path=target, device=1, inode=size, size=size, mtime_ns=0)
    return PlannedFile(source=source, target=target, role=role)


def plan(kind: WorkKind, *files: PlannedFile) -> OrganizePlan:
    return OrganizePlan(
        download="dl",
        info_hash="a" * 40,
        work="w",
        kind=kind,
        quality="x",
        folder="/films",
        files=list(files),
        left=[],
        replaces=[],
        add_only=True,
        import_={"mode": "hardlink"},
    )


def test_videos_fill_slots_and_what_goes_along_does_not() -> None:
    video, disc = planned("a.mkv", "video", 9), planned("BDMV/x.m2ts", "disc", 99)
    subtitle = planned("a.srt", "subtitle", 1)
    assert filling(plan(WorkKind.FILM, video, subtitle, disc)) == [video]
    assert filling(plan(WorkKind.SERIES, disc)) == []
    assert filling(plan(WorkKind.FILM, subtitle)) == []


@pytest.mark.anyio
async def test_org_17_a_film_on_a_disc_is_there_once_its_disc_stands(
    scene: Scene, tmp_path: Path
) -> None:
    source = tmp_path / "made" / RELEASE
    for name, size in SIZES.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(name.encode()[:1] * size)
    shutil.copytree(source, scene.folders.downloads / RELEASE)
    offer = Offer(RELEASE, GB, torrent=make_torrent(source), tmdb_id=SINTEL)
    async with scene.offering(offer) as offered:
        row = await offered.arrived()
    answer = await scene.answer("organize.plan", download=row.id)
    await scene.answer(EXECUTE, IMPORT, plan=await scene.id_of(answer["plan"]))
    assert scene.on_shelf() == sorted(f"{FOLDER}/{name}" for name in SIZES)
    (asset,) = await scene.read(shelf.assets)
    assert asset.path.endswith("BDMV/STREAM/00001.m2ts")
    (slot,) = await scene.slots()
    assert (slot.state, slot.asset) == ("satisfied", asset.id)
    assert (await scene.download(row.id)).state == "imported"
