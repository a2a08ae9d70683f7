"""What has not begun, or waits, is cancelled whole; what is at work is not cut in half."""

import pytest

from capabilities.adapters.downloader.port import Downloaders
from capabilities.kernel.codes import Code
from capabilities.kernel.owing import ADOPT, owe
from capabilities.kernel.owing import IMPORT as IMPORT_TASK
from capabilities.kernel.owing import VERIFY as VERIFY_TASK
from ledger.segments import Standing, of
from ledger.stores import claims, decisions, shelf, tasks
from ledger.stores.approvals import ApprovalState
from ledger.stores.claims import ClaimState
from ledger.stores.decisions import DecisionKind, NewDecision
from ledger.stores.downloads import DownloadRow
from ledger.stores.tasks import TaskRow, TaskState
from server.background.importing import Importer
from server.background.results import Done
from server.background.tasks import TaskRunner
from tests.capabilities.download.removing import ASKER, listing
from tests.left_behind import dead_placing, frozen, place_by_hand
from tests.scene import IMPORT, OWNER, SUBTITLE, VIDEO, Scene

pytestmark = pytest.mark.anyio


async def importing(scene: Scene) -> tuple[DownloadRow, TaskRow]:
    """A finished download and the task that is to import it."""
    row = await scene.arrived()
    await scene.turn(row.id, "completed", completed_at=scene.ledger.now(), done=row.size)
    await scene.write(lambda tx: owe(tx, scene.ledger, IMPORT_TASK, row.id))
    return await scene.download(row.id), (await scene.tasks(row.id))["import"]


def importer(scene: Scene) -> Importer:
    return Importer(scene.ledger, scene.registry, scene.parts.get(Downloaders))


@pytest.mark.parametrize("state", [TaskState.QUEUED, TaskState.WAITING])
async def test_an_import_that_has_not_begun_is_cancelled_with_nothing_left_half_done(
    scene: Scene, state: TaskState
) -> None:
    row, task = await importing(scene)
    await scene.write(lambda tx: tasks.change(tx, task.id, state=state))
    before = listing(scene, links=True)
    answer = await scene.answer("task.cancel", OWNER, task=task.id)
    assert (answer["kind"], answer["state"]) == ("import", "cancelled")
    assert listing(scene, links=True) == before
    now = await scene.download(row.id)
    assert now.state == "needs_owner"
    assert "task__retry" in str(now.last_error)
    after = (await scene.tasks(row.id))["import"]
    assert (after.state, after.next_try_at) == (TaskState.CANCELLED, None)
    segment = await scene.read(lambda conn: of(conn, "task", task.id))
    assert segment is not None
    assert segment.state is Standing.ENDED


async def test_its_answer_says_what_that_means_and_it_can_be_begun_anew(scene: Scene) -> None:
    row, task = await importing(scene)
    outcome = await scene.call("task.cancel", OWNER, task=task.id)
    assert "Its files stay where they are, in the download folder" in outcome.sentence
    await scene.answer("task.retry", OWNER, task=task.id)
    assert isinstance(await importer(scene).attend((await scene.tasks(row.id))["import"]), Done)
    assert (await scene.download(row.id)).state == "imported"
    assert scene.on_shelf() == sorted([VIDEO, SUBTITLE])


async def test_a_segment_that_had_been_queued_does_nothing_afterwards(scene: Scene) -> None:
    row, task = await importing(scene)
    segment = await scene.read(lambda conn: of(conn, "task", task.id))
    assert segment is not None
    await scene.answer("task.cancel", OWNER, task=task.id)
    runner = TaskRunner(scene.ledger, {IMPORT_TASK: importer(scene).attend})
    await runner.segment(task.id, segment.epoch)
    assert scene.on_shelf() == []
    assert (await scene.tasks(row.id))["import"].state is TaskState.CANCELLED


async def test_one_that_is_at_work_is_refused_with_what_it_does(scene: Scene) -> None:
    row, task = await importing(scene)
    await scene.write(lambda tx: tasks.change(tx, task.id, state=TaskState.RUNNING))
    await scene.write(lambda tx: tasks.add_step(tx, task.id, {"step": "The disk was full."}))
    refused = await scene.refusal(Code.PRECONDITION, "task.cancel", OWNER, task=task.id)
    assert "importing a download. Last: The disk was full." in refused.sentence
    assert refused.needs["state"] == "running"
    assert (await scene.download(row.id)).state == "completed"


@pytest.mark.parametrize(
    "state", [TaskState.SUCCEEDED, TaskState.FAILED, TaskState.DEAD, TaskState.CANCELLED]
)
async def test_one_that_is_over_is_refused_with_its_state(scene: Scene, state: TaskState) -> None:
    _, task = await importing(scene)
    await scene.end_task(task.id, state)
    refused = await scene.refusal(Code.PRECONDITION, "task.cancel", OWNER, task=task.id)
    assert refused.needs["state"] == state


async def test_a_placing_of_unknown_outcome_is_looked_at_before_its_import_is_cancelled(
    scene: Scene,
) -> None:
    row, task = await importing(scene)
    plan = await frozen(scene, row=row)
    await dead_placing(scene, plan)
    place_by_hand(scene)
    place_by_hand(scene, SUBTITLE, ".en.srt")
    refused = await scene.refusal(Code.PRECONDITION, "task.cancel", OWNER, task=task.id)
    assert refused.sentence.startswith("A look showed that its files were placed")
    assert (await scene.download(row.id)).state == "imported"
    (claim,) = await scene.claims("organize.execute")
    assert claim.state is ClaimState.SUCCEEDED
    assert len(await scene.claims("organize.execute")) == 1
    assert scene.on_shelf() == sorted([VIDEO, SUBTITLE])


async def test_while_nobody_can_tell_whether_it_was_placed_nothing_is_cancelled(
    scene: Scene,
) -> None:
    row, task = await importing(scene)
    await dead_placing(scene, await frozen(scene, row=row))
    away = scene.folders.films.rename(scene.folders.films.with_name("away"))
    refused = await scene.refusal(Code.PRECONDITION, "task.cancel", OWNER, task=task.id)
    away.rename(scene.folders.films)
    assert "not known whether its files were placed" in refused.sentence
    (claim,) = await scene.claims("organize.execute")
    assert refused.needs["invocation"] == claim.id
    assert (await scene.tasks(row.id))["import"].state is TaskState.QUEUED


async def test_while_files_are_being_placed_nothing_is_cancelled(scene: Scene) -> None:
    row, task = await importing(scene)
    await dead_placing(scene, await frozen(scene, row=row))
    (claim,) = await scene.claims("organize.execute")
    await scene.write(lambda tx: claims.take_up(tx, claim.id, claim.token, scene.ledger.worker))
    refused = await scene.refusal(Code.PRECONDITION, "task.cancel", OWNER, task=task.id)
    assert refused.sentence.startswith("Its files are being placed")
    assert (await scene.download(row.id)).state == "completed"


async def test_what_its_import_asked_of_the_owner_is_not_asked_any_more(scene: Scene) -> None:
    row, task = await importing(scene)
    await scene.write(lambda tx: tx.conn.exec_driver_sql("DELETE FROM approval"))
    await importer(scene).attend(task)
    (asked,) = await scene.decisions()
    failed = NewDecision(DecisionKind.OTHER, f"import:{row.id}", "It could not be imported")
    await scene.write(lambda tx: decisions.raise_(tx, failed, scene.ledger.now()))
    await scene.answer("task.cancel", OWNER, task=task.id)
    assert await scene.decisions() == []
    (approval,) = await scene.approvals_of(str(asked.subject))
    assert approval.state is ApprovalState.WITHDRAWN


async def test_following_a_download_ends_and_its_client_goes_on(scene: Scene) -> None:
    row = await scene.submitted()
    task = (await scene.tasks(row.id))["track"]
    outcome = await scene.call("task.cancel", OWNER, task=task.id)
    assert "Nobody follows this download any more" in outcome.sentence
    now = await scene.download(row.id)
    assert now.state == row.state
    await scene.until_complete(row.info_hash)


async def test_verifying_ends_and_the_files_stay_in_the_library(scene: Scene) -> None:
    row, _ = await importing(scene)
    plan = (await scene.answer("organize.plan", IMPORT, download=row.id))["plan"]
    await scene.answer("organize.execute", IMPORT, plan=plan)
    (record,) = await scene.records(row.id)
    await scene.write(lambda tx: shelf.change_record(tx, record.id, state="verifying"))
    await scene.write(lambda tx: owe(tx, scene.ledger, VERIFY_TASK, record.id))
    task = (await scene.tasks(record.id))["verify"]
    outcome = await scene.call("task.cancel", OWNER, task=task.id)
    assert "they are not verified" in outcome.sentence
    assert (await scene.download(row.id)).state == "needs_owner"
    assert scene.on_shelf() == sorted([VIDEO, SUBTITLE])
    await scene.answer("task.retry", OWNER, task=task.id)
    assert (await scene.download(row.id)).state == "importing"


async def test_a_task_about_something_else_is_cancelled_all_the_same(scene: Scene) -> None:
    await scene.write(lambda tx: owe(tx, scene.ledger, "search", "sub_1"))
    task = (await scene.tasks("sub_1"))["search"]
    answer = await scene.answer("task.cancel", OWNER, task=task.id)
    assert answer["state"] == "cancelled"


async def test_a_key_needs_an_approval(scene: Scene) -> None:
    _, task = await importing(scene)
    await scene.approved("task.cancel", ASKER, task=task.id)
    assert (await scene.answer("task.cancel", ASKER, task=task.id))["state"] == "cancelled"


async def test_one_that_does_not_exist_is_not_found(scene: Scene) -> None:
    await scene.failure(Code.NOT_FOUND, "task.cancel", OWNER, task="task:9")


@pytest.mark.parametrize("state", [TaskState.QUEUED, TaskState.WAITING])
async def test_an_adoption_that_is_half_taken_in_is_not_left_so(
    scene: Scene, state: TaskState
) -> None:
    await scene.write(lambda tx: owe(tx, scene.ledger, ADOPT, "plan_1"))
    task = (await scene.tasks("plan_1"))[ADOPT]
    await scene.write(lambda tx: tasks.change(tx, task.id, state=state))
    refused = await scene.refusal(Code.PRECONDITION, "task.cancel", OWNER, task=task.id)
    assert "not left in the middle" in refused.sentence
    assert "Let it end" in str(refused.needs["do"])
    assert (await scene.tasks("plan_1"))[ADOPT].state is state
