from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest

from capabilities.adapters.downloader.embedded import EmbeddedDownloader, open_embedded
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.port import AddRequest, Downloaders
from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Failed, Succeeded, Unknown
from ledger.stores import audit, decisions, events, plans, releases, shelf
from ledger.stores.approvals import ApprovalState
from ledger.stores.claims import ClaimState
from ledger.stores.decisions import DecisionKind
from ledger.stores.plans import PlanState
from ledger.stores.tasks import TaskState
from server.background.recovery import look_at_unknown
from tests.left_behind import SUBMIT, approve, dead_submission
from tests.scene import IMPORT, KEY, OWNER, Scene, run_of
from tests.stage_set import QUICK
from world.seeder import make_torrent
from world.stage import RELEASE


async def drafted(scene: Scene, by: Actor = KEY) -> tuple[str, str]:
    """A draft: its reference and its id."""
    reference = (await scene.drafted(by=by))["plan"]
    return reference, await scene.id_of(reference, by)


async def add_by_hand(scene: Scene) -> str:
    hashes = await scene.client.add(
        AddRequest(scene.stage.seed.torrent_bytes, scene.folders.downloads)
    )
    return hashes.key


@asynccontextmanager
async def another_client(folder: Path, name: str) -> AsyncGenerator[EmbeddedDownloader]:
    async with open_embedded(
        folder / name, folder, LoopbackProfile(), name=name, timing=QUICK
    ) as c:
        yield c


@pytest.mark.anyio
@pytest.mark.parametrize("by", [KEY, run_of("run_1"), IMPORT], ids=str)
async def test_without_an_approval_the_owner_is_asked_and_nothing_is_added(
    scene: Scene, by: Actor
) -> None:
    plan, id_ = await drafted(scene, by)
    refused = await scene.refusal(Code.NEEDS_APPROVAL, SUBMIT, by, plan=plan)
    stored = await scene.plan(id_)
    assert refused.needs["payload_hash"] == stored.payload_hash
    assert refused.needs["revision"] == 1
    (asked,) = await scene.decisions()
    assert (asked.kind, asked.id) == (
        DecisionKind.APPROVAL_REQUIRED,
        refused.needs["decision"],
    )
    assert asked.approval == refused.needs["approval"]
    assert asked.title == "Download Sintel (2010), Bluray-1080p, to Films"
    assert await scene.client.transfers() == []
    assert await scene.downloads() == []
    assert await scene.claims(SUBMIT) == []


@pytest.mark.anyio
async def test_asking_twice_is_one_question(scene: Scene) -> None:
    plan, _ = await drafted(scene)
    first = await scene.refusal(Code.NEEDS_APPROVAL, SUBMIT, plan=plan)
    again = await scene.refusal(Code.NEEDS_APPROVAL, SUBMIT, plan=plan)
    assert again.needs["approval"] == first.needs["approval"]
    assert len(await scene.decisions()) == 1


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
async def test_the_owner_by_hand_needs_no_approval(scene: Scene) -> None:
    plan, id_ = await drafted(scene, OWNER)
    await scene.answer(SUBMIT, OWNER, plan=plan)
    assert await scene.approvals_of(id_) == []
    (claim,) = await scene.claims(SUBMIT)
    assert claim.authority == "owner:ada"


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
@pytest.mark.parametrize("changed", [{"payload_hash": "0" * 64}, {"revision": 2}])
async def test_an_approval_of_another_plan_is_none(scene: Scene, changed: dict[str, Any]) -> None:
    plan, id_ = await drafted(scene)
    pin = (await scene.plan(id_)).pin
    await approve(scene, replace(pin, **changed))
    await scene.refusal(Code.NEEDS_APPROVAL, SUBMIT, plan=plan)
    assert await scene.client.transfers() == []


@pytest.mark.anyio
async def test_an_approval_that_ran_out_is_none(scene: Scene) -> None:
    plan, id_ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    scene.base.time.ahead = timedelta(days=1, seconds=1)
    await scene.refusal(Code.NEEDS_APPROVAL, SUBMIT, plan=plan)
    assert len(await scene.approvals_of(id_)) == 2
    assert await scene.client.transfers() == []


@pytest.mark.anyio
async def test_a_plan_that_was_declined_is_not_submitted(scene: Scene) -> None:
    plan, _ = await drafted(scene)
    asked = await scene.refusal(Code.NEEDS_APPROVAL, SUBMIT, plan=plan)
    await scene.decided(asked, yes=False)
    await scene.refusal(Code.NEEDS_APPROVAL, SUBMIT, plan=plan)
    assert await scene.client.transfers() == []


@pytest.mark.anyio
async def test_a_hash_that_is_not_the_plans_is_a_conflict(scene: Scene) -> None:
    plan, id_ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    refused = await scene.refusal(Code.CONFLICT, SUBMIT, plan=plan, payload_hash="0" * 64)
    assert refused.needs["payload_hash"] == (await scene.plan(id_)).payload_hash
    answer = await scene.answer(SUBMIT, plan=plan, payload_hash=refused.needs["payload_hash"])
    assert answer["state"] == "submitted"


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
async def test_cut_off_behind_the_add_it_is_unknown_until_a_look_finds_it(scene: Scene) -> None:
    plan, _ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    async with scene.client.changes() as changes, anyio.create_task_group() as group:

        async def submit() -> None:
            await scene.call(SUBMIT, plan=plan)

        group.start_soon(submit)
        await anext(changes)
        group.cancel_scope.cancel()
    (claim,) = await scene.claims(SUBMIT)
    assert claim.state is ClaimState.UNKNOWN
    assert await scene.downloads() == []
    answer = await scene.answer(SUBMIT, plan=plan)
    assert answer["adopted"]
    (claim,) = await scene.claims(SUBMIT)
    assert claim.state is ClaimState.SUCCEEDED
    assert claim.evidence is not None
    assert claim.evidence["verified_by"] == "probe"
    assert len(await scene.client.transfers()) == 1
    (row,) = await scene.downloads()
    assert row.id == await scene.id_of(answer["download"])


@pytest.mark.anyio
async def test_what_a_dead_process_had_added_is_found_and_recorded(scene: Scene) -> None:
    plan, id_ = await drafted(scene)
    await add_by_hand(scene)
    before = await dead_submission(scene, id_)
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(SUBMIT)
    assert (claim.id, claim.state) == (before.id, ClaimState.SUCCEEDED)
    (row,) = await scene.downloads()
    assert row.plan == id_
    assert (await scene.plan(id_)).state is PlanState.SUBMITTED
    (approval,) = await scene.approvals_of(id_)
    assert approval.state == ApprovalState.CONSUMED
    answer = await scene.answer(SUBMIT, plan=plan)
    assert answer["replayed"]
    assert await scene.id_of(answer["download"]) == row.id


@pytest.mark.anyio
async def test_what_a_dead_process_had_not_added_may_be_tried_again(scene: Scene) -> None:
    plan, id_ = await drafted(scene)
    await dead_submission(scene, id_)
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(SUBMIT)
    assert (claim.state, claim.free_again) == (ClaimState.FAILED, True)
    answer = await scene.answer(SUBMIT, plan=plan)
    assert not answer["adopted"]
    (claim,) = await scene.claims(SUBMIT)
    assert (claim.state, claim.attempt) == (ClaimState.SUCCEEDED, 2)
    assert len(await scene.client.transfers()) == 1


@pytest.mark.anyio
async def test_while_the_client_cannot_be_asked_it_stays_unknown_and_the_owner_is_told(
    scene: Scene, tmp_path: Path
) -> None:
    plan, id_ = await drafted(scene)
    await dead_submission(scene, id_)
    async with another_client(tmp_path, "embedded") as closed:
        pass
    away = scene.having(Downloaders((closed,), closed.name))
    for _ in range(2):
        outcome = await away.call(SUBMIT, plan=plan)
        assert isinstance(outcome, Unknown)
    (told,) = await scene.decisions()
    assert told.kind is DecisionKind.OTHER
    assert told.evidence["not_answering"] == ["embedded"]
    assert (await scene.answer(SUBMIT, plan=plan))["adopted"] is False
    assert await scene.decisions() == []


@pytest.mark.anyio
async def test_without_any_client_a_start_leaves_it_unknown(scene: Scene) -> None:
    _, id_ = await drafted(scene)
    await dead_submission(scene, id_)
    bare = scene.having(without=[Downloaders])
    assert await look_at_unknown(scene.ledger, bare.registry) == 0
    (told,) = await scene.decisions()
    assert told.evidence["verdict"] == "cannot_tell"


@pytest.mark.anyio
async def test_a_client_that_does_not_answer_is_tried_again_under_the_same_approval(
    scene: Scene, tmp_path: Path
) -> None:
    plan, id_ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    async with another_client(tmp_path, "embedded") as closed:
        pass
    away = scene.having(Downloaders((closed,), closed.name))
    failed = await away.failure(Code.UNAVAILABLE, SUBMIT, plan=plan)
    assert failed.retry
    assert (await scene.plan(id_)).state is PlanState.DRAFT
    assert (await scene.answer(SUBMIT, plan=plan))["state"] == "submitted"


@pytest.mark.anyio
async def test_a_client_that_is_no_longer_configured_fails_with_nothing_done(
    scene: Scene, tmp_path: Path
) -> None:
    plan, _ = await drafted(scene)
    await scene.approved(SUBMIT, plan=plan)
    async with another_client(tmp_path, "other") as other:
        elsewhere = scene.having(Downloaders((other,), other.name))
        failed = await elsewhere.failure(Code.PRECONDITION, SUBMIT, plan=plan)
    assert "'embedded'" in failed.sentence


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


@pytest.mark.anyio
async def test_a_key_without_the_scope_does_not_see_it(scene: Scene) -> None:
    plan, _ = await drafted(scene)
    reader = replace(KEY, scopes=frozenset({"read", "plan"}))
    failed = await scene.failure(Code.NOT_FOUND, SUBMIT, reader, plan=plan)
    assert "no capability" in failed.sentence
    assert await scene.read(lambda conn: decisions.listing(conn, limit=1)) == ([], 0)
