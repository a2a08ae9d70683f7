"""A plan places its files once, beside what is there already, and what hinders it is said."""

import os
import shutil
from pathlib import Path

import pytest

from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Succeeded
from ledger.stores import decisions, events, plans, shelf
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.stores.plans import PlanState
from tests.capabilities.adapters.shelf.conftest import mounted
from tests.left_behind import EXECUTE, frozen, place_by_hand, source_of
from tests.scene import FOLDER, IMPORT, OWNER, SUBTITLE, VIDEO, Scene, run_of
from world.indexer_feed import Offer
from world.seeder import make_torrent
from world.stage import GB, RELEASE, SINTEL


@pytest.mark.anyio
async def test_an_approved_acquisition_is_placed_by_hard_link_and_recorded(scene: Scene) -> None:
    run = run_of("run_1")
    row = await scene.arrived(by=run)
    plan = await frozen(scene, row=row)
    answer = await scene.answer(EXECUTE, IMPORT, plan=plan.id)
    assert answer["files"] == [VIDEO, SUBTITLE]
    assert (answer["library"], answer["mode"]) == ("Films", "hardlink")
    assert scene.on_shelf() == sorted([VIDEO, SUBTITLE])
    for target, suffix in ((VIDEO, ".mkv"), (SUBTITLE, ".en.srt")):
        here, there = source_of(scene, suffix).stat(), (scene.folders.films / target).stat()
        assert here.st_ino == there.st_ino
    (record,) = await scene.records(row.id)
    assert (record.state, record.run, record.last_error) == ("succeeded", "run_1", None)
    steps = [step["step"] for step in record.journal]
    assert steps == ["planned", "temporary_written", "checked", "renamed", "flushed"]
    assert [one["target"] for one in record.placements] == [VIDEO, SUBTITLE]
    (asset,) = await scene.read(shelf.assets)
    assert asset.path == str(scene.folders.films / VIDEO)
    assert (asset.inode, asset.record) == (source_of(scene).stat().st_ino, record.id)
    assert asset.streams["height"] == 1080
    (slot,) = await scene.slots()
    assert (slot.state, slot.asset) == ("satisfied", asset.id)
    assert (await scene.download(row.id)).state == "imported"
    assert (await scene.plan(plan.id)).state is PlanState.DONE
    assert (await scene.plan(row.plan)).state is PlanState.DONE
    told = await scene.read(lambda conn: events.of_run(conn, "run_1"))
    assert told[-1].type == "imported"


@pytest.mark.anyio
async def test_a_plan_is_carried_out_once(scene: Scene) -> None:
    plan = await frozen(scene)
    first = await scene.answer(EXECUTE, IMPORT, plan=plan.id)
    inode = (scene.folders.films / VIDEO).stat().st_ino
    again = await scene.call(EXECUTE, IMPORT, plan=plan.id)
    assert isinstance(again, Succeeded)
    assert again.replayed
    assert again.data.model_dump()["files"] == first["files"]
    assert (scene.folders.films / VIDEO).stat().st_ino == inode
    assert len(await scene.claims(EXECUTE)) == 1


@pytest.mark.anyio
async def test_a_film_that_is_imported_closes_what_the_owner_was_asked(scene: Scene) -> None:
    plan = await frozen(scene)
    download = plan.payload["download"]
    task = (await scene.tasks(download))["track"].id

    def ask(cause: str) -> NewDecision:
        return NewDecision(DecisionKind.OTHER, cause, "Look at this")

    at = scene.ledger.now()
    for cause in (f"import:{download}", f"task:{task}", "task:another"):
        await scene.write(lambda tx, cause=cause: decisions.raise_(tx, ask(cause), at))
    await scene.answer(EXECUTE, IMPORT, plan=plan.id)
    assert [each.dedupe_key for each in await scene.decisions()] == ["task:another"]


@pytest.mark.anyio
async def test_a_source_that_changed_is_a_conflict_and_nothing_is_placed(scene: Scene) -> None:
    plan = await frozen(scene)
    os.utime(source_of(scene), (1, 1))
    refused = await scene.refusal(Code.CONFLICT, EXECUTE, IMPORT, plan=plan.id)
    assert refused.sentence.startswith("1 of the files changed since the plan was frozen")
    assert scene.on_shelf() == []
    assert await scene.claims(EXECUTE) == []


@pytest.mark.anyio
async def test_a_source_that_is_gone_is_a_conflict(scene: Scene) -> None:
    plan = await frozen(scene)
    shutil.rmtree(scene.folders.downloads / RELEASE)
    refused = await scene.refusal(Code.CONFLICT, EXECUTE, IMPORT, plan=plan.id)
    assert refused.sentence.startswith("2 of the files changed")


@pytest.mark.anyio
async def test_what_took_the_name_meanwhile_stays_and_the_source_too(scene: Scene) -> None:
    plan = await frozen(scene)
    there = scene.folders.films / VIDEO
    there.parent.mkdir()
    there.write_text("somebody was faster")
    failed = await scene.failure(Code.PRECONDITION, EXECUTE, IMPORT, plan=plan.id)
    assert not failed.retry
    assert there.read_text() == "somebody was faster"
    assert source_of(scene).exists()
    (record,) = await scene.records(plan.payload["download"])
    assert (record.state, record.last_error) == ("failed", record.last_error)
    assert record.last_error
    assert (await scene.slots())[0].state == "in_flight"


@pytest.mark.anyio
async def test_a_part_that_was_placed_is_said_and_a_new_plan_goes_on_from_it(
    scene: Scene,
) -> None:
    plan = await frozen(scene)
    there = scene.folders.films / SUBTITLE
    there.parent.mkdir()
    there.write_text("the owner's own")
    failed = await scene.failure(Code.CONFLICT, EXECUTE, IMPORT, plan=plan.id)
    assert "1 of 2 files is in the library already" in failed.sentence
    assert failed.details["placed"] == [VIDEO]
    row = await scene.download(plan.payload["download"])
    again = await frozen(scene, row=row)
    await scene.answer(EXECUTE, IMPORT, plan=again.id)
    assert there.read_text() == "the owner's own"
    assert (await scene.download(row.id)).state == "imported"


@pytest.mark.anyio
async def test_what_stands_already_is_taken_as_it_is_and_the_rest_is_placed(scene: Scene) -> None:
    plan = await frozen(scene)
    place_by_hand(scene)
    await scene.answer(EXECUTE, IMPORT, plan=plan.id)
    assert scene.on_shelf() == sorted([VIDEO, SUBTITLE])
    (record,) = await scene.records(plan.payload["download"])
    assert {step["file"] for step in record.journal if step["step"] == "flushed"} == {1}


@pytest.mark.anyio
async def test_leftovers_of_a_dead_attempt_are_taken_away(scene: Scene) -> None:
    plan = await frozen(scene)
    folder = scene.folders.films / FOLDER
    folder.mkdir()
    (folder / ".matinee-somebody-else.tmp").write_text("not ours")
    await scene.answer(EXECUTE, IMPORT, plan=plan.id)
    (record,) = await scene.records(plan.payload["download"])
    assert record.state == "succeeded"
    left = [name for name in scene.on_shelf() if ".matinee-" in name]
    assert left == [f"{FOLDER}/.matinee-somebody-else.tmp"]


def device_of(folder: Path) -> str:
    number = folder.stat().st_dev
    return f"{os.major(number)}:{os.minor(number)}"


@pytest.mark.anyio
async def test_another_device_is_explained_and_nothing_is_copied_instead(
    scene: Scene, tmp_path: Path
) -> None:
    row = await scene.arrived()
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=8m", "none") as disk:
        folders = scene.folders
        apart = scene.having(Folders(folders.downloads, disk, folders.series))
        answer = await apart.answer("organize.plan", OWNER, download=row.id)
        failed = await apart.failure(Code.PRECONDITION, EXECUTE, OWNER, plan=answer["plan"])
        assert "Two file systems cannot share a hard link" in failed.sentence
        assert "Nothing was copied instead" in failed.sentence
        both = {"downloads": folders.downloads, "library": disk}
        assert failed.details == {
            name: {"folder": str(folder), "device": device_of(folder)}
            for name, folder in both.items()
        }
        assert all(str(folder) in failed.sentence for folder in both.values())
        assert all(device_of(folder) in failed.sentence for folder in both.values())
        assert [path for path in disk.rglob("*") if path.is_file()] == []
    (record,) = await scene.records(row.id)
    assert record.state == "failed"


@pytest.mark.anyio
async def test_a_file_that_is_no_video_satisfies_nothing(scene: Scene, tmp_path: Path) -> None:
    source = tmp_path / RELEASE
    source.mkdir()
    (source / f"{RELEASE}.mkv").write_bytes(os.urandom(400_000))
    shutil.copytree(source, scene.folders.downloads / RELEASE)
    torrent = make_torrent(source)
    async with scene.offering(Offer(RELEASE, GB, torrent=torrent, tmdb_id=SINTEL)) as offered:
        row = await offered.arrived()
    plan = await frozen(scene, row=row)
    failed = await scene.failure(Code.PRECONDITION, EXECUTE, IMPORT, plan=plan.id)
    assert "cannot be read as a video" in failed.sentence
    assert failed.details["placed"] == VIDEO
    (record,) = await scene.records(row.id)
    assert record.state == "failed"
    assert (await scene.slots())[0].state == "in_flight"
    assert await scene.read(shelf.assets) == []


@pytest.mark.anyio
async def test_a_library_that_is_another_one_since_is_a_conflict(
    scene: Scene, tmp_path: Path
) -> None:
    plan = await frozen(scene)
    folders = scene.folders
    moved = scene.having(Folders(folders.downloads, tmp_path, folders.series))
    refused = await moved.refusal(Code.CONFLICT, EXECUTE, IMPORT, plan=plan.id)
    assert "another one since" in refused.sentence


@pytest.mark.anyio
async def test_an_acquisition_plan_is_none_to_carry_out(scene: Scene) -> None:
    drafted = await scene.drafted()
    await scene.failure(Code.NOT_FOUND, EXECUTE, plan=drafted["plan"])


@pytest.mark.anyio
async def test_a_plan_that_was_overtaken_is_refused(scene: Scene) -> None:
    plan = await frozen(scene)
    await scene.write(lambda tx: plans.move(tx, plan.id, PlanState.CONFLICT))
    refused = await scene.refusal(Code.PRECONDITION, EXECUTE, IMPORT, plan=plan.id)
    assert "conflict" in refused.sentence
