import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from capabilities.adapters.shelf.folders import Folders
from capabilities.adapters.shelf.leftovers import temporary_name, token_for
from capabilities.kernel.actors import Actor, system
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Failed, Succeeded, Unknown
from capabilities.organize.import_plan import attempt_token
from capabilities.rules.policy import OrganizeMode, OrganizePolicy
from ledger.clock import new_id
from ledger.stores import decisions, events, plans, shelf
from ledger.stores.claims import ClaimState
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.stores.plans import Plan, PlanState
from server.background.recovery import look_at_unknown
from tests.capabilities.adapters.shelf.conftest import mounted
from tests.left_behind import EXECUTE, dead_placing, frozen, place_by_hand, source_of
from tests.scene import FOLDER, IMPORT, KEY, OWNER, SUBTITLE, VIDEO, Scene, run_of
from world.indexer_feed import Offer
from world.seeder import make_torrent
from world.stage import GB, RELEASE, SINTEL


async def with_parent(scene: Scene, plan: Plan, **changed: Any) -> Plan:
    """The same plan, frozen anew with another payload."""
    parent = changed.pop("parent", plan.parent)
    payload = {**plan.payload, **changed}
    copy = replace(
        plan,
        id=new_id("plan"),
        payload=payload,
        payload_hash=plans.payload_hash(payload),
        parent=parent,
    )
    await scene.write(lambda tx: plans.add(tx, copy))
    return copy


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
    steps = [step["step"] for step in record.journal if step["file"] == 0]
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
async def test_it_is_covered_by_the_approval_of_the_acquisition(scene: Scene) -> None:
    plan = await frozen(scene)
    await scene.answer(EXECUTE, IMPORT, plan=plan.id)
    (approval,) = await scene.approvals_of(str(plan.parent))
    (claim,) = await scene.claims(EXECUTE)
    assert claim.authority == approval.id
    assert await scene.approvals_of(plan.id) == []


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
    assert "1 of 2 files are in the library already" in failed.sentence
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
    assert {step["file"] for step in record.journal} == {1}


@pytest.mark.anyio
@pytest.mark.parametrize("both", [True, False], ids=["all of it", "a part of it"])
async def test_what_a_dead_process_had_placed_is_carried_to_its_end(
    scene: Scene, both: bool
) -> None:
    plan = await frozen(scene)
    place_by_hand(scene)
    if both:
        place_by_hand(scene, SUBTITLE, ".en.srt")
    await dead_placing(scene, plan)
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(EXECUTE)
    assert claim.state is ClaimState.SUCCEEDED
    assert claim.evidence is not None
    assert claim.evidence["verified_by"] == "probe"
    assert scene.on_shelf() == sorted([VIDEO, SUBTITLE])
    (record,) = await scene.records(plan.payload["download"])
    assert record.state == "succeeded"
    assert (await scene.slots())[0].state == "satisfied"
    again = await scene.call(EXECUTE, IMPORT, plan=plan.id)
    assert isinstance(again, Succeeded)
    assert again.replayed


@pytest.mark.anyio
async def test_what_a_dead_process_had_not_begun_may_be_tried_again(scene: Scene) -> None:
    plan = await frozen(scene)
    await dead_placing(scene, plan)
    await scene.answer(EXECUTE, IMPORT, plan=plan.id)
    (claim,) = await scene.claims(EXECUTE)
    assert (claim.state, claim.attempt) == (ClaimState.SUCCEEDED, 2)


@pytest.mark.anyio
async def test_what_cannot_be_carried_on_now_stays_unknown_and_is_looked_at_again(
    scene: Scene,
) -> None:
    plan = await frozen(scene)
    place_by_hand(scene)
    await dead_placing(scene, plan)
    away = scene.folders.downloads.rename(scene.folders.downloads.with_name("away"))
    assert await look_at_unknown(scene.ledger, scene.registry) == 0
    outcome = await scene.call(EXECUTE, IMPORT, plan=plan.id)
    assert isinstance(outcome, Unknown)
    (asked,) = await scene.decisions()
    assert asked.evidence["verdict"] == "partly"
    (record,) = await scene.records(plan.payload["download"])
    assert record.state == "running"
    away.rename(scene.folders.downloads)
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    assert await scene.decisions() == []
    assert SUBTITLE in scene.on_shelf()


@pytest.mark.anyio
async def test_a_library_that_is_away_is_no_reason_not_to_start(scene: Scene) -> None:
    plan = await frozen(scene)
    await dead_placing(scene, plan)
    away = scene.folders.films.rename(scene.folders.films.with_name("away"))
    assert await look_at_unknown(scene.ledger, scene.registry) == 0
    bare = scene.having(without=[Folders])
    assert await look_at_unknown(scene.ledger, bare.registry) == 0
    away.rename(scene.folders.films)


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


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"add_only": False}, "would replace or move something"),
        ({"import": {"mode": "copy"}}, "differs from what was approved"),
        ({"parent": None}, "follows from no approved acquisition"),
        ({"parent": "plan_of_nobody"}, "follows from no approved acquisition"),
    ],
    ids=str,
)
async def test_an_import_that_is_not_the_approved_one_needs_the_owner(
    scene: Scene, changed: dict[str, Any], why: str
) -> None:
    plan = await with_parent(scene, await frozen(scene), **changed)
    refused = await scene.refusal(Code.NEEDS_APPROVAL, EXECUTE, IMPORT, plan=plan.id)
    assert why in refused.sentence
    assert scene.on_shelf() == []


@pytest.mark.anyio
async def test_an_acquisition_that_nobody_approved_covers_nothing(scene: Scene) -> None:
    plan = await frozen(scene)
    await scene.write(lambda tx: tx.conn.exec_driver_sql("DELETE FROM approval"))
    refused = await scene.refusal(Code.NEEDS_APPROVAL, EXECUTE, IMPORT, plan=plan.id)
    assert "never approved" in refused.sentence


@pytest.mark.anyio
async def test_what_the_owner_submitted_by_hand_is_placed_without_asking_again(
    scene: Scene,
) -> None:
    drafted = await scene.drafted(by=OWNER)
    answer = await scene.answer("download.submit", OWNER, plan=drafted["plan"])
    row = await scene.download(await scene.id_of(answer["download"], OWNER))
    await scene.until_complete(row.info_hash)
    plan = await frozen(scene, row=row)
    await scene.answer(EXECUTE, IMPORT, plan=plan.id)
    (claim,) = await scene.claims(EXECUTE)
    assert claim.authority == "owner:ada"


@pytest.mark.anyio
@pytest.mark.parametrize("by", [KEY, run_of("run_1"), system("sweep")], ids=str)
async def test_others_need_an_approval_of_the_very_plan(scene: Scene, by: Actor) -> None:
    plan = await frozen(scene, by)
    await scene.approved(EXECUTE, by, plan=plan.id)
    await scene.answer(EXECUTE, by, plan=plan.id)
    (approval,) = await scene.approvals_of(plan.id)
    assert approval.state == "consumed"
    assert VIDEO in scene.on_shelf()


@pytest.mark.anyio
async def test_the_owner_places_by_hand(scene: Scene) -> None:
    plan = await frozen(scene, OWNER)
    await scene.answer(EXECUTE, OWNER, plan=plan.id)
    (claim,) = await scene.claims(EXECUTE)
    assert claim.authority == "owner:ada"


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
        assert "let the policy say copy" in failed.sentence
        assert [path for path in disk.rglob("*") if path.is_file()] == []
    (record,) = await scene.records(row.id)
    assert record.state == "failed"


@pytest.mark.anyio
async def test_a_policy_of_copies_copies_and_writes_the_digest_down(scene: Scene) -> None:
    await scene.publish(OrganizePolicy(mode=OrganizeMode.COPY))
    plan = await frozen(scene)
    await scene.answer(EXECUTE, IMPORT, plan=plan.id)
    there = scene.folders.films / VIDEO
    assert there.stat().st_ino != source_of(scene).stat().st_ino
    assert there.read_bytes() == source_of(scene).read_bytes()
    (record,) = await scene.records(plan.payload["download"])
    assert len(record.placements[0]["digest"]) == 64


@pytest.mark.anyio
async def test_a_copy_that_was_interrupted_goes_on_from_its_journal(
    scene: Scene, tmp_path: Path
) -> None:
    await scene.publish(OrganizePolicy(mode=OrganizeMode.COPY))
    row = await scene.arrived()
    size = source_of(scene).stat().st_size
    with mounted(
        tmp_path / "disk", "-t", "tmpfs", "-o", f"size={size // 1024 + 12}k", "none"
    ) as disk:
        folders = scene.folders
        apart = scene.having(Folders(folders.downloads, disk, folders.series))
        (disk / "ballast").write_bytes(b"x" * 12_288)
        plan = await frozen(apart, OWNER, row)
        failed = await apart.call(EXECUTE, OWNER, plan=plan.id)
        assert isinstance(failed, Failed)
        assert failed.retry
        assert "no space left" in failed.sentence
        assert failed.details["placed"] == [VIDEO]
        copied = (disk / VIDEO).stat().st_ino
        (disk / "ballast").unlink()
        await apart.answer(EXECUTE, OWNER, plan=plan.id)
        assert (disk / VIDEO).stat().st_ino == copied
        assert (disk / SUBTITLE).exists()
    (record,) = await scene.records(row.id)
    assert record.state == "succeeded"


def copied(scene: Scene, target: str = VIDEO, suffix: str = ".mkv") -> Path:
    there = scene.folders.films / target
    there.parent.mkdir(exist_ok=True)
    shutil.copyfile(source_of(scene, suffix), there)
    return there


@pytest.mark.anyio
async def test_a_copy_that_a_dead_process_had_finished_is_taken_for_done(scene: Scene) -> None:
    await scene.publish(OrganizePolicy(mode=OrganizeMode.COPY))
    plan = await frozen(scene)
    inodes = [copied(scene).stat().st_ino, copied(scene, SUBTITLE, ".en.srt").stat().st_ino]
    await dead_placing(scene, plan)
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(EXECUTE)
    assert claim.state is ClaimState.SUCCEEDED
    assert [(scene.folders.films / each).stat().st_ino for each in (VIDEO, SUBTITLE)] == inodes


@pytest.mark.anyio
async def test_a_copy_that_a_dead_process_had_half_written_is_written_anew(scene: Scene) -> None:
    await scene.publish(OrganizePolicy(mode=OrganizeMode.COPY))
    plan = await frozen(scene)
    token = token_for(attempt_token(plan.id), "a1b2c3d4e5f6", 0)
    half = (scene.folders.films / VIDEO).parent / temporary_name(token)
    half.parent.mkdir()
    half.write_bytes(source_of(scene).read_bytes()[:1000])
    await dead_placing(scene, plan)
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(EXECUTE)
    assert (claim.state, claim.attempt) == (ClaimState.SUCCEEDED, 1)
    assert scene.on_shelf() == sorted([VIDEO, SUBTITLE])
    assert (scene.folders.films / VIDEO).read_bytes() == source_of(scene).read_bytes()


@pytest.mark.anyio
async def test_a_copy_whose_name_somebody_else_took_is_not_taken_for_ours(scene: Scene) -> None:
    await scene.publish(OrganizePolicy(mode=OrganizeMode.COPY))
    plan = await frozen(scene)
    theirs = copied(scene)
    theirs.write_bytes(bytes(theirs.stat().st_size))
    await dead_placing(scene, plan)
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(EXECUTE)
    assert (claim.state, claim.free_again) == (ClaimState.FAILED, True)
    assert scene.on_shelf() == [VIDEO]


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
