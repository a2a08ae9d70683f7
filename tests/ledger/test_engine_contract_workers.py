"""What one process among several does and does not do, on either database."""

import anyio
import pytest
from structlog.testing import capture_logs

from ledger.engine import Standing, owns
from ledger.location import Location
from ledger.pace import Pace
from ledger.stores import workers
from ledger.stores.workers import WorkerState
from tests.ledger.segments import (
    KIND,
    Stage,
    eventually,
    launched,
    ledger_at,
    nothing,
    workflow_has_ended,
    workflow_is,
)

PATIENT = Pace(first_pause_s=3600, longest_pause_s=7200)


@pytest.mark.anyio
async def test_a_segment_of_a_kind_that_only_newer_code_knows_stays_owed(
    location: Location,
) -> None:
    async with ledger_at(location) as ledger, ledger_at(location) as newer:
        await launched(ledger)
        newer.engine.handle("newer", "background", nothing)
        await newer.engine.connect()
        with capture_logs() as logs:
            await newer.write(lambda tx: newer.engine.start(tx, "newer", "early"))
            await workflow_is("newer:early:1", "PENDING")

            async def said() -> bool:
                return bool(logs)

            await eventually(said)
        assert logs[0]["event"] == "a segment is left to newer code"

    async with ledger_at(location) as ledger:
        stage = Stage(ledger, {"early": nothing})
        ledger.engine.handle("newer", "background", stage.handle)
        await ledger.engine.launch()
        await ledger.engine.take_over()
        await stage.comes_to("early", Standing.ENDED, "newer")


@pytest.mark.anyio
async def test_nothing_can_be_started_before_the_launch(location: Location) -> None:
    async with ledger_at(location) as ledger:
        ledger.engine.handle(KIND, "background", nothing)
        with pytest.raises(RuntimeError, match="not been launched"):
            await ledger.write(lambda tx: ledger.engine.start(tx, KIND, "early"))


@pytest.mark.anyio
async def test_a_process_that_only_connects_starts_and_wakes_and_works_on_nothing(
    location: Location,
) -> None:
    async with ledger_at(location) as door:
        front = Stage(door)
        door.engine.handle(KIND, "background", front.handle)
        await door.engine.connect()
        await front.start("handed in", nothing)
        await front.start("asleep", nothing, delay_s=3600)
        assert await front.wake("asleep")
        me = await door.read(lambda conn: workers.by_id(conn, door.worker))
        assert me is not None
        assert (me.role, me.state) == ("api", WorkerState.ALIVE)
        async with ledger_at(location) as ledger:
            back = Stage(ledger, {"handed in": nothing, "asleep": nothing})
            ledger.engine.handle(KIND, "background", back.handle)
            await ledger.engine.launch()
            await back.comes_to("handed in", Standing.ENDED)
            await back.comes_to("asleep", Standing.ENDED)
        assert front.epochs == {}


@pytest.mark.anyio
async def test_a_worker_that_was_buried_stops_working_and_says_so(location: Location) -> None:
    async with ledger_at(location) as ledger:
        stage = await launched(ledger)
        cut = anyio.Event()

        async def endless(_subject: str, _epoch: int) -> None:
            try:
                await anyio.sleep_forever()
            finally:
                cut.set()

        await stage.start("endless", endless)
        await stage.entered("endless", 1)
        assert await ledger.engine.beat()
        me = await ledger.read(lambda conn: workers.by_id(conn, ledger.worker))
        assert me is not None
        at = ledger.now()
        assert await ledger.write(lambda tx: workers.bury(tx, me.id, me.beat, at))
        await stage.start("queued behind it", nothing)
        with anyio.fail_after(5):
            await ledger.engine.lost.wait()
            assert not await ledger.engine.beat()
        assert cut.is_set()
        assert list(stage.epochs) == ["endless"]
        assert not await ledger.engine.beat()

    async with ledger_at(location) as ledger:
        again = await launched(ledger)
        again.acts |= {"endless": nothing, "queued behind it": nothing}
        await ledger.engine.take_over()
        for subject in again.acts:
            await again.comes_to(subject, Standing.ENDED)


@pytest.mark.anyio
async def test_a_segment_that_was_taken_over_elsewhere_is_told_at_the_next_beat(
    location: Location,
) -> None:
    async with ledger_at(location) as ledger:
        stage = await launched(ledger)
        cut = anyio.Event()

        async def endless(_subject: str, _epoch: int) -> None:
            try:
                await anyio.sleep_forever()
            finally:
                cut.set()

        await stage.start("elsewhere", endless)
        await stage.start("here", endless)
        (epoch,) = await stage.entered("elsewhere", 1)
        await stage.entered("here", 1)
        async with ledger_at(location) as other:
            other.engine.handle(KIND, "background", nothing)
            await other.engine.connect()
            await other.write(lambda tx: other.engine.cancel(tx, KIND, "elsewhere"))
        assert not await ledger.write(lambda tx: owns(tx, KIND, "elsewhere", epoch))
        assert not cut.is_set()
        assert await ledger.engine.beat()
        with anyio.fail_after(5):
            await cut.wait()
        await workflow_has_ended(f"{KIND}:elsewhere:1")
        assert (await stage.standing("here")).state is Standing.RUNNING
