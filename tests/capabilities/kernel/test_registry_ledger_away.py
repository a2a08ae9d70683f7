"""No claim, no effect; and what a call answers while its ledger is full, locked or gone."""

from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from functools import partial

import anyio
import pytest
from structlog.testing import capture_logs

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.effects import STRAY_S
from capabilities.kernel.outcomes import AnyOutcome, Failed, Pending, Succeeded, Unknown
from capabilities.kernel.targets import Target
from ledger.ledger import Ledger
from ledger.stores.claims import ClaimState
from ledger.writer import Transaction
from tests.capabilities.kernel.lamps import (
    Given,
    House,
    Lamps,
    call,
    house,
    ledger_file,
    lit_answer,
    row,
)
from tests.capabilities.watch import Watch
from tests.ledger.claimed import a_claim
from tests.ledger.neighbours import WRITE_LOCK, held_by_another_process


def pages(most: int | None) -> Callable[[Transaction], None]:
    """Let the file grow to so many pages, or not at all from now on."""

    def limit(tx: Transaction) -> None:
        used = tx.conn.exec_driver_sql("PRAGMA page_count").scalar_one()
        tx.conn.exec_driver_sql(f"PRAGMA max_page_count={most or used}").close()

    return limit


async def fill(ledger: Ledger) -> None:
    """Leave no room for another row."""

    def stuff(tx: Transaction) -> None:
        tx.conn.exec_driver_sql("CREATE TABLE stuff (held BLOB)").close()
        tx.conn.exec_driver_sql("INSERT INTO stuff VALUES (zeroblob(3000))").close()

    await ledger.write(stuff)
    await ledger.write(pages(None))


async def room_again(ledger: Ledger) -> None:
    """The disk has room again."""
    await ledger.write(pages(1_000_000))


async def rounds_go_by(here: House, watch: Watch) -> None:
    """Three times what runs for too long is looked for."""
    for _ in range(3):
        watch.ticks += STRAY_S
        await here.registry.give_up_unsettled()


@pytest.mark.anyio
async def test_with_a_full_ledger_the_handler_is_never_entered(ledger: Ledger) -> None:
    here = house(ledger)
    await fill(ledger)
    names = [f"lamp {n}" for n in range(40)]
    outcomes = [await here.light(name) for name in names]
    full = [outcome for outcome in outcomes if isinstance(outcome, Failed)]
    assert full
    assert all((each.code, each.retry) == (Code.UNAVAILABLE, True) for each in full)
    assert "full" in full[0].sentence
    assert here.lamps.entered == len(await here.claims()) < len(names)
    await room_again(ledger)
    assert isinstance(await here.light("one more"), Succeeded)


@pytest.mark.anyio
async def test_with_a_locked_ledger_the_handler_is_never_entered_and_reads_go_on(
    ledger: Ledger,
) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.spec(), lamps.reading(), lamps=lamps)
    same = call("lamp.light", {"name": "hall"})
    with held_by_another_process(ledger_file(ledger), *WRITE_LOCK):
        with anyio.fail_after(5):
            locked = await here.registry.invoke(same)
        assert isinstance(locked, Failed)
        assert (locked.code, locked.retry) == (Code.UNAVAILABLE, True)
        assert lamps.entered == 0
        assert isinstance(
            await here.registry.invoke(call("lamp.count", {"name": "hall"})), Succeeded
        )
    assert await here.claims() == []
    assert isinstance(await here.registry.invoke(same), Succeeded)


@pytest.mark.anyio
async def test_with_a_ledger_that_cannot_be_read_nothing_is_done(ledger: Ledger) -> None:
    here = house(ledger)
    ledger.database.close()
    outcome = await here.light()
    assert isinstance(outcome, Failed)
    assert outcome.code == Code.UNAVAILABLE
    assert here.lamps.entered == 0


@pytest.mark.anyio
async def test_an_effect_whose_end_cannot_be_written_is_unknown_and_is_never_done_twice(
    ledger: Ledger,
) -> None:
    here = house(ledger)

    async def act(given: Given, context: Context) -> AnyOutcome:
        done = await here.lamps.really(given, context)
        stack.enter_context(held_by_another_process(ledger_file(ledger), *WRITE_LOCK))
        return done

    here.lamps.act = act
    with ExitStack() as stack, capture_logs():
        outcome = await here.light(request="the same")
    assert isinstance(outcome, Unknown)
    here.lamps.act = None
    await here.registry.give_up_unsettled()
    assert (await here.claim()).state == ClaimState.UNKNOWN
    again = await here.light(request="the same")
    assert isinstance(again, Succeeded)
    assert again.replayed
    assert here.lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_until_it_is_given_up_it_counts_as_in_progress(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("capabilities.kernel.registry.PATIENCE_S", 0.05)
    here = house(ledger)

    async def act(given: Given, context: Context) -> AnyOutcome:
        done = await here.lamps.really(given, context)
        context.stage(lambda tx: tx.conn.exec_driver_sql("no statement").close())
        return done

    here.lamps.act = act
    with capture_logs():
        assert isinstance(await here.light(request="the same"), Unknown)
    assert isinstance(await here.light(request="the same"), Pending)
    assert here.lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_a_look_that_cannot_be_written_down_settles_nothing(ledger: Ledger) -> None:
    here = house(ledger)

    async def lose(given: Given, context: Context) -> AnyOutcome:
        await here.lamps.really(given, context)
        return Unknown("It hung up.", "look")

    here.lamps.act = lose
    await here.light(request="the same")
    with held_by_another_process(ledger_file(ledger), *WRITE_LOCK):
        outcome = await here.light(request="the same")
    assert isinstance(outcome, Failed)
    assert outcome.code == Code.UNAVAILABLE
    assert (await here.claim()).state == ClaimState.UNKNOWN
    assert isinstance(await here.light(request="the same"), Succeeded)
    assert here.lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_a_claim_whose_commit_was_not_answered_is_given_up_once_nobody_works_at_it(
    ledger: Ledger, watch: Watch
) -> None:
    """A connection that breaks in the commit leaves open whether the row stands."""
    here = house(ledger)
    stray = await ledger.write(partial(a_claim, worker=ledger.worker, at=ledger.now()))
    watch.at += timedelta(hours=1)  # the wall clock says nothing
    for seconds in (0, 0, STRAY_S - 1):
        watch.ticks += seconds
        await here.registry.give_up_unsettled()
        assert (await ledger.read(partial(row, id_=stray.id))).state is ClaimState.RUNNING
    watch.ticks += 1
    await here.registry.give_up_unsettled()
    assert (await ledger.read(partial(row, id_=stray.id))).state is ClaimState.UNKNOWN


@pytest.mark.anyio
async def test_what_a_look_carries_on_is_never_given_up_and_carried_on_by_one(
    ledger: Ledger, watch: Watch
) -> None:
    here = house(ledger)
    begun, goes_on = anyio.Event(), anyio.Event()

    async def lose(given: Given, context: Context) -> AnyOutcome:
        await here.lamps.really(given, context)
        context.staged.clear()
        return Unknown("It hung up.", "look")

    async def slow(_target: Target, _context: Context) -> AnyOutcome:
        begun.set()
        await goes_on.wait()
        return lit_answer("hall", 1)

    here.lamps.act, here.lamps.take_over = lose, slow
    await here.light()
    claim = await here.claim()
    with anyio.fail_after(5):
        async with anyio.create_task_group() as looks:
            looks.start_soon(here.registry.reconcile, claim)
            await begun.wait()
            await rounds_go_by(here, watch)
            assert (await here.claim()).state is ClaimState.RUNNING
            goes_on.set()
    assert (await here.claim()).state is ClaimState.SUCCEEDED
    assert here.lamps.adopted == 1


@pytest.mark.anyio
async def test_an_act_that_is_under_way_is_never_given_up(ledger: Ledger, watch: Watch) -> None:
    here = house(ledger)
    goes_on = anyio.Event()

    async def slow(given: Given, context: Context) -> AnyOutcome:
        await goes_on.wait()
        return await here.lamps.really(given, context)

    here.lamps.act = slow
    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(here.light)
            await here.lamps.busy.wait()
            await rounds_go_by(here, watch)
            assert (await here.claim()).state is ClaimState.RUNNING
            goes_on.set()
    assert (await here.claim()).state is ClaimState.SUCCEEDED
