"""A plan is with the client once, and what stands in its way is said."""

from pathlib import Path

import anyio
import pytest

from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Failed, Succeeded
from ledger.stores import audit, events, plans, releases, shelf
from ledger.stores.approvals import ApprovalState
from ledger.stores.claims import ClaimState
from ledger.stores.plans import PlanState
from ledger.stores.tasks import TaskState
from tests.capabilities.download.submitting import add_by_hand, drafted
from tests.left_behind import SUBMIT
from tests.scene import KEY, OWNER, Scene, run_of
from world.seeder import make_torrent
from world.stage import RELEASE


@pytest.mark.anyio
async def test_an_approved_plan_is_with_the_client_and_everything_is_recorded(
    scene: Scene,
) -> None:
    plan, id_ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    assert await scene.client.transfers() == []
    answer = await scene.answer(SUBMIT, plan=plan)
    assert (answer["title"], answer["client"], answer["adopted"]) == (RELEASE, "embedded", False)
    assert answer["state"] == "submitted"
    (transfer,) = await scene.client.transfers()
    assert transfer.hashes.v1 == scene.stage.seed.v1
    row = await scene.download(await scene.id_of(answer["download"]))
    assert (row.plan, row.info_hash, row.state) == (id_, scene.stage.seed.v1, "submitted")
    assert (await scene.plan(id_)).state is PlanState.SUBMITTED
    assert [(slot.state, slot.revision) for slot in await scene.slots()] == [("in_flight", 1)]
    assert list(await scene.tasks(row.id)) == ["track"]
    (approval,) = await scene.approvals_of(id_)
    (claim,) = await scene.claims(SUBMIT)
    assert (claim.state, claim.authority) == (ClaimState.SUCCEEDED, approval.id)
    assert claim.natural_key == f"btih:{scene.stage.seed.v1}"
    assert (approval.state, approval.consumed_by) == (ApprovalState.CONSUMED, claim.id)
    told = [event.type for event in await scene.read(events.page)]
    assert told.count("download_submitted") == 1
    lines = [row.action for row in await scene.read(audit.newest) if row.capability == SUBMIT]
    assert lines == ["settled", "approved", "refused"]


@pytest.mark.anyio
@pytest.mark.parametrize("by", [KEY, OWNER], ids=str)
async def test_the_same_plan_again_is_answered_from_the_record(scene: Scene, by: Actor) -> None:
    plan, id_ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    first = await scene.answer(SUBMIT, plan=plan)
    again = await scene.call(SUBMIT, by, plan=id_)
    assert isinstance(again, Succeeded)
    assert again.replayed
    assert again.data.model_dump()["title"] == first["title"]
    assert len(await scene.client.transfers()) == 1
    assert len(await scene.claims(SUBMIT)) == 1
    assert len(await scene.downloads()) == 1


@pytest.mark.anyio
async def test_many_at_once_add_it_once(scene: Scene) -> None:
    plan, _ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    outcomes: list[object] = []

    async def submit() -> None:
        outcomes.append(await scene.call(SUBMIT, plan=plan))

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(submit)
    assert all(isinstance(outcome, Succeeded) for outcome in outcomes), outcomes
    assert len(await scene.client.transfers()) == 1
    assert len(await scene.claims(SUBMIT)) == 1


@pytest.mark.anyio
async def test_another_plan_for_a_torrent_under_way_adopts_it(scene: Scene) -> None:
    first, _ = await drafted(scene)
    run = run_of("run_1")
    second, second_id = await drafted(scene, run)
    await scene.approved(SUBMIT, plan=first)
    await scene.approved(SUBMIT, run, plan=second)
    one = await scene.answer(SUBMIT, plan=first)
    other = await scene.answer(SUBMIT, run, plan=second)
    assert (one["adopted"], other["adopted"]) == (False, True)
    assert await scene.id_of(one["download"]) == await scene.id_of(other["download"], run)
    assert (await scene.plan(second_id)).state is PlanState.SUBMITTED
    assert len(await scene.client.transfers()) == 1
    assert len(await scene.downloads()) == 1
    assert [slot.revision for slot in await scene.slots()] == [1]


@pytest.mark.anyio
async def test_a_plan_that_the_library_overtook_is_a_conflict(scene: Scene) -> None:
    plan, _ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    work = await scene.work_id()
    await scene.write(
        lambda tx: shelf.move_slot(tx, work, 0, 0, state="satisfied", asset_id="asset_1")
    )
    refused = await scene.refusal(Code.CONFLICT, SUBMIT, plan=plan)
    assert "stale" in refused.sentence
    assert await scene.claims(SUBMIT) == []


@pytest.mark.anyio
async def test_a_superseded_plan_is_refused(scene: Scene) -> None:
    plan, id_ = await drafted(scene)
    await scene.write(lambda tx: plans.move(tx, id_, PlanState.SUPERSEDED))
    refused = await scene.refusal(Code.PRECONDITION, SUBMIT, plan=plan)
    assert "superseded" in refused.sentence


@pytest.mark.anyio
async def test_a_full_disk_is_refused_before_anything_is_claimed(scene: Scene) -> None:
    plan, _ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    folders = scene.folders
    full = scene.having(Folders(folders.downloads, folders.films, folders.series, 10**18))
    refused = await full.refusal(Code.PRECONDITION, SUBMIT, plan=plan)
    assert "There is no room" in refused.sentence
    assert await scene.claims(SUBMIT) == []
    assert (await scene.answer(SUBMIT, plan=plan))["state"] == "submitted"


@pytest.mark.anyio
async def test_a_download_folder_that_is_gone_is_an_answer_and_not_an_exception(
    scene: Scene,
) -> None:
    plan, _ = await drafted(scene)
    folders = scene.folders
    moved = scene.having(Folders(folders.downloads / "gone", folders.films, folders.series))
    failed = await moved.failure(Code.PRECONDITION, SUBMIT, plan=plan)
    assert "The download folder" in failed.sentence
    assert str(folders.downloads) not in failed.sentence


@pytest.mark.anyio
async def test_a_torrent_that_the_client_has_is_adopted(scene: Scene) -> None:
    plan, _ = await drafted(scene)
    await add_by_hand(scene)
    await scene.approved(SUBMIT, plan=plan)
    outcome = await scene.call(SUBMIT, plan=plan)
    assert isinstance(outcome, Succeeded)
    assert outcome.data.model_dump()["adopted"]
    assert "was there already" in outcome.sentence
    (row,) = await scene.downloads()
    assert list(await scene.tasks(row.id)) == ["track"]
    assert len(await scene.client.transfers()) == 1


@pytest.mark.anyio
@pytest.mark.parametrize("other", [True, False], ids=["another", "none"])
async def test_a_torrent_file_that_is_no_longer_the_planned_one_fails_with_nothing_done(
    scene: Scene, tmp_path: Path, other: bool
) -> None:
    plan, id_ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    release = str((await scene.plan(id_)).payload["release"])
    film = tmp_path / "another.mkv"
    film.write_bytes(b"another")
    raw = make_torrent(film) if other else None
    await scene.write(
        lambda tx: releases.keep_torrent(tx, release, raw, "ab" * 20)  # pyright: ignore[reportArgumentType]  # none is what is tested
    )
    failed = await scene.failure(Code.PRECONDITION, SUBMIT, plan=plan)
    assert "no longer kept, or another one" in failed.sentence
    assert await scene.client.transfers() == []


@pytest.mark.anyio
async def test_a_torrent_that_the_client_declines_fails_for_good(scene: Scene) -> None:
    plan, id_ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    link = scene.folders.downloads / RELEASE
    link.symlink_to(scene.folders.films)
    outcome = await scene.call(SUBMIT, plan=plan)
    assert isinstance(outcome, Failed)
    assert not outcome.retry
    assert "symbolic link" in outcome.sentence
    assert (await scene.plan(id_)).state is PlanState.DRAFT
    link.unlink()
    again = await scene.call(SUBMIT, plan=plan)
    assert isinstance(again, Failed)
    assert again.sentence == outcome.sentence


@pytest.mark.anyio
@pytest.mark.parametrize("state", ["removed", "needs_owner"])
async def test_what_was_taken_from_the_client_begins_anew_under_a_new_plan(
    scene: Scene, state: str
) -> None:
    first = await scene.submitted()
    await scene.client.remove(first.info_hash, delete_data=True)
    await scene.turn(first.id, state, last_error="gone", done=5)
    before = (await scene.tasks(first.id))["track"]
    await scene.end_task(before.id, TaskState.SUCCEEDED)
    again = await scene.submitted()
    assert again.id == first.id
    assert again.plan != first.plan
    assert (again.state, again.last_error, again.done) == ("submitted", None, 0)
    assert (await scene.tasks(first.id))["track"].state is TaskState.QUEUED
    assert len(await scene.client.transfers()) == 1


@pytest.mark.anyio
async def test_a_plan_of_another_kind_is_none(scene: Scene) -> None:
    row = await scene.arrived()
    plan = (await scene.answer("organize.plan", download=row.id))["plan"]
    await scene.failure(Code.NOT_FOUND, SUBMIT, plan=plan)
    await scene.failure(Code.NOT_FOUND, SUBMIT, plan="plan_of_nobody")
