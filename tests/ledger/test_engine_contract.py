"""What the engine promises of starting, suspending and waking, on either database."""

from collections.abc import AsyncGenerator

import anyio
import pytest
from sqlalchemy.exc import IntegrityError

from ledger.clock import Clock
from ledger.engine import SLOTS, Standing, owns, progressed
from ledger.faults import StaleWriterError
from ledger.writer import Transaction
from tests.ledger.moments import START
from tests.ledger.segments import (
    AT_ONCE,
    DATABASES,
    KIND,
    Stage,
    launched,
    ledger_at,
    nothing,
    place,
    workflow_has_ended,
)


@pytest.fixture(scope="module", params=DATABASES)
async def stage(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Stage]:
    with place(request, tmp_path_factory.mktemp("home")) as location:
        async with ledger_at(location, Clock(now=lambda: START), AT_ONCE) as ledger:
            yield await launched(ledger)


@pytest.mark.anyio
async def test_a_started_subject_is_attended_to_once_and_has_ended(stage: Stage) -> None:
    await stage.start("once", nothing)
    await stage.entered("once", 1)
    assert (await stage.comes_to("once", Standing.ENDED)).epoch == 1
    assert stage.epochs["once"] == [1]


@pytest.mark.anyio
async def test_what_is_started_in_a_transaction_that_rolls_back_was_never_started(
    stage: Stage,
) -> None:
    def start_and_fail(tx: Transaction) -> None:
        stage.ledger.engine.start(tx, KIND, "rolled back")
        raise LookupError

    stage.acts["rolled back"] = nothing
    with pytest.raises(LookupError):
        await stage.ledger.write(start_and_fail)
    await stage.start("after it", nothing)
    await stage.entered("after it", 1)
    assert "rolled back" not in stage.epochs
    await stage.start("rolled back", nothing)
    assert await stage.entered("rolled back", 1) == [1]


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
    async def wait_once(subject: str, epoch: int) -> None:
        if epoch == 1:
            await stage.suspend(subject)

    await stage.start("sleeper", wait_once)
    await stage.comes_to("sleeper", Standing.WAITING)
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
    async def wait_once(subject: str, epoch: int) -> None:
        if epoch == 1:
            await stage.suspend(subject)

    def wake_and_fail(tx: Transaction) -> None:
        assert stage.ledger.engine.wake(tx, KIND, "undisturbed")
        raise LookupError

    await stage.start("undisturbed", wait_once)
    before = await stage.comes_to("undisturbed", Standing.WAITING)
    with pytest.raises(LookupError):
        await stage.ledger.write(wake_and_fail)
    assert await stage.standing("undisturbed") == before
    assert await stage.wake("undisturbed")
    assert await stage.entered("undisturbed", 2) == [1, 2]


@pytest.mark.anyio
async def test_a_subject_that_nobody_wakes_goes_on_after_its_timeout(stage: Stage) -> None:
    async def wait_once(subject: str, epoch: int) -> None:
        if epoch == 1:
            await stage.suspend(subject, timeout_s=0.2)

    await stage.start("patient", wait_once)
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
    await stage.start("over", nothing)
    await stage.comes_to("over", Standing.ENDED)
    assert not await stage.wake("over")
    assert await stage.nudge("over")
    assert await stage.entered("over", 2) == [1, 2]


@pytest.mark.anyio
async def test_a_running_subject_is_neither_woken_nor_nudged(stage: Stage) -> None:
    go_on = anyio.Event()

    async def busy(_subject: str, _epoch: int) -> None:
        await go_on.wait()

    await stage.start("busy", busy)
    await stage.entered("busy", 1)
    assert not await stage.wake("busy")
    assert not await stage.nudge("busy")
    go_on.set()
    await stage.comes_to("busy", Standing.ENDED)
    assert stage.epochs["busy"] == [1]


@pytest.mark.anyio
async def test_an_unknown_subject_is_neither_woken_nor_nudged(stage: Stage) -> None:
    assert not await stage.wake("nobody")
    assert not await stage.nudge("nobody")


@pytest.mark.anyio
async def test_subjects_that_wait_hold_no_slot(stage: Stage) -> None:
    async def wait_once(subject: str, epoch: int) -> None:
        if epoch == 1:
            await stage.suspend(subject)

    many = [f"waiting {n}" for n in range(SLOTS["background"] * 3)]
    for name in many:
        await stage.start(name, wait_once)
    for name in many:
        await stage.comes_to(name, Standing.WAITING)


@pytest.mark.anyio
async def test_only_the_newest_epoch_owns_a_subject(stage: Stage) -> None:
    async def wait_once(subject: str, epoch: int) -> None:
        if epoch == 1:
            await stage.suspend(subject)

    async def owner(epoch: int, kind: str = KIND) -> bool:
        return await stage.ledger.write(lambda tx: owns(tx, kind, "fenced", epoch))

    await stage.start("fenced", wait_once)
    await stage.comes_to("fenced", Standing.WAITING)
    assert await owner(1)
    await stage.wake("fenced")
    await stage.entered("fenced", 2)
    assert not await owner(1)
    assert await owner(2)
    assert not await owner(2, kind="run")


@pytest.mark.anyio
async def test_a_segment_that_was_overtaken_ends_quietly(stage: Stage) -> None:
    async def stale(_subject: str, _epoch: int) -> None:
        raise StaleWriterError

    await stage.start("stale", stale)
    await stage.entered("stale", 1)
    await workflow_has_ended(f"{KIND}:stale:1")
    assert stage.epochs["stale"] == [1]


@pytest.mark.anyio
async def test_progress_of_an_overtaken_segment_does_not_count(stage: Stage) -> None:
    await stage.start("late progress", nothing)
    before = await stage.comes_to("late progress", Standing.ENDED)
    await stage.ledger.write(lambda tx: progressed(tx, KIND, "late progress", before.epoch - 1))
    assert (await stage.standing("late progress")).tries == before.tries == 1


@pytest.mark.anyio
async def test_closing_a_ledger_that_was_not_launched_leaves_the_launched_one_alone(
    stage: Stage,
) -> None:
    async with ledger_at(stage.ledger.database.location):
        pass
    await stage.start("unharmed", nothing)
    await stage.entered("unharmed", 1)
