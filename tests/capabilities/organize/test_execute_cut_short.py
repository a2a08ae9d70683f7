"""What a process that died had placed is looked for and carried to its end."""

import pytest

from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.outcomes import Succeeded, Unknown
from ledger.stores.claims import ClaimState
from server.background.recovery import look_at_unknown
from tests.left_behind import EXECUTE, dead_placing, frozen, place_by_hand
from tests.scene import IMPORT, SUBTITLE, VIDEO, Scene


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
