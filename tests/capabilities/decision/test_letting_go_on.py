import pytest

from capabilities.decision.letting_go_on import ACCEPTED, let_go_on
from capabilities.download.failing import Block, Failure, record_failure
from capabilities.rules.holding import Hold, hold_of
from ledger.stores import blocklist, shelf
from ledger.stores.downloads import DownloadRow
from ledger.stores.tasks import TaskState
from tests.scene import Scene

pytestmark = pytest.mark.anyio

FAKE = Failure("A program.", "needs_owner", Hold.DANGER, Block.EVERYTHING)


async def stopped(scene: Scene) -> DownloadRow:
    row = await scene.submitted()
    await scene.write(lambda tx: record_failure(tx, scene.ledger, row, FAKE))
    return await scene.download(row.id)


async def let_go(scene: Scene, id_: str) -> None:
    await scene.write(lambda tx: let_go_on(tx, scene.ledger, id_, by="owner:ada"))


async def test_what_stopping_came_to_is_taken_back(scene: Scene) -> None:
    row = await stopped(scene)
    await scene.end_task((await scene.tasks(row.id))["track"].id, TaskState.SUCCEEDED)
    await let_go(scene, row.id)
    now = await scene.download(row.id)
    assert (now.state, now.last_error, hold_of(now.facts)) == ("paused_by_us", None, None)
    assert now.facts[ACCEPTED] == "owner:ada"
    assert await scene.read(lambda conn: blocklist.standing(conn, row.work)) == []
    assert [slot.state for slot in await scene.slots()] == ["in_flight"]
    assert (await scene.tasks(row.id))["track"].state is TaskState.QUEUED


async def test_a_slot_that_another_one_has_filled_stays_so(scene: Scene) -> None:
    row = await stopped(scene)
    await scene.write(
        lambda tx: shelf.move_slot(tx, row.work, 0, 0, state="satisfied", asset_id=None)
    )
    await let_go(scene, row.id)
    assert [slot.state for slot in await scene.slots()] == ["satisfied"]


async def test_one_that_is_gone_changes_nothing(scene: Scene) -> None:
    await let_go(scene, "dl_none")
    assert await scene.downloads() == []
