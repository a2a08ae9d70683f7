"""What the engine promises of cancelling and of priority, on either database."""

from collections.abc import AsyncGenerator

import anyio
import pytest

from ledger.clock import Clock
from ledger.engine import SLOTS, Standing, owns
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
async def test_a_running_segment_that_is_cancelled_owns_nothing_and_is_cut_off(
    stage: Stage,
) -> None:
    ended = anyio.Event()

    async def endless(_subject: str, _epoch: int) -> None:
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()

    await stage.start("stopped", endless)
    (epoch,) = await stage.entered("stopped", 1)
    assert await stage.cancel("stopped")
    with anyio.fail_after(5):
        await ended.wait()
    assert not await stage.ledger.write(lambda tx: owns(tx, KIND, "stopped", epoch))
    await workflow_has_ended(f"{KIND}:stopped:1")
    assert (await stage.standing("stopped")).state is Standing.ENDED
    assert not await stage.cancel("stopped")
    stage.acts["stopped"] = nothing
    assert await stage.nudge("stopped")
    assert await stage.entered("stopped", 2) == [1, 3]


@pytest.mark.anyio
async def test_what_is_cancelled_before_it_begins_never_begins(stage: Stage) -> None:
    def start_and_cancel(tx: Transaction) -> None:
        stage.ledger.engine.start(tx, KIND, "nipped")
        assert stage.ledger.engine.cancel(tx, KIND, "nipped")

    stage.acts["nipped"] = nothing
    await stage.ledger.write(start_and_cancel)
    await workflow_has_ended(f"{KIND}:nipped:1")
    await stage.start("nipped timer", nothing, delay_s=0.2)
    assert await stage.cancel("nipped timer")
    await workflow_has_ended(f"{KIND}:nipped timer:1")
    assert not {"nipped", "nipped timer"} & set(stage.epochs)
    assert not await stage.wake("nipped")
    assert not await stage.cancel("nobody")


@pytest.mark.anyio
async def test_a_cancellation_that_rolls_back_cancels_nothing(stage: Stage) -> None:
    go_on = anyio.Event()

    async def busy(_subject: str, _epoch: int) -> None:
        await go_on.wait()

    def cancel_and_fail(tx: Transaction) -> None:
        assert stage.ledger.engine.cancel(tx, KIND, "spared")
        raise LookupError

    await stage.start("spared", busy)
    await stage.entered("spared", 1)
    with pytest.raises(LookupError):
        await stage.ledger.write(cancel_and_fail)
    go_on.set()
    assert (await stage.comes_to("spared", Standing.ENDED)).epoch == 1


@pytest.mark.anyio
async def test_a_lower_priority_number_goes_first_when_slots_are_few(stage: Stage) -> None:
    go_on = anyio.Event()
    order: list[str] = []

    async def busy(_subject: str, _epoch: int) -> None:
        await go_on.wait()

    async def note(subject: str, _epoch: int) -> None:
        order.append(subject)

    for n in range(SLOTS["background"]):
        await stage.start(f"busy {n}", busy)
        await stage.entered(f"busy {n}", 1)
    await stage.start("ordinary", note)
    await stage.start("patient one", note, priority=5)
    await stage.start("urgent", note, priority=-5)
    await stage.start("moved up", note, priority=9)
    engine = stage.ledger.engine
    await stage.ledger.write(lambda tx: engine.prioritise(tx, KIND, "moved up", -9))
    go_on.set()
    for name in ("ordinary", "patient one", "urgent", "moved up"):
        await stage.comes_to(name, Standing.ENDED)
    assert order == ["moved up", "urgent", "ordinary", "patient one"]
    assert (await stage.standing("moved up")).priority == -9


@pytest.mark.anyio
async def test_the_priority_of_what_waits_counts_from_its_next_wake(stage: Stage) -> None:
    async def wait_once(subject: str, epoch: int) -> None:
        if epoch == 1:
            await stage.suspend(subject)

    engine = stage.ledger.engine
    await stage.start("dozing", wait_once)
    before = await stage.comes_to("dozing", Standing.WAITING)
    await stage.ledger.write(lambda tx: engine.prioritise(tx, KIND, "dozing", 3))
    assert (await stage.standing("dozing")).n == before.n
    await stage.wake("dozing")
    assert (await stage.comes_to("dozing", Standing.ENDED)).priority == 3
