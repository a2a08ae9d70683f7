"""What takes longer than a call may: answered as pending, and brought to its end."""

from dataclasses import dataclass, field

import anyio
import pytest
from structlog.testing import capture_logs

from capabilities.kernel import effects, looking
from capabilities.kernel import registry as kernel_registry
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import AnyOutcome, Pending, Succeeded, Unknown
from capabilities.kernel.probing import Finding, Verdict
from capabilities.kernel.targets import Target
from capabilities.kernel.workshop import ANSWER_WITHIN_S, Workshop
from ledger.ledger import Ledger
from ledger.stores.claims import ClaimState
from tests.capabilities.kernel.lamps import ANN, Given, House, Lamps, house, ledger_file, lit_answer
from tests.ledger.neighbours import WRITE_LOCK, held_by_another_process

pytestmark = pytest.mark.anyio

LONG_S = 3600


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls are answered at once where they would take long."""
    monkeypatch.setattr(effects, "ANSWER_WITHIN_S", 0.05)
    monkeypatch.setattr(looking, "ANSWER_WITHIN_S", 0.05)
    monkeypatch.setattr(kernel_registry, "PATIENCE_S", 0.05)


@dataclass
class Slow:
    """Lamps that warm up until they are let go."""

    here: House
    go_on: anyio.Event = field(default_factory=anyio.Event)

    async def act(self, given: Given, context: Context) -> AnyOutcome:
        await self.go_on.wait()
        return await self.here.lamps.really(given, context)

    async def take_over(self, _target: Target, context: Context) -> AnyOutcome:
        await self.go_on.wait()
        self.here.lamps.stage("hall", context)
        return lit_answer("hall", 1)

    async def settled(self) -> ClaimState:
        async with self.here.ledger.feed.listening() as bell:
            while (state := (await self.here.claim()).state) is ClaimState.RUNNING:
                await bell.receive()
        return state


def slow(ledger: Ledger) -> Slow:
    lamps = Lamps()
    made = Slow(house(ledger, lamps.spec(timeout=LONG_S), lamps=lamps))
    lamps.act = made.act
    return made


async def test_a_long_act_is_pending_with_its_claim_as_handle_and_then_done(
    ledger: Ledger,
) -> None:
    work = slow(ledger)
    with anyio.fail_after(5):
        async with work.here.registry.working():
            outcome = await work.here.light(request="one")
            assert isinstance(outcome, Pending)
            assert outcome.handle == (await work.here.claim()).id
            again = await work.here.light(request="one")
            assert isinstance(again, Pending)
            assert again.handle == outcome.handle
            work.go_on.set()
            assert await work.settled() is ClaimState.SUCCEEDED
            done = await work.here.light(request="one")
    assert isinstance(done, Succeeded)
    assert done.replayed
    assert (work.here.lamps.lit, await work.here.told()) == (["hall"], ["lit"])


async def test_an_act_that_is_quick_after_all_is_answered_as_it_ended(ledger: Ledger) -> None:
    work = slow(ledger)
    work.go_on.set()
    async with work.here.registry.working():
        assert await work.here.light() == lit_answer("hall", 1)


async def test_without_a_workshop_the_caller_waits(ledger: Ledger) -> None:
    work = slow(ledger)
    work.go_on.set()
    assert await work.here.light() == lit_answer("hall", 1)


async def test_a_caller_that_leaves_does_not_end_it(ledger: Ledger) -> None:
    work = slow(ledger)

    async def ask() -> None:
        await work.here.light()

    with anyio.fail_after(5):
        async with work.here.registry.working():
            async with anyio.create_task_group() as callers:
                callers.start_soon(ask)
                await work.here.lamps.busy.wait()
                callers.cancel_scope.cancel()
            assert (await work.here.claim()).state is ClaimState.RUNNING
            work.go_on.set()
            assert await work.settled() is ClaimState.SUCCEEDED


async def test_what_is_under_way_when_the_house_closes_is_unknown(ledger: Ledger) -> None:
    work = slow(ledger)
    with anyio.fail_after(5):
        async with work.here.registry.working():
            assert isinstance(await work.here.light(request="one"), Pending)
    assert (await work.here.claim()).state is ClaimState.UNKNOWN
    assert work.here.lamps.lit == []


async def test_an_exception_of_the_block_leaves_it_as_it_was_raised() -> None:
    with pytest.raises(LookupError):
        async with Workshop().opened():
            raise LookupError


async def left_unknown(work: Slow) -> None:
    async def lose(given: Given, _context: Context) -> AnyOutcome:
        work.here.lamps.lit.append(given.name)
        return Unknown("It hung up.", "look")

    work.here.lamps.act = lose
    await work.here.light(request="one")
    work.here.lamps.act = work.act
    work.here.lamps.take_over = work.take_over


async def test_what_is_carried_on_for_long_is_in_progress_for_everybody(ledger: Ledger) -> None:
    work = slow(ledger)
    await left_unknown(work)
    with anyio.fail_after(5):
        async with work.here.registry.working():
            for request in ("one", "two"):
                assert isinstance(await work.here.light(request=request), Pending)
            claim = await work.here.claim()
            assert (claim.state, claim.worker) == (ClaimState.RUNNING, ledger.worker)
            assert isinstance(await work.here.registry.check(claim.id, ANN), Pending)
            work.go_on.set()
            assert await work.settled() is ClaimState.SUCCEEDED
    assert (work.here.lamps.adopted, work.here.lamps.lit) == (1, ["hall"])


async def test_what_was_carried_on_when_the_house_closed_is_carried_on_by_the_next(
    ledger: Ledger,
) -> None:
    work = slow(ledger)
    await left_unknown(work)
    async with work.here.registry.working():
        assert isinstance(await work.here.light(request="one"), Pending)
    claim = await work.here.claim()
    assert (claim.state, claim.evidence) == (ClaimState.UNKNOWN, None)
    work.go_on.set()
    assert isinstance(await work.here.registry.reconcile(claim), Succeeded)


async def test_two_processes_do_not_carry_on_the_same_act(ledger: Ledger) -> None:
    work = slow(ledger)
    await left_unknown(work)
    elsewhere = house(ledger, work.here.lamps.spec(timeout=LONG_S), lamps=work.here.lamps)
    both = anyio.Event()

    async def look(_target: Target) -> Finding:
        if work.here.lamps.probed == 2:
            both.set()
        await both.wait()
        return Finding(Verdict.PARTLY)

    work.here.lamps.look = look
    work.go_on.set()
    claim = await work.here.claim()
    with anyio.fail_after(5):
        async with anyio.create_task_group() as lookers:
            lookers.start_soon(work.here.registry.reconcile, claim)
            lookers.start_soon(elsewhere.registry.reconcile, claim)
    assert (work.here.lamps.probed, work.here.lamps.adopted) == (2, 1)
    assert (await work.here.claim()).state is ClaimState.SUCCEEDED


async def test_an_end_that_cannot_be_written_down_is_looked_for_afterwards(
    ledger: Ledger,
) -> None:
    work = slow(ledger)
    await left_unknown(work)
    claim = await work.here.claim()
    with capture_logs(), anyio.fail_after(5):
        async with work.here.registry.working():
            assert isinstance(await work.here.registry.reconcile(claim), Pending)
            with held_by_another_process(ledger_file(ledger), *WRITE_LOCK):
                work.go_on.set()
                await anyio.wait_all_tasks_blocked()
    await work.here.registry.give_up_unsettled()
    assert (await work.here.claim()).state in {ClaimState.UNKNOWN, ClaimState.SUCCEEDED}
    assert isinstance(await work.here.registry.check(claim.id, ANN), Succeeded)
    assert work.here.lamps.lit == ["hall"]


def test_no_call_takes_as_long_as_clients_wait() -> None:
    assert ANSWER_WITHIN_S <= 45
