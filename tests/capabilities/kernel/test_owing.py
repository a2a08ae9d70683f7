import pytest

from capabilities.kernel.owing import begin_anew, owe
from ledger.segments import Standing
from ledger.stores.tasks import TaskState
from ledger.tables.work_to_do import segment
from tests.scene import Scene, base, scene

__all__ = ["base", "scene"]


async def standing(scene: Scene, task: str) -> str:
    row = await scene.read(
        lambda conn: conn.execute(segment.select().where(segment.c.subject == task)).one()
    )
    return str(row.state)


@pytest.mark.anyio
async def test_a_task_that_ended_begins_anew_and_one_that_runs_is_left_alone(
    scene: Scene,
) -> None:
    await scene.write(lambda tx: owe(tx, scene.ledger, "track", "dl_1"))
    task = (await scene.tasks("dl_1"))["track"]
    await scene.write(lambda tx: owe(tx, scene.ledger, "track", "dl_1"))
    assert (await scene.tasks("dl_1"))["track"] == task
    await scene.end_task(task.id, TaskState.DEAD)
    assert await standing(scene, task.id) == Standing.ENDED
    await scene.write(lambda tx: owe(tx, scene.ledger, "track", "dl_1"))
    again = (await scene.tasks("dl_1"))["track"]
    assert (again.id, again.state, again.ended_at) == (task.id, TaskState.QUEUED, None)


@pytest.mark.anyio
async def test_a_task_that_does_not_exist_cannot_begin_anew(scene: Scene) -> None:  # the fixture
    assert not await scene.write(lambda tx: begin_anew(tx, scene.ledger, "task_none"))


@pytest.mark.anyio
async def test_only_the_task_of_its_kind_begins_anew(scene: Scene) -> None:
    for kind in ("track", "import"):
        await scene.write(lambda tx, kind=kind: owe(tx, scene.ledger, kind, "dl_1"))
    both = await scene.tasks("dl_1")
    for task in both.values():
        await scene.end_task(task.id, TaskState.SUCCEEDED)
    await scene.write(lambda tx: owe(tx, scene.ledger, "import", "dl_1"))
    states = {kind: task.state for kind, task in (await scene.tasks("dl_1")).items()}
    assert states == {"track": TaskState.SUCCEEDED, "import": TaskState.QUEUED}
