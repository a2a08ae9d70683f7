"""What the engine promises of starting, suspending and waking, on either database."""

import anyio
import pytest
from sqlalchemy.exc import IntegrityError

from ledger.faults import StaleWriterError
from ledger.segments import Standing, progressed
from ledger.transact import SLOTS
from tests.ledger.acts import Busy, failing, nothing
from tests.ledger.segments import KIND, Stage, ledger_at, workflow_has_ended


@pytest.mark.anyio
async def test_a_started_subject_is_attended_to_once_and_has_ended(stage: Stage) -> None:
    assert (await stage.over("once", nothing)).epoch == 1
    assert stage.epochs["once"] == [1]


@pytest.mark.anyio
async def test_what_is_started_in_a_transaction_that_rolls_back_was_never_started(
    stage: Stage,
) -> None:
    stage.acts["rolled back"] = nothing
    await stage.rolled_back(lambda tx: stage.ledger.engine.start(tx, KIND, "rolled back"))
    await stage.begun("after it", nothing)
    assert "rolled back" not in stage.epochs
    assert await stage.begun("rolled back", nothing) == 1


@pytest.mark.anyio
async def test_a_subject_can_be_started_only_once(stage: Stage) -> None:
    await stage.start("twice", nothing)
    with pytest.raises(IntegrityError):
        await stage.start("twice", nothing)


@pytest.mark.anyio
async def test_a_subject_may_begin_later(stage: Stage) -> None:
    await stage.start("later", nothing, delay_s=0.5)
    assert (await stage.standing("later")).state is Standing.WAITING
    await stage.entered("later", 1)


@pytest.mark.anyio
async def test_of_three_that_wake_a_subject_at_once_one_does(stage: Stage) -> None:
    await stage.asleep("sleeper")
    woke: list[bool] = []

    async def wake() -> None:
        woke.append(await stage.wake("sleeper"))

    async with anyio.create_task_group() as wakers:
        for _ in range(3):
            wakers.start_soon(wake)
    assert sorted(woke) == [False, False, True]
    await stage.entered("sleeper", 2)
    await stage.comes_to("sleeper", Standing.ENDED)
    assert stage.epochs["sleeper"] == [1, 2]


@pytest.mark.anyio
async def test_a_wake_that_rolls_back_wakes_nobody(stage: Stage) -> None:
    before = await stage.asleep("undisturbed")
    assert await stage.rolled_back(lambda tx: stage.ledger.engine.wake(tx, KIND, "undisturbed"))
    assert await stage.standing("undisturbed") == before
    assert await stage.wake("undisturbed")
    assert await stage.entered("undisturbed", 2) == [1, 2]


@pytest.mark.anyio
async def test_a_subject_that_nobody_wakes_goes_on_after_its_timeout(stage: Stage) -> None:
    await stage.start("patient", stage.waiting(timeout_s=0.2))
    assert await stage.entered("patient", 2) == [1, 2]


@pytest.mark.anyio
async def test_the_timer_of_a_subject_that_was_woken_does_nothing(stage: Stage) -> None:
    async def wait_shortly_then_long(subject: str, epoch: int) -> None:
        await stage.suspend(subject, timeout_s=0.3 if epoch == 1 else 3600)

    await stage.start("woken", wait_shortly_then_long)
    await stage.comes_to("woken", Standing.WAITING)
    await stage.wake("woken")
    await stage.entered("woken", 2)
    before = await stage.comes_to("woken", Standing.WAITING)
    await workflow_has_ended(f"{KIND}:woken:2")
    assert stage.epochs["woken"] == [1, 2]
    assert await stage.standing("woken") == before


@pytest.mark.anyio
async def test_what_has_ended_begins_anew_when_nudged_and_is_not_woken(stage: Stage) -> None:
    await stage.over("over", nothing)
    assert not await stage.wake("over")
    assert await stage.nudge("over")
    assert await stage.entered("over", 2) == [1, 2]


@pytest.mark.anyio
async def test_a_running_subject_is_neither_woken_nor_nudged(stage: Stage) -> None:
    busy = Busy()
    await stage.begun("busy", busy)
    assert not await stage.wake("busy")
    assert not await stage.nudge("busy")
    busy.go_on()
    await stage.comes_to("busy", Standing.ENDED)
    assert stage.epochs["busy"] == [1]


@pytest.mark.anyio
async def test_an_unknown_subject_is_neither_woken_nor_nudged(stage: Stage) -> None:
    assert not await stage.wake("nobody")
    assert not await stage.nudge("nobody")


@pytest.mark.anyio
async def test_subjects_that_wait_hold_no_slot(stage: Stage) -> None:
    many = [f"waiting {n}" for n in range(SLOTS["background"] * 3)]
    for name in many:
        await stage.start(name, stage.waiting())
    for name in many:
        await stage.comes_to(name, Standing.WAITING)


@pytest.mark.anyio
async def test_only_the_newest_epoch_owns_a_subject(stage: Stage) -> None:
    await stage.asleep("fenced")
    assert await stage.owns("fenced", 1)
    await stage.wake("fenced")
    await stage.entered("fenced", 2)
    assert not await stage.owns("fenced", 1)
    assert await stage.owns("fenced", 2)
    assert not await stage.owns("fenced", 2, kind="run")


@pytest.mark.anyio
async def test_a_segment_that_was_overtaken_ends_quietly(stage: Stage) -> None:
    await stage.begun("stale", failing(1, StaleWriterError))
    await workflow_has_ended(f"{KIND}:stale:1")
    assert stage.epochs["stale"] == [1]


@pytest.mark.anyio
async def test_progress_of_an_overtaken_segment_does_not_count(stage: Stage) -> None:
    before = await stage.over("late progress", nothing)
    await stage.ledger.write(lambda tx: progressed(tx, KIND, "late progress", before.epoch - 1))
    assert (await stage.standing("late progress")).tries == before.tries == 1


@pytest.mark.anyio
async def test_closing_a_ledger_that_was_not_launched_leaves_the_launched_one_alone(
    stage: Stage,
) -> None:
    async with ledger_at(stage.ledger.database.location):
        pass
    await stage.begun("unharmed", nothing)
