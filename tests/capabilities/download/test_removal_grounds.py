"""Files that are still to be organised speak against a removal, and nothing else of ours does."""

from datetime import timedelta

import pytest

from capabilities.download.removal_grounds import still_needed
from capabilities.kernel.owing import IMPORT, VERIFY, owe
from ledger.stores.downloads import DownloadRow
from ledger.stores.tasks import TaskState
from tests.capabilities.download.removing import imported
from tests.left_behind import dead_placing, frozen
from tests.scene import Scene

pytestmark = pytest.mark.anyio


async def bar(scene: Scene, row: DownloadRow) -> str | None:
    at = scene.ledger.now() + timedelta(seconds=1)
    found = await scene.read(lambda conn: still_needed(conn, row, at))
    return None if found is None else found.sentence


async def test_one_that_stands_in_the_library_may_go(scene: Scene) -> None:
    row = await imported(scene)
    assert await bar(scene, row) is None
    (record,) = await scene.records(row.id)
    await scene.write(lambda tx: owe(tx, scene.ledger, VERIFY, record.id))
    assert await bar(scene, row) == "What was placed of it is still being verified."


async def test_an_import_that_is_to_come_needs_it_until_it_is_over(scene: Scene) -> None:
    row = await scene.arrived()
    assert await bar(scene, row) is None
    await scene.write(lambda tx: owe(tx, scene.ledger, IMPORT, row.id))
    assert await bar(scene, row) == "Its files are still to be placed in the library."
    task = (await scene.tasks(row.id))["import"]
    await scene.end_task(task.id, TaskState.FAILED)
    assert await bar(scene, row) is None


async def test_a_placing_of_unknown_outcome_needs_it(scene: Scene) -> None:
    row = await scene.arrived()
    await dead_placing(scene, await frozen(scene, row=row))
    assert await bar(scene, row) == "Its files are being placed in the library, or may have been."
