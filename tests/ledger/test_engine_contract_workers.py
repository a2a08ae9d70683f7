"""What one process among several does and does not do, on either database."""

import anyio
import pytest
from structlog.testing import capture_logs

from ledger.location import Location
from ledger.segments import Standing
from ledger.stores import workers
from ledger.stores.workers import WorkerState
from tests.ledger.acts import Endless, nothing
from tests.ledger.segments import (
    KIND,
    at_work,
    connected,
    launched,
    ledger_at,
    logged,
    worker_of,
    workflow_has_ended,
    workflow_is,
)


@pytest.mark.anyio
async def test_a_segment_of_a_kind_that_only_newer_code_knows_stays_owed(
    location: Location,
) -> None:
    async with ledger_at(location) as ledger, ledger_at(location) as newer:
        await launched(ledger)
        await connected(newer, "newer")
        with capture_logs() as logs:
            await newer.write(lambda tx: newer.engine.start(tx, "newer", "early"))
            await workflow_is("newer:early:1", "PENDING")
            await logged(logs, "a segment is left to newer code")
        assert logs[0]["event"] == "a segment is left to newer code"

    async with ledger_at(location) as ledger:
        stage = await launched(ledger, {"early": nothing}, kind="newer")
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
        front = await connected(door)
        await front.start("handed in", nothing)
        await front.start("asleep", nothing, delay_s=3600)
        assert await front.wake("asleep")
        me = await worker_of(door, door.worker)
        assert (me.role, me.state) == ("api", WorkerState.ALIVE)
        async with at_work(location, {"handed in": nothing, "asleep": nothing}) as back:
            await back.comes_to("handed in", Standing.ENDED)
            await back.comes_to("asleep", Standing.ENDED)
        assert front.epochs == {}


@pytest.mark.anyio
async def test_a_worker_that_was_buried_stops_working_and_says_so(location: Location) -> None:
    async with at_work(location) as stage:
        ledger = stage.ledger
        endless = Endless()
        await stage.begun("endless", endless)
        assert await ledger.engine.beat()
        me = await worker_of(ledger, ledger.worker)
        at = ledger.now()
        assert await ledger.write(lambda tx: workers.bury(tx, me.id, me.beat, at))
        await stage.start("queued behind it", nothing)
        with anyio.fail_after(5):
            await ledger.engine.lost.wait()
            assert not await ledger.engine.beat()
        assert endless.cut.is_set()
        assert list(stage.epochs) == ["endless"]
        assert not await ledger.engine.beat()

    async with at_work(location, {"endless": nothing, "queued behind it": nothing}) as again:
        await again.ledger.engine.take_over()
        for subject in again.acts:
            await again.comes_to(subject, Standing.ENDED)


@pytest.mark.anyio
async def test_a_segment_that_was_taken_over_elsewhere_is_told_at_the_next_beat(
    location: Location,
) -> None:
    async with at_work(location) as stage:
        endless = Endless()
        epoch = await stage.begun("elsewhere", endless)
        await stage.begun("here", endless)
        async with ledger_at(location) as other:
            await (await connected(other)).cancel("elsewhere")
        assert not await stage.owns("elsewhere", epoch)
        assert not endless.cut.is_set()
        assert await stage.ledger.engine.beat()
        with anyio.fail_after(5):
            await endless.cut.wait()
        await workflow_has_ended(f"{KIND}:elsewhere:1")
        assert (await stage.standing("here")).state is Standing.RUNNING
