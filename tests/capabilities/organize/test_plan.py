import shutil
from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import AddRequest
from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.codes import Code
from capabilities.organize.import_plan import organize_plan
from capabilities.rules.naming import NamingPreset
from capabilities.rules.organize_policy import OrganizeMode, OrganizePolicy
from ledger.stores import plans
from ledger.stores.decisions import DecisionKind
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import PlanState
from tests.scene import FOLDER, IMPORT, KEY, OWNER, SUBTITLE, VIDEO, Scene
from world.indexer_feed import Offer
from world.samples import Sample, stretched
from world.seeder import make_torrent
from world.stage import GB, RELEASE, SINTEL

PLAN = "organize.plan"


def made(tmp_path: Path, *more: str) -> Path:
    """A release that holds the film and these further files."""
    source = tmp_path / "made" / RELEASE
    source.mkdir(parents=True)
    stretched(Sample.FILM_1080P, source / f"{RELEASE}.mkv", 300_000)
    for name in more:
        file = source / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(name.encode() * 20)
    return source


async def arrived(scene: Scene, source: Path) -> DownloadRow:
    """A finished download of it."""
    torrent = make_torrent(source)
    shutil.copytree(source, scene.folders.downloads / source.name)
    async with scene.offering(Offer(RELEASE, GB, torrent=torrent, tmdb_id=SINTEL)) as offered:
        return await offered.arrived()


@pytest.mark.anyio
async def test_a_plan_freezes_every_file_with_its_place(scene: Scene) -> None:
    row = await scene.arrived()
    answer = await scene.answer(PLAN, download=row.id)
    assert (answer["library"], answer["mode"]) == ("Films", "hardlink")
    assert {file["target"]: file["role"] for file in answer["files"]} == {
        VIDEO: "video",
        SUBTITLE: "subtitle",
    }
    assert (answer["left"], answer["replaces"]) == ([], [])
    assert answer["requires_approval"]
    plan = await scene.plan(await scene.id_of(answer["plan"]))
    assert (plan.state, plan.parent) == (PlanState.FROZEN, row.plan)
    assert plan.payload_hash == answer["payload_hash"] == plans.payload_hash(plan.payload)
    wanted = organize_plan(plan)
    for file in wanted.files:
        now = (scene.folders.downloads / file.source.path).stat()
        assert (file.source.inode, file.source.size) == (now.st_ino, now.st_size)
        assert file.source.mtime_ns == now.st_mtime_ns
    assert wanted.add_only
    assert plan.card["title"] == "Place Sintel (2010) in Films"
    assert scene.on_shelf() == []


@pytest.mark.anyio
async def test_a_plan_belongs_to_the_run_of_its_download(scene: Scene) -> None:
    row = await scene.arrived()
    answer = await scene.answer(PLAN, OWNER, download=row.id)
    assert not answer["requires_approval"]
    plan = await scene.plan(await scene.id_of(answer["plan"], OWNER))
    assert (plan.run, plan.created_by) == (row.run, "owner:ada")


@pytest.mark.anyio
async def test_samples_extras_and_strangers_are_left_with_their_reasons(
    scene: Scene, tmp_path: Path
) -> None:
    names = ("Sample/sample.mkv", "Sintel-trailer.mkv", "readme.txt", "poster.jpg")
    row = await arrived(scene, made(tmp_path, *names))
    answer = await scene.answer(PLAN, download=row.id)
    left = {each["path"].rpartition("/")[2]: each["why"] for each in answer["left"]}
    assert left["sample.mkv"] == "it is a sample"
    assert left["Sintel-trailer.mkv"] == "it is an extra: a trailer"
    assert "neither a video" in left["readme.txt"]
    assert {file["role"] for file in answer["files"]} == {"video", "artwork"}


@pytest.mark.anyio
async def test_a_dangerous_file_makes_the_whole_import_one_decision(
    scene: Scene, tmp_path: Path
) -> None:
    row = await scene.arrived()
    source = made(tmp_path, "codec.exe")
    request = AddRequest(make_torrent(source), source.parent)
    info_hash = (await scene.client.add(request)).key
    await scene.until_complete(info_hash)
    await scene.turn(row.id, "completed", info_hash=info_hash)
    for _ in range(2):
        refused = await scene.refusal(Code.PRECONDITION, PLAN, download=row.id)
        assert "dangerous files" in refused.sentence
        (asked,) = await scene.decisions()
        assert (asked.kind, asked.id) == (
            DecisionKind.DANGEROUS_CONTENT,
            refused.needs["decision"],
        )
        (name,) = asked.evidence["dangerous"]
        assert name == f"{RELEASE}/codec.exe"
        assert asked.subject == row.id
    assert scene.on_shelf() == []
    assert await scene.claims(PLAN) == []


@pytest.mark.anyio
async def test_a_download_that_is_not_complete_is_not_planned(scene: Scene) -> None:
    scene.stage.seed.limit(1)
    try:
        row = await scene.submitted()
        refused = await scene.refusal(Code.PRECONDITION, PLAN, download=row.id)
    finally:
        scene.stage.seed.limit(0)
    assert "not complete" in refused.sentence


@pytest.mark.anyio
async def test_a_download_that_its_client_lost_is_not_planned(scene: Scene) -> None:
    row = await scene.arrived()
    await scene.client.remove(row.info_hash, delete_data=False)
    failed = await scene.failure(Code.NOT_FOUND, PLAN, download=row.id)
    assert failed.sentence == "embedded no longer has this download."


@pytest.mark.anyio
async def test_a_file_that_is_there_already_is_left_and_nothing_is_replaced(scene: Scene) -> None:
    row = await scene.arrived()
    there = scene.folders.films / SUBTITLE
    there.parent.mkdir()
    there.write_text("the owner's own")
    answer = await scene.answer(PLAN, download=row.id)
    assert [file["target"] for file in answer["files"]] == [VIDEO]
    (left,) = answer["left"]
    assert left["why"] == "a file of that name is in the library already; nothing is replaced"


@pytest.mark.anyio
async def test_a_video_that_is_there_already_leaves_nothing_to_place(scene: Scene) -> None:
    row = await scene.arrived()
    there = scene.folders.films / VIDEO
    there.parent.mkdir()
    there.write_text("another cut")
    refused = await scene.refusal(Code.PRECONDITION, PLAN, download=row.id)
    assert "in the library already; nothing is replaced" in refused.sentence


@pytest.mark.anyio
async def test_what_an_earlier_attempt_placed_is_planned_as_it_stands(scene: Scene) -> None:
    row = await scene.arrived()
    there = scene.folders.films / VIDEO
    there.parent.mkdir()
    there.hardlink_to(scene.folders.downloads / RELEASE / f"{RELEASE}.mkv")
    answer = await scene.answer(PLAN, download=row.id)
    assert {file["target"] for file in answer["files"]} == {VIDEO, SUBTITLE}


@pytest.mark.anyio
async def test_what_was_approved_stands_also_when_the_policy_changed_since(scene: Scene) -> None:
    row = await scene.arrived()
    await scene.publish(OrganizePolicy(mode=OrganizeMode.COPY, preset=NamingPreset.KODI))
    answer = await scene.answer(PLAN, download=row.id)
    assert answer["mode"] == "hardlink"
    assert answer["files"][0]["target"].startswith(FOLDER)


@pytest.mark.anyio
async def test_a_library_that_is_gone_is_an_answer(scene: Scene) -> None:
    row = await scene.arrived()
    folders = scene.folders
    moved = scene.having(Folders(folders.downloads, folders.films / "gone", folders.series))
    failed = await moved.failure(Code.PRECONDITION, PLAN, download=row.id)
    assert failed.sentence.startswith("The library Films: ")


@pytest.mark.anyio
@pytest.mark.parametrize("name", ["dl:4", "dl_of_nobody"])
async def test_a_download_that_does_not_exist_is_not_found(scene: Scene, name: str) -> None:
    await scene.failure(Code.NOT_FOUND, PLAN, KEY, download=name)


@pytest.mark.anyio
async def test_a_file_with_two_episodes_stands_under_both(scene: Scene, tmp_path: Path) -> None:
    title = "Lantern.Street.S01E01E02.1080p.WEB-DL.x264-OPEN"
    source = tmp_path / title
    source.mkdir()
    stretched(Sample.FILM_1080P, source / f"{title}.mkv", 300_000)
    shutil.copytree(source, scene.folders.downloads / title)
    offer = Offer(
        title,
        GB // 4,
        torrent=make_torrent(source),
        tmdb_id=900001,
        season=1,
        episode=1,
        categories=(5040,),
    )
    work = await scene.work(id_="tmdb:series:900001")
    async with scene.offering(offer) as offered:
        found = await offered.candidates(work=work, season=1, episode=1)
        release = found[title]["release"]
        await offered.answer("identity.resolve", release=release)
        plan = (await offered.answer("download.plan", release=release))["plan"]
        await offered.approved("download.submit", plan=plan)
        answer = await offered.answer("download.submit", plan=plan)
    row = await scene.download(await scene.id_of(answer["download"]))
    await scene.until_complete(row.info_hash)
    answer = await scene.answer(PLAN, IMPORT, download=row.id)
    wanted = organize_plan(await scene.plan(await scene.id_of(answer["plan"], IMPORT)))
    (file,) = wanted.files
    assert (file.season, file.episodes) == (1, [1, 2])
    assert answer["library"] == "Series"
    await scene.answer("organize.execute", IMPORT, plan=answer["plan"])
    assert (scene.folders.series / file.target).exists()
    assert [(slot.episode, slot.state) for slot in await scene.slots()] == [
        (1, "satisfied"),
        (2, "satisfied"),
    ]
