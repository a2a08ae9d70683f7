"""How segments survive the end of their process, orderly or not, on either database."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from sqlite3 import Connection, connect

import anyio
import pytest
from structlog.testing import capture_logs

from ledger.location import Location, SqliteFile
from ledger.pace import Pace
from ledger.segments import Standing
from ledger.stores import decisions
from ledger.stores.workers import WorkerState
from ledger.writer import Transaction
from tests.ledger.acts import Busy, nothing
from tests.ledger.processes import killed
from tests.ledger.segments import (
    KIND,
    Stage,
    about_to_close,
    at_work,
    launched,
    ledger_at,
    logged,
    worker_of,
    workflow_has_ended,
    workflow_is,
)

pytestmark = pytest.mark.proof

PATIENT = Pace(first_pause_s=3600, longest_pause_s=7200)


@dataclass(frozen=True, slots=True)
class Lock:
    """A segment at whose end another connection holds the lock of the ledger's file."""

    other: Connection

    async def __call__(self, _subject: str, _epoch: int) -> None:
        self.other.execute("BEGIN IMMEDIATE")

    def let_go(self) -> None:
        self.other.execute("ROLLBACK")


@asynccontextmanager
async def locked_out(sqlite: SqliteFile) -> AsyncGenerator[tuple[Stage, Lock]]:
    """A subject of this name waits for the ledger to say that it has ended."""
    with closing(connect(sqlite.path, isolation_level=None)) as other:
        lock = Lock(other)
        async with at_work(sqlite, pace=Pace(away_s=0.05)) as stage:
            with capture_logs() as logs:
                await stage.start("locked out", lock)
                await logged(logs, "a segment waits for the ledger")
                yield stage, lock


@pytest.mark.anyio
async def test_after_a_kill_what_was_owed_is_taken_up_once_and_what_was_over_is_not(
    location: Location,
) -> None:
    await killed(location, "hang")
    async with at_work(location) as stage:
        left = await stage.standing("victim")
        assert (left.state, left.epoch, left.tries) == (Standing.RUNNING, 1, 1)
        tries: list[int] = []

        async def go_on(subject: str, _epoch: int) -> None:
            tries.append((await stage.standing(subject)).tries)

        stage.acts |= {"victim": go_on, "over": go_on}
        taken_up = [f"{KIND}:over:1", f"{KIND}:victim:1"]
        taken = await stage.ledger.engine.recover()
        assert sorted(taken.workflows) == taken_up
        assert len(taken.workers) == 1
        assert await stage.entered("victim", 1) == [2]
        await stage.comes_to("victim", Standing.ENDED)
        for id_ in taken_up:
            await workflow_has_ended(id_)
        assert (stage.epochs, tries) == ({"victim": [2]}, [2])
        again = await stage.ledger.engine.recover()
        assert (again.workers, again.workflows) == ((), ())


@pytest.mark.anyio
async def test_what_is_cut_short_again_and_again_is_given_up_and_its_row_is_told(
    location: Location,
) -> None:
    told: list[tuple[str, str]] = []

    def given_up(_tx: Transaction, subject: str, sentence: str) -> None:
        told.append((subject, sentence))

    await killed(location, "hang")
    async with ledger_at(location, pace=Pace(most_recoveries=0)) as ledger:
        stage = await launched(ledger, given_up=given_up)
        await ledger.engine.recover()
        found = await stage.comes_to("victim", Standing.ENDED)
        asked = await ledger.read(lambda conn: decisions.open_for(conn, f"segment:{KIND}:victim"))
        assert asked is not None
        assert asked.title == "A task was cut short 1 times in a row and is stopped"
        assert found.last_error == "The process that worked on it ended each time."
        assert told == [("victim", f"{asked.title}. {found.last_error}")]
        assert stage.epochs == {}


@pytest.mark.anyio
async def test_closing_waits_for_a_segment_that_is_about_to_end(location: Location) -> None:
    async with at_work(location) as stage:
        busy = Busy()
        await stage.begun("short", busy)
        async with about_to_close(stage.ledger):
            busy.go_on()
        assert (await stage.standing("short")).state is Standing.ENDED


@pytest.mark.anyio
async def test_what_does_not_end_in_time_is_cut_off_and_goes_on_at_the_next_launch(
    location: Location,
) -> None:
    ends: list[str] = []

    async with at_work(location) as stage:
        ledger = stage.ledger
        first = ledger.worker

        async def endless(_subject: str, _epoch: int) -> None:
            try:
                await anyio.sleep_forever()
            finally:
                with anyio.CancelScope(shield=True):
                    await ledger.write(lambda _: None)
                    ends.append("written down")

        await stage.begun("endless", endless)
        await ledger.engine.close(0)
        assert ends == ["written down"]
        assert (await stage.standing("endless")).tries == 0
        assert (await worker_of(ledger, first)).state is WorkerState.ENDED

        again = await launched(ledger, {"endless": nothing})
        assert ledger.worker != first
        taken = await ledger.engine.take_over()
        assert taken.workflows == (f"{KIND}:endless:1",)
        assert await again.entered("endless", 1) == [2]
        await again.comes_to("endless", Standing.ENDED)


@pytest.mark.anyio
async def test_what_a_segment_shields_is_let_to_its_end_when_it_is_cut_off(
    location: Location,
) -> None:
    told, ends = anyio.Event(), list[str]()

    async def listening() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            told.set()

    async with at_work(location) as stage:

        async def shielding(_subject: str, _epoch: int) -> None:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(listening)
                with anyio.CancelScope(shield=True):
                    await told.wait()
                    ends.append("let to its end")
                await anyio.sleep_forever()

        await stage.begun("shielding", shielding)
        with anyio.fail_after(5):
            await stage.ledger.engine.close(0)
        assert ends == ["let to its end"]
        assert (await stage.standing("shielding")).state is Standing.RUNNING


@pytest.mark.anyio
async def test_what_is_dequeued_while_it_closes_is_not_begun_and_not_lost(
    location: Location,
) -> None:
    async with at_work(location) as stage:
        busy = Busy()
        await stage.begun("slow", busy)
        async with about_to_close(stage.ledger):
            await stage.start("late", nothing)
            await workflow_is(f"{KIND}:late:1", "PENDING")
            busy.go_on()
        assert stage.epochs == {"slow": [1]}

    async with at_work(location, {"late": nothing}) as again:
        await again.ledger.engine.recover()
        assert await again.entered("late", 1) == [1]
        await again.comes_to("late", Standing.ENDED)


@pytest.mark.anyio
async def test_between_two_tries_it_holds_no_slot_and_a_wake_is_no_progress(
    location: Location,
) -> None:
    seen: list[int] = []

    async with at_work(location, pace=PATIENT) as stage:

        async def fail_once(subject: str, epoch: int) -> None:
            seen.append((await stage.standing(subject)).failures)
            if epoch == 1:
                raise LookupError("http://user:secret@somewhere")

        with capture_logs():
            await stage.start("pausing", fail_once)
            found = await stage.comes_to("pausing", Standing.WAITING)
        assert (found.failures, found.tries) == (1, 0)
        assert found.last_error == "It failed with LookupError; the log has the details."
        assert await stage.wake("pausing")
        ended = await stage.comes_to("pausing", Standing.ENDED)
        assert (ended.failures, ended.last_error, seen) == (0, None, [0, 1])


@pytest.mark.anyio
async def test_a_segment_whose_end_cannot_be_written_yet_waits_for_the_ledger(
    sqlite: SqliteFile,
) -> None:
    async with locked_out(sqlite) as (stage, lock):
        assert (await stage.standing("locked out")).state is Standing.RUNNING
        lock.let_go()
        await stage.comes_to("locked out", Standing.ENDED)
        assert stage.epochs == {"locked out": [1]}


@pytest.mark.anyio
async def test_a_segment_that_waits_for_the_ledger_at_closing_stays_owed(
    sqlite: SqliteFile,
) -> None:
    async with locked_out(sqlite) as (stage, lock):
        await stage.ledger.engine.close(2)
        assert (await stage.standing("locked out")).state is Standing.RUNNING
        lock.let_go()
    async with at_work(sqlite, {"locked out": nothing}) as again:
        await again.ledger.engine.recover()
        assert await again.entered("locked out", 1) == [2]
