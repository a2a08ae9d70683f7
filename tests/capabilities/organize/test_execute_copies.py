"""Copies instead of links: checked, gone on with, and never taken for somebody else's file."""

import shutil
from pathlib import Path

import pytest

from capabilities.adapters.shelf.folders import Folders
from capabilities.adapters.shelf.leftovers import temporary_name, token_for
from capabilities.kernel.outcomes import Failed
from capabilities.organize.import_plan import attempt_token
from capabilities.rules.organize_policy import OrganizeMode, OrganizePolicy
from ledger.stores.claims import ClaimState
from server.background.recovery import look_at_unknown
from tests.capabilities.adapters.shelf.conftest import mounted
from tests.left_behind import EXECUTE, dead_placing, frozen, source_of
from tests.scene import IMPORT, OWNER, SUBTITLE, VIDEO, Scene


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
