from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from capabilities.kernel.owing import owe
from ledger.segments import Standing
from ledger.stores import decisions, tasks
from ledger.stores.tasks import TaskRow, TaskState
from ledger.tables.work_to_do import segment
from ledger.writer import Transaction
from server.background.results import Done, Result, Setback, Wait
from server.background.tasks import MOST_ATTEMPTS, TaskRunner, is_last
from tests.scene import Scene

KIND = "import"
Attend = Callable[[TaskRow], Awaitable[Result]]


def always(result: Result) -> Attend:
    async def attend(task: TaskRow) -> Result:
        del task
        return result

    return attend


async def begun(scene: Scene, attend: Attend | None) -> str:
    """A task that is attended to by the engine's own hand."""
    kinds = {} if attend is None else {KIND: attend}
    scene.base.segments["task"] = TaskRunner(scene.ledger, kinds).segment
    await scene.write(lambda tx: owe(tx, scene.ledger, KIND, "dl_1"))
    return (await scene.tasks("dl_1"))[KIND].id


async def until(scene: Scene, task: str, holds: Callable[[TaskRow], bool]) -> TaskRow:
    def look(conn: object) -> TaskRow | None:
        row = tasks.by_id(conn, task)  # pyright: ignore[reportArgumentType]  # a snapshot
        return row if row is not None and holds(row) else None

    return await scene.until(look)


async def until_state(scene: Scene, task: str, state: TaskState) -> TaskRow:
    return await until(scene, task, lambda row: row.state is state)


async def nudge(scene: Scene, task: str) -> None:
    """Do not wait for the timer."""
    await scene.until(
        lambda conn: conn.execute(
            segment.select().where(segment.c.subject == task, segment.c.state == Standing.WAITING)
        ).first()
    )
    assert await scene.write(lambda tx: scene.ledger.engine.wake(tx, "task", task))


@pytest.mark.anyio
async def test_what_is_done_ends_the_task(scene: Scene) -> None:
    task = await begun(scene, always(Done("all of it")))
    row = await until_state(scene, task, TaskState.SUCCEEDED)
    assert row.steps[0]["step"] == "all of it"
    assert row.ended_at is not None
    assert await scene.decisions() == []


@pytest.mark.anyio
async def test_waiting_is_no_attempt_and_the_same_word_is_written_once(scene: Scene) -> None:
    looks: list[int] = []

    async def attend(task: TaskRow) -> Result:
        looks.append(task.attempts)
        return Wait(3600, "for the owner" if len(looks) < 4 else "for another thing")

    task = await begun(scene, attend)
    for count in (1, 2, 3):
        await until(
            scene, task, lambda row, n=count: row.state is TaskState.WAITING and len(looks) == n
        )
        await nudge(scene, task)
    row = await until(scene, task, lambda row: len(row.steps) == 2)
    assert [step["step"] for step in row.steps] == ["for the owner", "for another thing"]
    assert (row.attempts, looks) == (0, [0, 0, 0, 0])
    assert row.next_try_at is not None


@pytest.mark.anyio
async def test_setbacks_are_tried_again_later_each_time_until_it_is_dead(scene: Scene) -> None:
    task = await begun(scene, always(Setback("the disk is full")))
    pauses: list[timedelta] = []
    for attempt in range(1, MOST_ATTEMPTS):
        row = await until(scene, task, lambda row, n=attempt: row.attempts == n)
        assert (row.state, row.last_error) == (TaskState.WAITING, "the disk is full")
        assert row.next_try_at is not None
        pauses.append(row.next_try_at - scene.ledger.now())
        assert await scene.decisions() == []
        await nudge(scene, task)
    row = await until_state(scene, task, TaskState.DEAD)
    assert [round(pause.total_seconds() / 5) for pause in pauses] == [1, 2, 4, 8]
    assert (row.attempts, row.next_try_at) == (MOST_ATTEMPTS, None)
    assert len(row.steps) == MOST_ATTEMPTS
    (asked,) = await scene.decisions()
    assert asked.title == "A background task (import) needs you"
    assert asked.evidence == {"sentence": "the disk is full", "attempts": MOST_ATTEMPTS}
    assert asked.subject == "dl_1"


@pytest.mark.anyio
async def test_a_setback_for_good_fails_at_once(scene: Scene) -> None:
    task = await begun(scene, always(Setback("it is no film", retry=False)))
    row = await until_state(scene, task, TaskState.FAILED)
    assert row.attempts == 1
    assert len(await scene.decisions()) == 1


@pytest.mark.anyio
async def test_what_the_owner_was_told_is_not_told_again(scene: Scene) -> None:
    task = await begun(scene, always(Setback("dangerous", retry=False, told=True)))
    await until_state(scene, task, TaskState.FAILED)
    assert await scene.decisions() == []


@pytest.mark.anyio
async def test_success_behind_setbacks_forgets_the_error_and_closes_the_question(
    scene: Scene,
) -> None:
    task = await begun(scene, always(Setback("no", retry=False)))
    await until_state(scene, task, TaskState.FAILED)
    assert len(await scene.decisions()) == 1
    scene.base.segments["task"] = TaskRunner(
        scene.ledger, {KIND: always(Done("after all"))}
    ).segment
    await scene.write(lambda tx: owe(tx, scene.ledger, KIND, "dl_1"))
    row = await until_state(scene, task, TaskState.SUCCEEDED)
    assert row.last_error is None
    assert await scene.decisions() == []
    rows, _ = await scene.read(
        lambda conn: decisions.listing(conn, states=(decisions.DecisionState.RESOLVED,))
    )
    assert rows[0].resolution == "it was done"


@pytest.mark.anyio
async def test_a_fault_of_ours_is_a_setback_and_not_the_end_of_everything(scene: Scene) -> None:
    async def attend(task: TaskRow) -> Result:
        raise ZeroDivisionError(task.id)

    task = await begun(scene, attend)
    row = await until(scene, task, lambda row: row.attempts == 1)
    assert row.last_error == "Matinee failed while doing this; the log has the details."
    assert row.state is TaskState.WAITING


@pytest.mark.anyio
async def test_what_nobody_attends_to_waits_without_an_attempt(scene: Scene) -> None:
    task = await begun(scene, None)
    row = await until_state(scene, task, TaskState.WAITING)
    assert row.attempts == 0
    assert "not configured" in row.steps[0]["step"]


@pytest.mark.anyio
async def test_a_task_that_is_over_is_not_attended_to(scene: Scene) -> None:
    task = await begun(scene, always(Done("once")))
    await until_state(scene, task, TaskState.SUCCEEDED)

    async def never(row: TaskRow) -> Result:
        raise AssertionError(row)

    await TaskRunner(scene.ledger, {KIND: never}).segment(task, 1)
    await TaskRunner(scene.ledger, {KIND: never}).segment("task_of_nobody", 1)


@pytest.mark.anyio
async def test_a_worker_that_was_overtaken_writes_nothing(scene: Scene) -> None:
    overtaken: list[str] = []

    def overtake(tx: Transaction) -> None:
        tx.conn.execute(segment.update().values(epoch=segment.c.epoch + 1))

    async def attend(task: TaskRow) -> Result:
        await scene.write(overtake)
        overtaken.append(task.id)
        return Done("by somebody who is late")

    task = await begun(scene, attend)
    await until_state(scene, task, TaskState.RUNNING)
    row = await until(scene, task, lambda _: bool(overtaken))
    assert (row.state, row.steps) == (TaskState.RUNNING, [])


@pytest.mark.anyio
async def test_a_stale_epoch_does_not_even_begin(scene: Scene) -> None:
    await scene.write(lambda tx: owe(tx, scene.ledger, KIND, "dl_1"))
    task = (await scene.tasks("dl_1"))[KIND].id

    async def never(row: TaskRow) -> Result:
        raise AssertionError(row)

    await TaskRunner(scene.ledger, {KIND: never}).segment(task, 99)
    assert (await scene.tasks("dl_1"))[KIND].state is TaskState.QUEUED


@pytest.mark.parametrize(("attempts", "last"), [(0, False), (3, False), (4, True), (9, True)])
def test_the_fifth_attempt_is_the_last(attempts: int, last: bool) -> None:
    row = TaskRow(
        "task_1",
        KIND,
        "dl_1",
        TaskState.RUNNING,
        attempts,
        [],
        None,
        None,
        created_at=None,  # pyright: ignore[reportArgumentType]  # no matter
        ended_at=None,
    )
    assert is_last(row) is last
