"""A task that ended without success begins anew; one that is under way does not."""

import os

import pytest

from capabilities.adapters.downloader.port import Downloaders
from capabilities.kernel.codes import Code
from capabilities.kernel.owing import IMPORT as IMPORT_TASK
from capabilities.kernel.owing import owe
from ledger.segments import Standing, of
from ledger.stores import decisions, tasks
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.stores.grants import Scope
from ledger.stores.tasks import TaskRow, TaskState
from server.background.importing import Importer
from server.background.results import Done, Setback
from tests.capabilities.download.removing import ASKER, source
from tests.scene import OWNER, SUBTITLE, VIDEO, Scene

pytestmark = pytest.mark.anyio


async def tracked(scene: Scene, state: TaskState, *, attempts: int = 5) -> TaskRow:
    """The task that follows a download, in another state."""
    row = await scene.submitted()
    task = (await scene.tasks(row.id))["track"]
    if state in {TaskState.FAILED, TaskState.DEAD, TaskState.CANCELLED, TaskState.SUCCEEDED}:
        await scene.end_task(task.id, state)
    await scene.write(
        lambda tx: tasks.change(tx, task.id, state=state, attempts=attempts, last_error="slow")
    )
    return (await scene.tasks(row.id))["track"]


@pytest.mark.parametrize("state", [TaskState.FAILED, TaskState.DEAD, TaskState.CANCELLED])
async def test_one_that_failed_died_or_was_cancelled_begins_anew(
    scene: Scene, state: TaskState
) -> None:
    task = await tracked(scene, state)
    answer = await scene.answer("task.retry", OWNER, task=task.id)
    assert (answer["kind"], answer["state"]) == ("track", "queued")
    now = (await scene.tasks(task.subject))["track"]
    assert (now.state, now.attempts, now.last_error) == (TaskState.QUEUED, 0, None)
    assert now.steps[-1]["step"] == "begun anew by owner:ada"
    segment = await scene.read(lambda conn: of(conn, "task", task.id))
    assert segment is not None
    assert segment.state is not Standing.WAITING


@pytest.mark.parametrize(
    "state", [TaskState.QUEUED, TaskState.RUNNING, TaskState.WAITING, TaskState.SUCCEEDED]
)
async def test_one_that_is_under_way_or_done_is_refused_with_its_state(
    scene: Scene, state: TaskState
) -> None:
    task = await tracked(scene, state)
    refused = await scene.refusal(Code.PRECONDITION, "task.retry", OWNER, task=task.id)
    assert refused.needs["state"] == state
    now = (await scene.tasks(task.subject))["track"]
    assert (now.state, now.attempts, now.steps) == (state, 5, task.steps)


async def test_one_that_waits_says_when_it_goes_on_and_what_it_did_last(scene: Scene) -> None:
    task = await tracked(scene, TaskState.WAITING)
    at = scene.ledger.now()
    await scene.write(lambda tx: tasks.change(tx, task.id, next_try_at=at))
    await scene.write(lambda tx: tasks.add_step(tx, task.id, {"error": "The disk is full."}))
    refused = await scene.refusal(Code.PRECONDITION, "task.retry", OWNER, task=task.id)
    assert refused.needs["next_try_at"] == at.isoformat()
    assert "Last: The disk is full." in refused.sentence


async def test_the_question_about_its_end_is_closed(scene: Scene) -> None:
    task = await tracked(scene, TaskState.DEAD)
    new = NewDecision(DecisionKind.OTHER, f"task:{task.id}", "A background task needs you")
    await scene.write(lambda tx: decisions.raise_(tx, new, scene.ledger.now()))
    await scene.answer("task.retry", OWNER, task=task.id)
    assert await scene.decisions() == []


async def test_a_key_needs_an_approval_or_a_grant_for_tasks(scene: Scene) -> None:
    task = await tracked(scene, TaskState.DEAD)
    asked = await scene.refusal(Code.NEEDS_APPROVAL, "task.retry", ASKER, task=task.id)
    (approval,) = await scene.approvals_of(str(asked.needs["plan"]))
    assert approval.card["title"] == "Try a task again"
    work = await scene.work_id()
    await scene.grant("task.*", Scope(works=frozenset({work})))
    assert (await scene.answer("task.retry", ASKER, task=task.id))["state"] == "queued"


@pytest.mark.parametrize("name", ["task:9", "task_of_nobody"])
async def test_one_that_does_not_exist_is_not_found(scene: Scene, name: str) -> None:
    await scene.failure(Code.NOT_FOUND, "task.retry", OWNER, task=name)


async def test_a_download_is_no_task_and_the_way_is_shown(scene: Scene) -> None:
    failed = await scene.failure(Code.NOT_FOUND, "task.retry", OWNER, task="dl:1")
    assert "download__inspect" in failed.hint


async def test_an_import_that_failed_for_good_succeeds_once_its_cause_is_gone(
    scene: Scene,
) -> None:
    row = await scene.arrived()
    await scene.turn(row.id, "completed", completed_at=scene.ledger.now(), done=row.size)
    await scene.write(lambda tx: owe(tx, scene.ledger, IMPORT_TASK, row.id))
    importer = Importer(scene.ledger, scene.registry, scene.parts.get(Downloaders))
    film = source(scene)
    held = film.read_bytes()
    film.write_bytes(os.urandom(len(held)))
    task = (await scene.tasks(row.id))["import"]
    ended = await importer.attend(task)
    assert isinstance(ended, Setback)
    assert not ended.retry
    await scene.end_task(task.id, TaskState.FAILED)
    film.write_bytes(held)
    for placed in (scene.folders.films / VIDEO, scene.folders.films / SUBTITLE):
        placed.unlink(missing_ok=True)
    await scene.answer("task.retry", OWNER, task=task.id)
    assert await scene.decisions() == []
    done = await importer.attend((await scene.tasks(row.id))["import"])
    assert isinstance(done, Done), done
    assert (await scene.download(row.id)).state == "imported"
