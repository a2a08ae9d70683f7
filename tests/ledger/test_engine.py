from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from sqlalchemy.exc import IntegrityError
from structlog.testing import capture_logs

from ledger.clock import Clock
from ledger.database import Database
from ledger.engine import MOST_RECOVERIES, SLOTS, Engine, Standing, owns, progressed
from ledger.faults import StaleWriterError
from ledger.ledger import Ledger, database_file, opened
from ledger.stores import decisions
from ledger.writer import Transaction
from tests.ledger.homes import furnish
from tests.ledger.moments import START
from tests.ledger.segments import KIND, Stage, workflow_has_ended


@asynccontextmanager
async def launched(home: Path) -> AsyncGenerator[Stage]:
    database = Database(database_file(home))
    clock = Clock(now=lambda: START)
    ledger = Ledger(database, Engine(database, clock, pause_s=0.01), clock=clock)
    stage = Stage(ledger)
    ledger.engine.handle(KIND, "background", stage.handle)
    await ledger.engine.launch()
    try:
        yield stage
    finally:
        with anyio.CancelScope(shield=True):
            await ledger.engine.close(0)
            database.close()


@pytest.fixture(scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Stage]:
    home = tmp_path_factory.mktemp("home")
    furnish(home)
    async with launched(home) as made:
        yield made


async def nothing(_subject: str, _epoch: int) -> None:
    """A segment with nothing to do."""


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
async def test_a_segment_that_fails_is_tried_again_under_a_new_epoch(stage: Stage) -> None:
    async def fail_twice(_subject: str, epoch: int) -> None:
        if epoch <= 2:
            raise LookupError

    with capture_logs() as logs:
        await stage.start("clumsy", fail_twice)
        assert await stage.entered("clumsy", 3) == [1, 2, 3]
        assert (await stage.comes_to("clumsy", Standing.ENDED)).n == 1
    assert [line["event"] for line in logs] == ["a segment failed"] * 2


@pytest.mark.anyio
async def test_what_fails_again_and_again_is_given_up_and_the_owner_is_told(
    stage: Stage,
) -> None:
    async def fail(_subject: str, epoch: int) -> None:
        if epoch <= MOST_RECOVERIES + 1:
            raise LookupError

    with capture_logs():
        await stage.start("hopeless", fail)
        await stage.comes_to("hopeless", Standing.ENDED)
    assert len(stage.epochs["hopeless"]) == MOST_RECOVERIES + 1
    told = await stage.ledger.read(
        lambda conn: decisions.open_for(conn, f"segment:{KIND}:hopeless")
    )
    assert told is not None
    assert (told.subject, told.created_at) == ("hopeless", START)
    assert await stage.nudge("hopeless")
    await stage.entered("hopeless", MOST_RECOVERIES + 2)
    assert (await stage.comes_to("hopeless", Standing.ENDED)).tries == 1


@pytest.mark.anyio
async def test_what_gets_somewhere_between_failures_is_not_given_up(stage: Stage) -> None:
    last = 2 * MOST_RECOVERIES + 1

    async def fail_with_progress(subject: str, epoch: int) -> None:
        if epoch == MOST_RECOVERIES:
            await stage.ledger.write(lambda tx: progressed(tx, KIND, subject, epoch))
        if epoch < last:
            raise LookupError

    with capture_logs():
        await stage.start("slow", fail_with_progress)
        await stage.comes_to("slow", Standing.ENDED)
    assert stage.epochs["slow"] == list(range(1, last + 1))


@pytest.mark.anyio
async def test_progress_of_an_overtaken_segment_does_not_count(stage: Stage) -> None:
    await stage.start("late progress", nothing)
    before = await stage.comes_to("late progress", Standing.ENDED)
    await stage.ledger.write(lambda tx: progressed(tx, KIND, "late progress", before.epoch - 1))
    assert (await stage.standing("late progress")).tries == before.tries == 1


@pytest.mark.anyio
async def test_nothing_can_be_started_before_the_launch(home: Path) -> None:
    async with opened(home) as ledger:
        with pytest.raises(RuntimeError, match="not been launched"):
            await ledger.write(lambda tx: ledger.engine.start(tx, KIND, "early"))


@pytest.mark.anyio
async def test_closing_a_ledger_that_was_not_launched_leaves_the_launched_one_alone(
    stage: Stage, home: Path
) -> None:
    async with opened(home):
        pass
    await stage.start("unharmed", nothing)
    await stage.entered("unharmed", 1)
