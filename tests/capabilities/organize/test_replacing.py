"""A file that is better takes the place of the old one, which goes into the recycle folder."""

import os
from pathlib import Path

import pytest

from capabilities.adapters.shelf.recycling import MARKS, RECYCLE
from capabilities.kernel.codes import Code
from capabilities.organize.import_plan import organize_plan
from ledger.stores import shelf
from ledger.stores.plans import Plan
from tests.left_behind import EXECUTE, source_of
from tests.scene import FOLDER, IMPORT, KEY, OWNER, SUBTITLE, VIDEO, Scene
from tests.shelf_rows import standing_film

OLD = f"{FOLDER}/Sintel (2010) - [WEBDL-720p].avi"
OLD_SUBTITLE = OLD.replace(".avi", ".de.srt")


async def planned(scene: Scene, download: str, *, replace: bool = True) -> Plan:
    answer = await scene.answer("organize.plan", KEY, download=download, replace=replace)
    return await scene.plan(await scene.id_of(answer["plan"], KEY))


def recycled(library: Path) -> list[str]:
    folder = library / RECYCLE
    marks = {folder / name for name in MARKS}
    return sorted(
        str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file() and p not in marks
    )


def on_shelf(scene: Scene) -> list[str]:
    return [name for name in scene.on_shelf() if not name.startswith(RECYCLE)]


@pytest.mark.anyio
async def test_a_better_file_replaces_the_old_one_by_slot_with_what_belongs_to_it(
    scene: Scene,
) -> None:
    row = await scene.arrived()
    old = await standing_film(scene, OLD, width=1280, height=720)
    (scene.folders.films / OLD_SUBTITLE).write_text("words for the old one")
    inode, asset = old.stat().st_ino, (await scene.read(shelf.assets))[0].id
    plan = await planned(scene, row.id)
    assert plan.payload["replaces"] == [OLD, OLD_SUBTITLE]
    assert plan.payload["add_only"] is False
    assert f"{OLD} goes into the recycle folder" in plan.card["changes"]
    asked = await scene.refusal(Code.NEEDS_APPROVAL, EXECUTE, IMPORT, plan=plan.id)
    assert on_shelf(scene) == sorted([OLD, OLD_SUBTITLE])

    await scene.decided(asked)
    answer = await scene.answer(EXECUTE, IMPORT, plan=plan.id)

    assert answer["replaced"] == [OLD, OLD_SUBTITLE]
    assert on_shelf(scene) == sorted([VIDEO, SUBTITLE])
    assert recycled(scene.folders.films) == sorted([OLD, OLD_SUBTITLE])
    assert (scene.folders.films / RECYCLE / OLD).stat().st_ino == inode
    assert sorted(p.name for p in (scene.folders.films / RECYCLE).iterdir() if p.is_file()) == (
        sorted(MARKS)
    )
    (now,) = await scene.read(shelf.assets)
    assert (now.path, now.id == asset) == (str(scene.folders.films / VIDEO), False)
    (slot,) = await scene.slots()
    assert (slot.state, slot.asset) == ("satisfied", now.id)
    (record,) = await scene.records(row.id)
    steps = [(step["step"], step.get("from")) for step in record.journal]
    assert steps.index(("flushed", None)) < steps.index(("recycling", OLD))
    assert steps.index(("recycling", OLD)) < steps.index(("recycled", OLD))


@pytest.mark.anyio
async def test_a_plan_that_does_not_say_so_replaces_nothing_and_names_both_sides(
    scene: Scene,
) -> None:
    row = await scene.arrived()
    await standing_film(scene, OLD, width=1280, height=720)
    refused = await scene.refusal(Code.PRECONDITION, "organize.plan", download=row.id)
    assert "it is an upgrade of Sintel (2010) - [WEBDL-720p].avi" in refused.sentence
    assert "this is Bluray-1080p, score 0, and there is WEBDL-720p, score 0" in refused.sentence
    assert "does not say that anything is replaced" in refused.sentence
    assert on_shelf(scene) == [OLD]


@pytest.mark.anyio
async def test_what_is_no_better_than_its_picture_says_is_not_replaced(scene: Scene) -> None:
    row = await scene.arrived()
    named = f"{FOLDER}/Sintel (2010) - [Bluray-720p].mkv"
    await standing_film(scene, named, width=1920, height=800)
    refused = await scene.refusal(Code.PRECONDITION, "organize.plan", download=row.id, replace=True)
    assert "it is no upgrade of Sintel (2010) - [Bluray-720p].mkv" in refused.sentence
    assert "there is Bluray-1080p, score 0" in refused.sentence


@pytest.mark.anyio
async def test_the_owner_replaces_by_hand_whatever_is_there_even_under_the_same_name(
    scene: Scene,
) -> None:
    row = await scene.arrived()
    old = await standing_film(scene, VIDEO, width=1920, height=1080)
    content = old.read_bytes()
    answer = await scene.answer("organize.plan", OWNER, download=row.id, replace=True)
    assert answer["replaces"] == [VIDEO]
    await scene.answer(EXECUTE, OWNER, plan=answer["plan"])
    assert on_shelf(scene) == sorted([VIDEO, SUBTITLE])
    assert old.stat().st_ino == source_of(scene).stat().st_ino
    assert (scene.folders.films / RECYCLE / VIDEO).read_bytes() == content


@pytest.mark.anyio
async def test_an_old_file_that_changed_since_is_kept_and_the_new_one_goes_again(
    scene: Scene,
) -> None:
    row = await scene.arrived()
    old = await standing_film(scene, OLD, width=1280, height=720)
    plan = await planned(scene, row.id)
    os.utime(old, (1, 1))
    failed = await scene.failure(Code.CONFLICT, EXECUTE, OWNER, plan=plan.id)
    assert "stays as it was, and it was taken away again" in failed.sentence
    assert on_shelf(scene) == sorted([OLD, SUBTITLE])
    assert recycled(scene.folders.films) == []
    assert source_of(scene).exists()
    (record,) = await scene.records(row.id)
    assert (record.state, record.journal[-1]["step"]) == ("failed", "taken_back")


@pytest.mark.anyio
async def test_a_second_file_of_one_name_gets_a_number_in_the_recycle_folder(
    scene: Scene,
) -> None:
    row = await scene.arrived()
    there = scene.folders.films / RECYCLE / OLD
    there.parent.mkdir(parents=True)
    there.write_text("from before")
    await standing_film(scene, OLD, width=1280, height=720)
    plan = await planned(scene, row.id)
    await scene.answer(EXECUTE, OWNER, plan=plan.id)
    assert recycled(scene.folders.films) == sorted([OLD, OLD.replace(".avi", "_2.avi")])
    assert there.read_text() == "from before"


@pytest.mark.anyio
async def test_what_was_placed_under_a_wrong_name_is_taken_away_when_it_is_placed_anew(
    scene: Scene,
) -> None:
    row = await scene.arrived()
    first = await scene.answer("organize.plan", OWNER, download=row.id)
    await scene.answer(EXECUTE, OWNER, plan=first["plan"])
    library = scene.folders.films
    wrong = library / "A Wrong Film (1999)" / "A Wrong Film (1999).mkv"
    wrong.parent.mkdir()
    (library / VIDEO).rename(wrong)
    (record,) = await scene.records(row.id)
    placements = [dict(one) for one in record.placements]
    placements[0]["target"] = str(wrong.relative_to(library))
    await scene.write(lambda tx: shelf.change_record(tx, record.id, placements=placements))

    again = await scene.answer("organize.plan", OWNER, download=row.id)
    assert again["replaces"] == [str(wrong.relative_to(library))]
    await scene.answer(EXECUTE, OWNER, plan=again["plan"])

    assert on_shelf(scene) == sorted([VIDEO, SUBTITLE])
    assert not wrong.parent.exists()
    assert source_of(scene).exists()
    assert [one.state for one in await scene.records(row.id)] == ["succeeded", "succeeded"]
    plans = {one.plan for one in await scene.records(row.id)}
    assert len(plans) == 2
    assert organize_plan(await scene.plan(max(plans))).info_hash == row.info_hash


@pytest.mark.anyio
async def test_a_subtitle_of_the_very_name_goes_for_the_one_that_takes_its_name(
    scene: Scene,
) -> None:
    row = await scene.arrived()
    old = VIDEO.replace(".mkv", ".avi")
    await standing_film(scene, old, width=1280, height=720)
    (scene.folders.films / SUBTITLE).write_text("words for the old one")
    plan = await planned(scene, row.id)
    await scene.decided(await scene.refusal(Code.NEEDS_APPROVAL, EXECUTE, IMPORT, plan=plan.id))
    await scene.answer(EXECUTE, IMPORT, plan=plan.id)
    assert on_shelf(scene) == sorted([VIDEO, SUBTITLE])
    assert recycled(scene.folders.films) == sorted([old, SUBTITLE])
    kept = (scene.folders.films / RECYCLE / SUBTITLE).read_text()
    assert kept == "words for the old one"
    assert (scene.folders.films / SUBTITLE).read_text() != kept


@pytest.mark.anyio
async def test_a_file_that_is_not_the_known_one_any_more_is_never_replaced(scene: Scene) -> None:
    row = await scene.arrived()
    old = await standing_film(scene, OLD, width=1280, height=720)
    old.rename(old.with_suffix(".kept"))
    old.write_bytes(b"a far better one, put there by hand")
    refused = await scene.refusal(Code.PRECONDITION, "organize.plan", download=row.id, replace=True)
    assert "is not the file that is known there" in refused.sentence
    assert old.read_bytes() == b"a far better one, put there by hand"
