"""What the engine promises of cancelling and of priority, on either database."""

import anyio
import pytest

from ledger.segments import Standing
from ledger.transact import SLOTS
from ledger.writer import Transaction
from tests.ledger.acts import Busy, Endless, nothing
from tests.ledger.segments import KIND, Stage, workflow_has_ended


@pytest.mark.anyio
async def test_a_running_segment_that_is_cancelled_owns_nothing_and_is_cut_off(
    stage: Stage,
) -> None:
    endless = Endless()
    epoch = await stage.begun("stopped", endless)
    assert await stage.cancel("stopped")
    with anyio.fail_after(5):
        await endless.cut.wait()
    assert not await stage.owns("stopped", epoch)
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
    busy = Busy()
    await stage.begun("spared", busy)
    assert await stage.rolled_back(lambda tx: stage.ledger.engine.cancel(tx, KIND, "spared"))
    busy.go_on()
    assert (await stage.comes_to("spared", Standing.ENDED)).epoch == 1


@pytest.mark.anyio
async def test_a_lower_priority_number_goes_first_when_slots_are_few(stage: Stage) -> None:
    busy = Busy()
    order: list[str] = []

    async def note(subject: str, _epoch: int) -> None:
        order.append(subject)

    for n in range(SLOTS["background"]):
        await stage.begun(f"busy {n}", busy)
    await stage.start("ordinary", note)
    await stage.start("patient one", note, priority=5)
    await stage.start("urgent", note, priority=-5)
    await stage.start("moved up", note, priority=9)
    await stage.prioritise("moved up", -9)
    busy.go_on()
    for name in ("ordinary", "patient one", "urgent", "moved up"):
        await stage.comes_to(name, Standing.ENDED)
    assert order == ["moved up", "urgent", "ordinary", "patient one"]
    assert (await stage.standing("moved up")).priority == -9


@pytest.mark.anyio
async def test_the_priority_of_what_waits_counts_from_its_next_wake(stage: Stage) -> None:
    before = await stage.asleep("dozing")
    await stage.prioritise("dozing", 3)
    assert (await stage.standing("dozing")).n == before.n
    await stage.wake("dozing")
    assert (await stage.comes_to("dozing", Standing.ENDED)).priority == 3
