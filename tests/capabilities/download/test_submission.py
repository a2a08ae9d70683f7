import pytest

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.download.acquisition import acquisition
from capabilities.download.submission import (
    IN_FLIGHT,
    WANTED,
    Submission,
    give_back,
    owe,
    record_submission,
)
from ledger.engine import Standing
from ledger.stores import events, shelf
from ledger.stores.tasks import TaskState
from ledger.tables.work_to_do import segment
from tests.scene import Scene


async def made(scene: Scene, id_: str = "dl_1", *, adopted: bool = False) -> Submission:
    plan = await scene.plan(await scene.id_of((await scene.drafted())["plan"]))
    wanted = acquisition(plan)
    hashes = InfoHashes(wanted.hash_v1, wanted.hash_v2)
    return Submission(id_, plan, wanted, "embedded", hashes, adopted)


async def standing(scene: Scene, task: str) -> str:
    row = await scene.read(
        lambda conn: conn.execute(segment.select().where(segment.c.subject == task)).one()
    )
    return str(row.state)


@pytest.mark.anyio
async def test_a_first_submission_writes_download_slot_task_and_event(scene: Scene) -> None:
    new = await made(scene)
    await scene.write(lambda tx: record_submission(tx, scene.ledger, new))
    row = await scene.download("dl_1")
    assert (row.plan, row.release, row.size, row.done) == (
        new.plan.id,
        new.wanted.release,
        new.wanted.size,
        0,
    )
    assert [slot.state for slot in await scene.slots()] == [IN_FLIGHT]
    assert list(await scene.tasks("dl_1")) == ["track"]
    (event,) = await scene.read(events.page)
    assert event.body["title"] == new.wanted.title


@pytest.mark.anyio
async def test_adopting_what_is_under_way_changes_nothing_but_the_plan(scene: Scene) -> None:
    first, second = await made(scene), await made(scene, adopted=True)
    await scene.write(lambda tx: record_submission(tx, scene.ledger, first))
    await scene.turn("dl_1", "downloading", done=7)
    await scene.write(lambda tx: record_submission(tx, scene.ledger, second))
    row = await scene.download("dl_1")
    assert (row.plan, row.state, row.done) == (first.plan.id, "downloading", 7)
    assert (await scene.plan(second.plan.id)).state == "submitted"
    assert [slot.revision for slot in await scene.slots()] == [1]


@pytest.mark.anyio
async def test_adding_anew_what_was_believed_under_way_begins_anew(scene: Scene) -> None:
    first, second = await made(scene), await made(scene)
    await scene.write(lambda tx: record_submission(tx, scene.ledger, first))
    await scene.turn("dl_1", "downloading", done=7)
    await scene.write(lambda tx: record_submission(tx, scene.ledger, second))
    row = await scene.download("dl_1")
    assert (row.plan, row.state, row.done) == (second.plan.id, "submitted", 0)


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
async def test_only_the_task_of_its_kind_begins_anew(scene: Scene) -> None:
    for kind in ("track", "import"):
        await scene.write(lambda tx, kind=kind: owe(tx, scene.ledger, kind, "dl_1"))
    both = await scene.tasks("dl_1")
    for task in both.values():
        await scene.end_task(task.id, TaskState.SUCCEEDED)
    await scene.write(lambda tx: owe(tx, scene.ledger, "import", "dl_1"))
    states = {kind: task.state for kind, task in (await scene.tasks("dl_1")).items()}
    assert states == {"track": TaskState.SUCCEEDED, "import": TaskState.QUEUED}


@pytest.mark.anyio
async def test_slots_are_given_back_unless_something_stands_in_them(scene: Scene) -> None:
    new = await made(scene)
    await scene.write(lambda tx: record_submission(tx, scene.ledger, new))
    await scene.write(lambda tx: give_back(tx, new.plan))
    assert [(slot.state, slot.revision) for slot in await scene.slots()] == [(WANTED, 2)]
    work = new.wanted.work
    await scene.write(
        lambda tx: shelf.move_slot(tx, work, 0, 0, state="satisfied", asset_id="asset_1")
    )
    await scene.write(lambda tx: give_back(tx, new.plan))
    assert [slot.state for slot in await scene.slots()] == ["satisfied"]
