"""After a removal nothing waits for the download any more, and its row says what was done."""

import pytest

from capabilities.download.removing import record_removal
from capabilities.kernel.owing import IMPORT, NEXT, owe
from ledger.segments import Standing, of
from ledger.stores import events
from ledger.stores.tasks import TaskState
from tests.scene import Scene, run_of

pytestmark = pytest.mark.anyio


async def test_its_slots_are_wanted_its_tasks_are_over_and_its_run_learns_of_it(
    scene: Scene,
) -> None:
    row = await scene.submitted(by=run_of("run_1"))
    await scene.write(lambda tx: owe(tx, scene.ledger, IMPORT, row.id))
    await scene.write(lambda tx: owe(tx, scene.ledger, NEXT, row.id))
    said = "It was removed."
    await scene.write(lambda tx: record_removal(tx, scene.ledger, row.id, said, "owner:ada"))
    now = await scene.download(row.id)
    assert (now.state, now.last_error) == ("removed", said)
    assert [slot.state for slot in await scene.slots()] == ["wanted"]
    about = await scene.tasks(row.id)
    assert about.pop(NEXT).state is TaskState.QUEUED
    for task in about.values():
        assert task.state is TaskState.CANCELLED
        segment = await scene.read(lambda conn, id_=task.id: of(conn, "task", id_))
        assert segment is not None
        assert segment.state is Standing.ENDED
    told = await scene.read(lambda conn: events.of_run(conn, "run_1"))
    assert told[-1].type == "download_removed"


async def test_a_download_that_is_gone_from_our_tables_changes_nothing(scene: Scene) -> None:
    await scene.write(lambda tx: record_removal(tx, scene.ledger, "dl_0", "", "owner:ada"))
    assert await scene.downloads() == []
