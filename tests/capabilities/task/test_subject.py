"""What a task is about is found by whatever it is filed under."""

import pytest

from capabilities.kernel.owing import VERIFY, owe
from capabilities.task.subject import subject_of
from ledger.stores import tasks
from tests.capabilities.download.removing import imported
from tests.scene import Scene

pytestmark = pytest.mark.anyio


async def test_a_task_about_a_record_leads_to_its_download(scene: Scene) -> None:
    row = await imported(scene)
    (record,) = await scene.records(row.id)
    await scene.write(lambda tx: owe(tx, scene.ledger, VERIFY, record.id))
    task = (await scene.tasks(record.id))["verify"]
    about = await scene.read(lambda conn: subject_of(conn, task.id))
    assert about is not None
    assert about.download is not None
    assert (about.download.id, about.words) == (row.id, "verifying what was imported")


async def test_a_task_about_something_else_has_no_download_and_plain_words(scene: Scene) -> None:
    await scene.write(lambda tx: owe(tx, scene.ledger, "search", "sub_1"))
    task = (await scene.tasks("sub_1"))["search"]
    await scene.write(lambda tx: tasks.add_step(tx, task.id, {"at": "now"}))
    about = await scene.read(lambda conn: subject_of(conn, task.id))
    assert about is not None
    assert (about.download, about.doing) == (None, "")
    assert about.words == "a task of the kind search"
    assert await scene.read(lambda conn: subject_of(conn, "task_0")) is None
