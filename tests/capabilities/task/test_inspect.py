import pytest

from capabilities.kernel.codes import Code
from ledger.stores import tasks
from ledger.stores.tasks import TaskState
from tests.scene import Scene


@pytest.mark.anyio
async def test_a_task_tells_its_attempts_steps_and_next_try(scene: Scene) -> None:
    row = await scene.submitted()
    track = (await scene.tasks(row.id))["track"]
    at = scene.ledger.now()
    await scene.write(
        lambda tx: tasks.change(
            tx, track.id, state=TaskState.WAITING, attempts=2, last_error="slow", next_try_at=at
        )
    )
    await scene.write(lambda tx: tasks.add_step(tx, track.id, {"error": "slow"}))
    seen = await scene.answer("task.inspect", task=track.id)
    assert (seen["kind"], seen["state"], seen["attempts"]) == ("track", "waiting", 2)
    assert (seen["steps"], seen["last_error"]) == ([{"error": "slow"}], "slow")
    assert seen["next_try_at"].startswith(at.isoformat()[:19])
    again = await scene.answer("task.inspect", task=seen["task"])
    assert again == seen


@pytest.mark.anyio
async def test_a_download_is_told_apart_and_shown_the_way(scene: Scene) -> None:
    row = await scene.submitted()
    for name in ("dl:1", row.id):
        failed = await scene.failure(Code.NOT_FOUND, "task.inspect", task=name)
        assert "download__inspect" in failed.hint


@pytest.mark.anyio
@pytest.mark.parametrize("name", ["task:9", "task_of_nobody"])
async def test_a_task_that_does_not_exist_is_not_found(scene: Scene, name: str) -> None:
    await scene.failure(Code.NOT_FOUND, "task.inspect", task=name)
