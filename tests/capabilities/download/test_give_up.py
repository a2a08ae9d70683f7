import pytest

from capabilities.kernel.codes import Code
from capabilities.rules.holding import Hold, hold_of
from ledger.stores import blocklist
from tests.scene import KEY, OWNER, Scene

pytestmark = pytest.mark.anyio

GIVE_UP = "download.give_up"


async def test_arr_24_what_is_given_up_is_not_taken_again_and_its_slots_are_wanted(
    scene: Scene,
) -> None:
    row = await scene.submitted()
    await scene.turn(row.id, "downloading", facts={"clock": {"has_files": True}})
    answer = await scene.answer(GIVE_UP, OWNER, download=row.id)
    assert (answer["title"], answer["state"]) == (row.name, "failed")
    now = await scene.download(row.id)
    assert (now.state, hold_of(now.facts)) == ("failed", Hold.GIVEN_UP)
    assert now.last_error == "You gave it up, since nothing came of it."
    (block,) = await scene.read(lambda conn: blocklist.standing(conn, row.work))
    assert (block.info_hash, block.by) == (row.info_hash, "owner:ada")
    assert [slot.state for slot in await scene.slots()] == ["wanted"]
    assert "next" in await scene.tasks(row.id)


async def test_arr_25_a_magnet_that_nobody_looked_into_is_not_blocked(scene: Scene) -> None:
    row = await scene.submitted()
    await scene.turn(row.id, "metadata", facts={"clock": {"has_files": False}})
    await scene.answer(GIVE_UP, OWNER, download=row.id)
    assert await scene.read(lambda conn: blocklist.standing(conn, row.work)) == []
    assert "next" in await scene.tasks(row.id)


@pytest.mark.parametrize("state", ["failed", "removed", "imported", "needs_owner"])
async def test_what_is_over_cannot_be_given_up(scene: Scene, state: str) -> None:
    row = await scene.submitted()
    await scene.turn(row.id, state)
    refused = await scene.refusal(Code.PRECONDITION, GIVE_UP, OWNER, download=row.id)
    assert "nothing to give up" in refused.sentence
    assert (await scene.download(row.id)).state == state


async def test_what_is_complete_cannot_be_given_up(scene: Scene) -> None:
    row = await scene.submitted()
    await scene.turn(row.id, "importing", completed_at=scene.ledger.now())
    await scene.refusal(Code.PRECONDITION, GIVE_UP, OWNER, download=row.id)


async def test_only_the_owner_gives_anything_up(scene: Scene) -> None:
    row = await scene.submitted()
    await scene.failure(Code.NOT_FOUND, GIVE_UP, KEY, download=row.id)
    assert (await scene.download(row.id)).state == "submitted"


async def test_a_download_that_there_is_not_is_not_found(scene: Scene) -> None:
    await scene.failure(Code.NOT_FOUND, GIVE_UP, OWNER, download="dl_none")
