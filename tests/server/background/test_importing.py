import os
from dataclasses import replace
from pathlib import Path

import pytest

from capabilities.adapters.downloader.embedded import open_embedded
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.port import AddRequest, Downloaders
from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.deciding import decide
from capabilities.kernel.outcomes import Succeeded
from capabilities.kernel.switches import turn
from capabilities.rules.organize_policy import OrganizeMode, OrganizePolicy
from ledger.stores import approvals, plans
from ledger.stores.approvals import ApprovalState
from ledger.stores.decisions import DecisionKind
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan, PlanState
from ledger.stores.switches import SwitchName
from ledger.stores.tasks import TaskRow, TaskState
from ledger.tables import effects, media
from server.background.importing import DECLINED, LOOK_AGAIN_S, OWNER_S, Importer
from server.background.results import Done, Result, Setback, Wait
from server.background.tasks import MOST_ATTEMPTS
from server.background.tracking import Tracker
from tests.capabilities.adapters.shelf.conftest import mounted
from tests.left_behind import dead_placing, frozen, place_by_hand
from tests.scene import OWNER, SUBTITLE, VIDEO, Scene, run_of
from tests.stage_set import QUICK
from world.seeder import make_torrent
from world.stage import RELEASE


async def completed(scene: Scene) -> tuple[DownloadRow, TaskRow]:
    """A finished download and the task that is to import it."""
    row = await scene.arrived(by=run_of("run_1"))
    tracker = Tracker(scene.ledger, Downloaders((scene.client,), "embedded"))
    await tracker.attend((await scene.tasks(row.id))["track"])
    return await scene.download(row.id), (await scene.tasks(row.id))["import"]


async def attended(scene: Scene, task: TaskRow) -> Result:
    clients = scene.parts.get(Downloaders)
    return await Importer(scene.ledger, scene.registry, clients).attend(task)


async def organise_plans(scene: Scene, row: DownloadRow) -> list[Plan]:
    found = await scene.read(lambda conn: plans.children(conn, row.plan))
    return sorted(found, key=lambda plan: plan.created_at)


async def without_authority(scene: Scene) -> None:
    """As if nobody had approved the acquisition."""
    await scene.write(lambda tx: tx.conn.exec_driver_sql("DELETE FROM approval"))


async def rule(scene: Scene, *, yes: bool) -> None:
    """The owner decides what waits."""
    (asked,) = await scene.decisions()
    approval = await scene.read(lambda conn: approvals.by_id(conn, str(asked.approval)))
    assert approval is not None
    outcome = await decide(
        scene.ledger,
        approval.id,
        approved=yes,
        by=OWNER,
        payload_hash=approval.payload_hash,
        revision=approval.revision,
        reason=None if yes else "not here",
    )
    assert isinstance(outcome, Succeeded)


@pytest.mark.anyio
async def test_a_finished_download_is_placed_under_what_was_approved(scene: Scene) -> None:
    row, task = await completed(scene)
    assert await attended(scene, task) == Done("2 files placed in Films by hardlink.")
    assert scene.on_shelf() == sorted([VIDEO, SUBTITLE])
    assert (await scene.download(row.id)).state == "imported"
    (claim,) = await scene.claims("organize.execute")
    assert claim.actor == "system:import"
    assert await scene.decisions() == []


@pytest.mark.anyio
async def test_what_is_on_the_shelf_already_is_not_placed_again(scene: Scene) -> None:
    row, task = await completed(scene)
    plan = (await scene.answer("organize.plan", OWNER, download=row.id))["plan"]
    await scene.answer("organize.execute", OWNER, plan=plan)
    assert await attended(scene, task) == Done("it was placed already")
    assert len(await scene.claims("organize.execute")) == 1


@pytest.mark.anyio
async def test_a_dangerous_file_leaves_one_decision_and_ends_the_task(
    scene: Scene, tmp_path: Path
) -> None:
    row, task = await completed(scene)
    source = tmp_path / RELEASE
    source.mkdir()
    (source / "codec.exe").write_bytes(b"no program")
    added = await scene.client.add(AddRequest(make_torrent(source), tmp_path))
    await scene.until_complete(added.key)
    await scene.turn(row.id, "completed", info_hash=added.key)
    result = await attended(scene, task)
    assert isinstance(result, Setback)
    assert (result.retry, result.told) == (False, True)
    (asked,) = await scene.decisions()
    assert asked.kind is DecisionKind.DANGEROUS_CONTENT
    assert (await scene.download(row.id)).state == "needs_owner"


@pytest.mark.anyio
async def test_what_cannot_be_read_as_a_video_is_left_to_the_owner_once(scene: Scene) -> None:
    row, task = await completed(scene)
    source = scene.folders.downloads / RELEASE / f"{RELEASE}.mkv"
    source.write_bytes(os.urandom(source.stat().st_size))
    result = await attended(scene, task)
    assert isinstance(result, Setback)
    assert (result.retry, result.told) == (False, True)
    (asked,) = await scene.decisions()
    assert asked.title.startswith(f"{RELEASE} could not be imported: ")
    assert asked.run == "run_1"
    now = await scene.download(row.id)
    assert (now.state, now.last_error) == ("needs_owner", result.sentence)


@pytest.mark.anyio
async def test_a_full_disk_is_tried_again_with_the_same_plan_and_then_left_to_the_owner(
    scene: Scene, tmp_path: Path
) -> None:
    await scene.publish(OrganizePolicy(mode=OrganizeMode.COPY))
    row, task = await completed(scene)
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=1m", "none") as disk:
        folders = scene.folders
        small = scene.having(Folders(folders.downloads, disk, folders.series))
        await allow(scene, row, disk)
        for attempt in range(MOST_ATTEMPTS - 1):
            result = await attended(small, replace(task, attempts=attempt))
            assert isinstance(result, Setback)
            assert (result.retry, result.told) == (True, False)
            assert (await scene.download(row.id)).state == "completed"
        assert len(await organise_plans(scene, row)) == 1
        assert await scene.decisions() == []
        last = await attended(small, replace(task, attempts=MOST_ATTEMPTS - 1))
        assert isinstance(last, Setback)
        assert last.told
    (asked,) = await scene.decisions()
    assert "no space left" in asked.title
    assert (await scene.download(row.id)).state == "needs_owner"


async def allow(scene: Scene, row: DownloadRow, library: Path) -> None:
    """Let the approved acquisition be for a library in this folder."""
    plan = await scene.plan(row.plan)
    payload = {**plan.payload, "import": {**plan.payload["import"], "root": str(library)}}
    hash_ = plans.payload_hash(payload)
    await scene.write(
        lambda tx: tx.conn.execute(
            media.plan.update()
            .where(media.plan.c.id == plan.id)
            .values(payload=payload, payload_hash=hash_)
        )
    )
    await scene.write(
        lambda tx: tx.conn.execute(effects.approval.update().values(payload_hash=hash_))
    )


@pytest.mark.anyio
async def test_a_source_that_changed_behind_the_plan_is_planned_anew(scene: Scene) -> None:
    row, task = await completed(scene)
    await without_authority(scene)
    assert isinstance(await attended(scene, task), Wait)
    os.utime(scene.folders.downloads / RELEASE / f"{RELEASE}.mkv", (5, 5))
    result = await attended(scene, task)
    assert isinstance(result, Setback)
    assert result.retry
    (overtaken,) = await organise_plans(scene, row)
    assert overtaken.state is PlanState.CONFLICT
    await attended(scene, replace(task, attempts=1))
    assert [plan.state for plan in await organise_plans(scene, row)] == [
        PlanState.CONFLICT,
        PlanState.FROZEN,
    ]


@pytest.mark.anyio
async def test_a_name_that_was_taken_behind_the_plan_is_left_and_the_rest_goes_on(
    scene: Scene,
) -> None:
    row, task = await completed(scene)
    plan = await frozen(scene, row=row)
    there = scene.folders.films / SUBTITLE
    there.parent.mkdir()
    there.write_text("the owner's own")
    result = await attended(scene, task)
    assert isinstance(result, Setback)
    assert result.retry
    assert (await scene.plan(plan.id)).state is PlanState.CONFLICT
    assert isinstance(await attended(scene, replace(task, attempts=1)), Done)
    assert scene.on_shelf() == sorted([VIDEO, SUBTITLE])
    assert there.read_text() == "the owner's own"


@pytest.mark.anyio
async def test_what_was_not_approved_waits_for_the_owner_under_one_question(
    scene: Scene,
) -> None:
    row, task = await completed(scene)
    await without_authority(scene)
    for _ in range(3):
        result = await attended(scene, task)
        assert isinstance(result, Wait)
        assert result.after_s == OWNER_S
    assert (await scene.download(row.id)).state == "needs_owner"
    (plan,) = await organise_plans(scene, row)
    assert len(await scene.approvals_of(plan.id)) == 1
    await rule(scene, yes=True)
    assert isinstance(await attended(scene, task), Done)
    assert VIDEO in scene.on_shelf()


@pytest.mark.anyio
async def test_a_no_is_heard_and_not_asked_again(scene: Scene) -> None:
    row, task = await completed(scene)
    await without_authority(scene)
    await attended(scene, task)
    await rule(scene, yes=False)
    for _ in range(2):
        assert await attended(scene, task) == Setback(DECLINED, retry=False, told=True)
    (plan,) = await organise_plans(scene, row)
    assert [each.state for each in await scene.approvals_of(plan.id)] == [ApprovalState.DECLINED]
    assert await scene.decisions() == []
    now = await scene.download(row.id)
    assert (now.state, now.last_error) == ("needs_owner", DECLINED)
    assert scene.on_shelf() == []


@pytest.mark.anyio
async def test_a_download_that_is_no_longer_complete_is_followed_again(scene: Scene) -> None:
    row, task = await completed(scene)
    track = (await scene.tasks(row.id))["track"]
    await scene.end_task(track.id, TaskState.SUCCEEDED)
    scene.stage.seed.limit(1)
    try:
        await scene.client.remove(row.info_hash, delete_data=True)
        await scene.client.add(AddRequest(scene.stage.seed.torrent_bytes, scene.folders.downloads))
        assert isinstance(await attended(scene, task), Done)
    finally:
        scene.stage.seed.limit(0)
    now = await scene.download(row.id)
    assert now.completed_at is None
    assert now.state in {"queued", "downloading", "checking"}
    assert (await scene.tasks(row.id))["track"].state is TaskState.QUEUED
    assert await scene.decisions() == []


@pytest.mark.anyio
async def test_a_client_that_does_not_answer_is_tried_again(scene: Scene, tmp_path: Path) -> None:
    row, task = await completed(scene)
    async with open_embedded(tmp_path / "s", tmp_path, LoopbackProfile(), timing=QUICK) as closed:
        pass
    result = await attended(scene.having(Downloaders((closed,), "embedded")), task)
    assert isinstance(result, Setback)
    assert result.retry
    assert (await scene.download(row.id)).state == "completed"


@pytest.mark.anyio
async def test_a_client_that_lost_it_is_said_to_the_owner(scene: Scene) -> None:
    row, task = await completed(scene)
    await scene.client.remove(row.info_hash, delete_data=True)
    result = await attended(scene, task)
    assert isinstance(result, Setback)
    assert "no longer has this download" in result.sentence
    assert (await scene.download(row.id)).state == "needs_owner"


@pytest.mark.anyio
async def test_what_is_not_known_is_looked_at_again(scene: Scene) -> None:
    row, task = await completed(scene)
    plan = await frozen(scene, row=row)
    place_by_hand(scene)
    await dead_placing(scene, plan)
    away = scene.folders.downloads.rename(scene.folders.downloads.with_name("away"))
    result = await attended(scene, task)
    assert isinstance(result, Wait)
    assert result.after_s == LOOK_AGAIN_S
    away.rename(scene.folders.downloads)
    assert isinstance(await attended(scene, task), Done)
    assert SUBTITLE in scene.on_shelf()


@pytest.mark.anyio
async def test_a_task_whose_download_is_gone_is_done(scene: Scene) -> None:
    _, task = await completed(scene)
    await scene.write(lambda tx: tx.conn.exec_driver_sql("DELETE FROM download"))
    assert await attended(scene, task) == Done("its download is gone")


@pytest.mark.anyio
@pytest.mark.parametrize("name", SwitchName)
async def test_while_the_house_is_stopped_an_import_waits_and_goes_on_afterwards(
    scene: Scene, name: SwitchName
) -> None:
    row, task = await completed(scene)
    stopped = name is SwitchName.READ_ONLY
    await turn(scene.ledger, name, on=stopped, by=OWNER, reason="a test")
    outcome = await attended(scene, task)
    assert isinstance(outcome, Wait)
    assert scene.on_shelf() == []
    assert await scene.decisions() == []
    await turn(scene.ledger, name, on=not stopped, by=OWNER, reason="over")
    assert isinstance(await attended(scene, task), Done)
    assert (await scene.download(row.id)).state == "imported"
