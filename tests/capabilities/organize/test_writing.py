"""NFO files of ours, from the plan onto the shelf."""

import pytest

from capabilities.adapters.shelf.recycling import RECYCLE
from capabilities.kernel.outcomes import Succeeded
from capabilities.organize.import_plan import attempt_token
from capabilities.rules.nfo_ids import nfo_ids
from capabilities.rules.organize_policy import OrganizePolicy
from ledger.stores import shelf
from ledger.stores.claims import ClaimState
from server.background.recovery import look_at_unknown
from tests.left_behind import EXECUTE, dead_placing, frozen, place_by_hand
from tests.scene import FOLDER, IMPORT, OWNER, SUBTITLE, VIDEO, Scene
from tests.shelf_rows import standing_film

pytestmark = pytest.mark.anyio
NFO = VIDEO.replace(".mkv", ".nfo")


async def test_one_is_written_beside_the_video_and_recorded_as_no_asset(scene: Scene) -> None:
    await scene.publish(OrganizePolicy(nfo=True))
    row = await scene.arrived()
    told = await scene.answer("organize.plan", IMPORT, download=row.id)
    assert told["written"] == [NFO]
    plan = await scene.plan(await scene.id_of(told["plan"], IMPORT))
    assert f"{NFO} is written" in plan.card["changes"]
    (bound,) = plan.payload["written"]
    answer = await scene.answer(EXECUTE, IMPORT, plan=plan.id)
    assert answer["written"] == [NFO]
    assert scene.on_shelf() == sorted([VIDEO, SUBTITLE, NFO])
    there = scene.folders.films / NFO
    assert there.read_bytes() == bound["text"].encode()
    assert nfo_ids(there.read_text(encoding="utf-8"))["tmdb"] == "45745"
    (record,) = await scene.records(row.id)
    assert record.state == "succeeded"
    assert {one["role"] for one in record.placements} == {"video", "subtitle", "nfo"}
    steps = [step["step"] for step in record.journal if step["file"] == 2]
    assert steps == ["planned", "temporary_written", "checked", "renamed", "flushed"]
    assert [one.path for one in await scene.read(shelf.assets)] == [
        f"{scene.folders.films}/{VIDEO}"
    ]


async def test_none_is_written_unless_the_policy_says_so(scene: Scene) -> None:
    plan = await frozen(scene)
    assert "written" not in plan.payload
    answer = await scene.answer(EXECUTE, IMPORT, plan=plan.id)
    assert answer["written"] == []
    assert NFO not in scene.on_shelf()


async def test_one_that_came_after_the_plan_is_left_and_told(scene: Scene) -> None:
    await scene.publish(OrganizePolicy(nfo=True))
    plan = await frozen(scene)
    there = scene.folders.films / NFO
    there.parent.mkdir()
    there.write_bytes(b"of the media server")
    outcome = await scene.call(EXECUTE, IMPORT, plan=plan.id)
    assert isinstance(outcome, Succeeded)
    assert "1 NFO file was there already and was left as found" in outcome.sentence
    assert there.read_bytes() == b"of the media server"
    (record,) = await scene.records(plan.payload["download"])
    assert [one["role"] for one in record.placements] == ["video", "subtitle"]
    assert record.journal[-1]["step"] == "left"


async def test_a_death_before_it_was_written_is_carried_to_its_end(scene: Scene) -> None:
    await scene.publish(OrganizePolicy(nfo=True))
    plan = await frozen(scene)
    place_by_hand(scene)
    place_by_hand(scene, SUBTITLE, ".en.srt")
    half = scene.folders.films / FOLDER / f".matinee-{attempt_token(plan.id)}-a1b2c3-2.tmp"
    half.write_bytes(b"<mov")
    await dead_placing(scene, plan)
    assert await look_at_unknown(scene.ledger, scene.registry) == 1
    (claim,) = await scene.claims(EXECUTE)
    assert claim.state is ClaimState.SUCCEEDED
    assert scene.on_shelf() == sorted([VIDEO, SUBTITLE, NFO])
    assert (scene.folders.films / NFO).read_text() == plan.payload["written"][0]["text"]


async def test_that_of_a_replaced_video_goes_with_it_and_ours_has_its_name_after_that(
    scene: Scene,
) -> None:
    await scene.publish(OrganizePolicy(nfo=True))
    row = await scene.arrived()
    old = VIDEO.replace(".mkv", ".avi")
    await standing_film(scene, old, width=1280, height=720)
    there = scene.folders.films / NFO
    there.write_bytes(b"of the old one")
    told = await scene.answer("organize.plan", OWNER, download=row.id, replace=True)
    assert (told["replaces"], told["written"]) == ([old, NFO], [NFO])
    await scene.answer(EXECUTE, OWNER, plan=told["plan"])
    assert nfo_ids(there.read_text(encoding="utf-8"))["tmdb"] == "45745"
    assert (scene.folders.films / RECYCLE / NFO).read_bytes() == b"of the old one"
