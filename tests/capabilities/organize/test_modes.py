"""Each way of placing, proven from the shelf and told in the record."""

from pathlib import Path

import pytest

from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.codes import Code
from capabilities.rules.organize_policy import OrganizeMode, OrganizePolicy
from tests.capabilities.adapters.shelf.conftest import mounted
from tests.left_behind import EXECUTE, frozen, source_of
from tests.scene import IMPORT, OWNER, SUBTITLE, VIDEO, Scene


async def placed(scene: Scene, policy: OrganizePolicy) -> dict[str, object]:
    """What the record says of the video, once it is placed."""
    await scene.publish(policy)
    plan = await frozen(scene)
    await scene.answer(EXECUTE, OWNER, plan=plan.id)
    (record,) = await scene.records(plan.payload["download"])
    assert record.state == "succeeded"
    return record.placements[0]


@pytest.mark.anyio
async def test_a_hard_link_is_told_with_its_number_of_names(scene: Scene) -> None:
    told = await placed(scene, OrganizePolicy())
    now = source_of(scene).stat()
    assert (told["way"], told["links"], told["digest"]) == ("hardlink", 2, None)
    assert (told["device"], told["inode"], told["size"]) == (now.st_dev, now.st_ino, now.st_size)


@pytest.mark.anyio
async def test_a_symbolic_link_leads_to_the_absolute_path_of_the_source(scene: Scene) -> None:
    told = await placed(scene, OrganizePolicy(mode=OrganizeMode.SYMLINK))
    there = scene.folders.films / VIDEO
    assert told["way"] == "symlink"
    assert there.readlink() == source_of(scene)
    assert told["size"] == there.lstat().st_size
    (slot,) = await scene.slots()
    assert slot.state == "satisfied"


@pytest.mark.anyio
async def test_what_cannot_be_cloned_is_said_and_not_copied_instead(
    scene: Scene, tmp_path: Path
) -> None:
    await scene.publish(OrganizePolicy(mode=OrganizeMode.REFLINK))
    row = await scene.arrived()
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=16m", "none") as disk:
        apart = scene.having(Folders(scene.folders.downloads, disk, scene.folders.series))
        plan = await apart.answer("organize.plan", OWNER, download=row.id)
        failed = await apart.failure(Code.PRECONDITION, EXECUTE, OWNER, plan=plan["plan"])
        assert "cannot share a clone" in failed.sentence
        assert "copy_across_devices" in failed.hint
        assert [path for path in disk.rglob("*") if path.is_file()] == []


@pytest.mark.anyio
@pytest.mark.parametrize("mode", [OrganizeMode.HARDLINK, OrganizeMode.REFLINK])
async def test_a_copy_across_devices_is_made_where_it_was_approved_and_said(
    scene: Scene, tmp_path: Path, mode: OrganizeMode
) -> None:
    await scene.publish(OrganizePolicy(mode=mode, copy_across_devices=True))
    row = await scene.arrived()
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=16m", "none") as disk:
        folders = scene.folders
        apart = scene.having(Folders(folders.downloads, disk, folders.series))
        plan = await apart.answer("organize.plan", OWNER, download=row.id)
        answer = await apart.answer(EXECUTE, OWNER, plan=plan["plan"])
        assert str(folders.downloads) in answer["copied"]
        assert str(disk) in answer["copied"]
        assert answer["copied"].endswith("It was copied instead.")
        assert (disk / VIDEO).read_bytes() == source_of(scene).read_bytes()
        (record,) = await scene.records(row.id)
        assert [one["way"] for one in record.placements] == ["copy", "copy"]
        assert record.placements[0]["why"] == answer["copied"]
        assert len(record.placements[0]["digest"]) == 64


@pytest.mark.anyio
async def test_a_torrent_that_still_seeds_is_not_moved_away_but_by_the_owner(
    scene: Scene,
) -> None:
    await scene.publish(OrganizePolicy(mode=OrganizeMode.MOVE))
    row = await scene.arrived()
    refused = await scene.refusal(Code.PRECONDITION, "organize.plan", download=row.id)
    assert "still seeds" in refused.sentence
    answer = await scene.answer("organize.plan", OWNER, download=row.id)
    await scene.answer(EXECUTE, OWNER, plan=answer["plan"])
    assert scene.on_shelf() == sorted([VIDEO, SUBTITLE])
    assert not source_of(scene).exists()
    (record,) = await scene.records(row.id)
    steps = [step["step"] for step in record.journal]
    assert steps[-2:] == ["source_removed", "source_removed"]
    plan = await scene.plan(record.plan)
    assert "you asked for it" in plan.payload["moved_because"]


@pytest.mark.anyio
async def test_a_library_that_is_empty_although_it_has_files_is_a_disk_that_is_not_mounted(
    scene: Scene,
) -> None:
    row = await scene.arrived()
    answer = await scene.answer("organize.plan", OWNER, download=row.id)
    await scene.answer(EXECUTE, OWNER, plan=answer["plan"])
    films = scene.folders.films
    films.rename(films.with_name("unmounted"))
    films.mkdir()
    for by in (OWNER, IMPORT):
        refused = await scene.refusal(Code.PRECONDITION, "organize.plan", by, download=row.id)
        assert "probably not mounted" in refused.sentence
    assert list(films.iterdir()) == []
    films.rmdir()
    films.with_name("unmounted").rename(films)
