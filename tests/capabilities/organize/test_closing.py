import pytest

from capabilities.organize.closing import close
from ledger.stores import events, shelf
from tests.left_behind import frozen
from tests.scene import IMPORT, Scene

pytestmark = pytest.mark.anyio


async def test_a_closed_record_is_not_closed_a_second_time(scene: Scene) -> None:
    plan = await frozen(scene)
    await scene.answer("organize.execute", IMPORT, plan=plan.id)
    (record,) = await scene.records(plan.payload["download"])
    (slot,) = await scene.slots()
    await scene.write(lambda tx: close(tx, scene.ledger, record.id))
    told = await scene.read(events.page)

    assert (record.state, await scene.records(plan.payload["download"])) == ("succeeded", [record])
    assert await scene.slots() == [slot]
    assert [event.type for event in told].count("imported") == 1


async def test_a_record_that_failed_is_not_closed_by_anything(scene: Scene) -> None:
    plan = await frozen(scene)
    await scene.answer("organize.execute", IMPORT, plan=plan.id)
    (record,) = await scene.records(plan.payload["download"])
    await scene.write(lambda tx: shelf.change_record(tx, record.id, state="failed"))
    await scene.write(lambda tx: close(tx, scene.ledger, record.id))
    await scene.write(lambda tx: close(tx, scene.ledger, "rec_of_nobody"))

    (now,) = await scene.records(plan.payload["download"])
    assert now.state == "failed"
