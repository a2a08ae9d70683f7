"""What the engine does with handlers that fail: back-off, and an honest end."""

from collections.abc import AsyncGenerator
from dataclasses import replace

import anyio
import pytest
from structlog.testing import capture_logs

from ledger.faults import LedgerUnavailableError
from ledger.segments import Standing, progressed
from ledger.stores import decisions, tasks
from ledger.stores.decisions import Decision, DecisionState
from ledger.stores.tasks import TaskState
from ledger.writer import Transaction
from tests.ledger.acts import failing, nothing
from tests.ledger.moments import START
from tests.ledger.opening import AT_ONCE, DATABASES, timeless
from tests.ledger.segments import KIND, Stage, logged

pytestmark = pytest.mark.proof

MOST = AT_ONCE.most_failures
RECURRING = "round"
ROUND_S = 0.2


@pytest.fixture(scope="module", params=DATABASES)
async def stage(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Stage]:
    def given_up(tx: Transaction, subject: str, sentence: str) -> None:
        tasks.change(tx, subject, state=TaskState.DEAD, last_error=sentence)

    async with timeless(request, tmp_path_factory) as ledger:
        made = Stage(ledger)
        ledger.engine.handle(RECURRING, "background", made.handle, every_s=ROUND_S)
        ledger.engine.handle(KIND, "background", made.handle, given_up=given_up)
        await ledger.engine.launch()
        yield made


async def told(stage: Stage, subject: str, kind: str = KIND) -> Decision | None:
    """The open decision about a subject."""
    return await stage.ledger.read(
        lambda conn: decisions.open_for(conn, f"segment:{kind}:{subject}")
    )


async def schedule(stage: Stage, subject: str, delay_s: float = 0) -> bool:
    """Make a subject a recurring one."""
    engine = stage.ledger.engine
    return await stage.ledger.write(
        lambda tx: engine.schedule(tx, RECURRING, subject, delay_s=delay_s)
    )


async def unschedule(stage: Stage, subject: str) -> bool:
    """End a recurring subject for good."""
    engine = stage.ledger.engine
    return await stage.ledger.write(lambda tx: engine.cancel(tx, RECURRING, subject))


@pytest.mark.anyio
async def test_a_segment_that_fails_is_tried_again_under_a_new_epoch(stage: Stage) -> None:
    with capture_logs() as logs:
        await stage.start("clumsy", failing(2))
        assert await stage.entered("clumsy", 3) == [1, 2, 3]
        found = await stage.comes_to("clumsy", Standing.ENDED)
    assert (found.failures, found.last_error) == (0, None)
    assert [line["event"] for line in logs] == ["a segment failed"] * 2


@pytest.mark.anyio
async def test_what_fails_again_and_again_is_given_up_and_the_owner_is_told_once(
    stage: Stage,
) -> None:
    row = await stage.ledger.write(lambda tx: tasks.add(tx, "import", "dl_1", START))
    assert row is not None
    with capture_logs():
        found = await stage.over(row, failing(MOST))
    assert stage.epochs[row] == list(range(1, MOST + 1))
    assert (found.failures, found.last_error) == (
        MOST,
        "It failed with LookupError; the log has the details.",
    )
    asked = await told(stage, row)
    assert asked is not None
    assert (asked.subject, asked.created_at) == (row, START)
    assert asked.title == f"A task failed {MOST} times in a row and is stopped"
    dead = await stage.ledger.read(lambda conn: tasks.by_id(conn, row))
    assert dead is not None
    assert (dead.state, dead.last_error) == (TaskState.DEAD, f"{asked.title}. {found.last_error}")
    assert await stage.nudge(row)
    await stage.entered(row, MOST + 1)
    assert (await stage.comes_to(row, Standing.ENDED)).failures == 0
    assert await told(stage, row) is None


@pytest.mark.anyio
async def test_what_gets_somewhere_between_failures_is_not_given_up(stage: Stage) -> None:
    last = 2 * MOST - 2

    async def fail_with_progress(subject: str, epoch: int) -> None:
        if epoch == MOST - 1:
            await stage.ledger.write(lambda tx: progressed(tx, KIND, subject, epoch))
        if epoch < last:
            raise LookupError

    with capture_logs():
        await stage.over("slow", fail_with_progress)
    assert stage.epochs["slow"] == list(range(1, last + 1))
    assert await told(stage, "slow") is None


@pytest.mark.anyio
async def test_a_ledger_that_was_away_is_no_failure_of_the_handler(stage: Stage) -> None:
    with capture_logs():
        await stage.over("unlucky", failing(MOST + 2, LedgerUnavailableError("the disk is full")))
    assert len(stage.epochs["unlucky"]) == MOST + 3
    assert await told(stage, "unlucky") is None


@pytest.mark.anyio
async def test_a_failure_behind_its_own_suspension_changes_nothing(stage: Stage) -> None:
    async def suspend_and_fail(subject: str, _epoch: int) -> None:
        await stage.suspend(subject)
        raise LookupError

    with capture_logs() as logs:
        await stage.start("afterwards", suspend_and_fail)
        found = await stage.comes_to("afterwards", Standing.WAITING)
        await logged(logs, "a segment failed")
    assert await stage.standing("afterwards") == found
    assert (found.n, found.failures) == (2, 0)


@pytest.mark.anyio
async def test_a_recurring_subject_goes_on_round_after_round_until_cancelled(
    stage: Stage,
) -> None:
    stage.acts["rounds"] = nothing
    assert await schedule(stage, "rounds")
    assert await stage.entered("rounds", 3) == [1, 2, 3]
    assert not await schedule(stage, "rounds")
    assert await unschedule(stage, "rounds")
    assert not await schedule(stage, "rounds")
    assert (await stage.standing("rounds", RECURRING)).state is Standing.ENDED


@pytest.mark.anyio
async def test_a_recurring_subject_may_begin_later_and_choose_its_own_pause(
    stage: Stage,
) -> None:
    engine = stage.ledger.engine

    async def suspend(subject: str, _epoch: int) -> None:
        await stage.ledger.write(lambda tx: engine.suspend(tx, RECURRING, subject, timeout_s=3600))

    stage.acts["own pace"] = suspend
    assert await schedule(stage, "own pace", 3600)
    assert "own pace" not in stage.epochs
    assert await stage.ledger.write(lambda tx: engine.wake(tx, RECURRING, "own pace"))
    await stage.entered("own pace", 1)
    found = await stage.comes_to("own pace", Standing.WAITING, RECURRING)
    assert found.n == 3


@pytest.mark.anyio
async def test_a_recurring_subject_is_never_given_up_and_the_question_closes_itself(
    stage: Stage,
) -> None:
    go_well = anyio.Event()

    async def fail_for_long(_subject: str, epoch: int) -> None:
        if epoch <= MOST:
            raise LookupError
        await go_well.wait()

    stage.acts["stubborn"] = fail_for_long
    with capture_logs():
        await schedule(stage, "stubborn")
        await stage.entered("stubborn", MOST + 1)
    asked = await told(stage, "stubborn", RECURRING)
    assert asked is not None
    assert asked.title == f"A recurring {RECURRING} failed {MOST} times in a row"
    go_well.set()
    await stage.entered("stubborn", MOST + 2)
    assert await told(stage, "stubborn", RECURRING) is None
    rows, _ = await stage.ledger.read(
        lambda conn: decisions.listing(conn, states=(DecisionState.RESOLVED,))
    )
    assert "it worked again" in {row.resolution for row in rows}
    await unschedule(stage, "stubborn")


@pytest.mark.anyio
async def test_pauses_double_from_the_first_to_the_longest() -> None:
    pace = replace(AT_ONCE, first_pause_s=2, longest_pause_s=9)
    assert [pace.pause_s(failures) for failures in (1, 2, 3, 4)] == [2, 4, 8, 9]
