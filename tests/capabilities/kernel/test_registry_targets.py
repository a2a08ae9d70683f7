"""Effects without an identity of their own: what is open on the same target is looked at first."""

from collections.abc import Awaitable, Callable

import anyio
import pytest

from capabilities.kernel import registry as kernel_registry
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import AnyOutcome, Pending, Succeeded, Unknown
from capabilities.kernel.reconcile import SETTLING_S
from capabilities.kernel.spec import Dedupe
from ledger.ledger import Ledger
from ledger.stores.claims import ClaimState
from tests.capabilities.kernel.lamps import (
    Given,
    House,
    Lamps,
    actor,
    call,
    house,
    lit_answer,
)
from tests.capabilities.watch import Watch
from tests.history import check_history

pytestmark = pytest.mark.anyio

WHOSE: dict[str, dict[str, object]] = {
    "another request": {"request": "two"},
    "another key of the client": {"request": "two", "client_key": "two"},
    "another client": {"request": "two", "actor": actor(id="tablet", principal="key:tablet")},
}
others = pytest.mark.parametrize("whose", WHOSE.values(), ids=WHOSE)
"""Who comes second. What is in the way is looked at before it is asked who may act."""


async def second(here: House, whose: dict[str, object]) -> AnyOutcome:
    return await here.registry.invoke(call("lamp.light", {"name": "hall"}, **whose))


def without_key(ledger: Ledger, **changed: object) -> House:
    """Lamps that have no name in the world, so that only the target tells two acts apart."""
    lamps = Lamps(natural=False)
    return house(ledger, lamps.spec(**changed), lamps=lamps)


async def ends_as(here: House, state: ClaimState) -> None:
    """Leave a claim that is pending, or unknown after the lamp was lit."""

    async def act(given: Given, _context: Context) -> AnyOutcome:
        here.lamps.lit.append(given.name)
        if state is ClaimState.PENDING:
            return Pending("lamp:1", "It warms up.", "look")
        return Unknown("It hung up.", "look")

    here.lamps.act = act
    await here.light(request="one")
    here.lamps.act = None
    assert (await here.claim()).state is state


def slow(here: House, go_on: anyio.Event) -> Callable[[Given, Context], Awaitable[AnyOutcome]]:
    async def act(given: Given, context: Context) -> AnyOutcome:
        await go_on.wait()
        return await here.lamps.really(given, context)

    return act


async def test_an_act_without_a_natural_key_is_booked_under_a_digest_of_its_target(
    ledger: Ledger,
) -> None:
    here = without_key(ledger)
    for name in ("hall", "hall", "kitchen"):
        await here.light(name)
    keys = [claim.natural_key for claim in await here.claims()]
    assert all(key is not None and key.startswith("target:") for key in keys)
    assert len(set(keys)) == 2
    assert all((claim.target or {})["natural_key"] is None for claim in await here.claims())


@others
async def test_what_is_unknown_on_the_target_is_looked_at_before_anybody_acts(
    ledger: Ledger, watch: Watch, whose: dict[str, object]
) -> None:
    here = without_key(ledger)
    await ends_as(here, ClaimState.UNKNOWN)
    assert isinstance(await second(here, whose), Unknown)
    assert (here.lamps.lit, here.lamps.probed) == (["hall"], 0)
    watch.advance(seconds=SETTLING_S)
    outcome = await second(here, whose)
    assert isinstance(outcome, Succeeded)
    assert outcome.replayed
    assert (here.lamps.lit, here.lamps.probed) == (["hall"], 1)


@others
async def test_what_is_pending_on_the_target_is_adopted_and_not_submitted_again(
    ledger: Ledger, whose: dict[str, object]
) -> None:
    here = without_key(ledger)
    await ends_as(here, ClaimState.PENDING)
    assert isinstance(await second(here, whose), Pending)
    assert here.lamps.lit == ["hall"]


async def test_what_runs_on_the_target_is_waited_for_and_answers_the_same_act(
    ledger: Ledger,
) -> None:
    here = without_key(ledger)
    go_on = anyio.Event()
    outcomes: list[AnyOutcome] = []

    async def ask(request: str) -> None:
        outcomes.append(await here.light(request=request))

    here.lamps.act = slow(here, go_on)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(ask, "one")
            await here.lamps.busy.wait()
            callers.start_soon(ask, "two")
            await anyio.wait_all_tasks_blocked()
            go_on.set()
    assert here.lamps.lit == ["hall"]
    assert sorted(isinstance(o, Succeeded) and o.replayed for o in outcomes) == [False, True]


DIFFERENT: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "another input on the same target": ({}, {"level": 9}),
    "a call that is an intent of its own": ({"dedupe": Dedupe.CALL}, {}),
}


@pytest.mark.parametrize(("spec", "changed"), DIFFERENT.values(), ids=DIFFERENT)
async def test_another_act_on_the_target_waits_its_turn_and_then_acts_itself(
    ledger: Ledger, spec: dict[str, object], changed: dict[str, object]
) -> None:
    here = without_key(ledger, **spec)
    go_on = anyio.Event()
    outcomes: list[AnyOutcome] = []

    async def ask(request: str, **parts: object) -> None:
        outcomes.append(await here.light(request=request, **parts))  # pyright: ignore[reportArgumentType]  # parts of a call

    async def then() -> None:
        await ask("two", **changed)

    here.lamps.act = slow(here, go_on)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(ask, "one")
            await here.lamps.busy.wait()
            callers.start_soon(then)
            await anyio.wait_all_tasks_blocked()
            assert here.lamps.entered == 1
            go_on.set()
    assert outcomes == [lit_answer("hall", 1), lit_answer("hall", 2)]
    assert await ledger.read(check_history) == []


async def test_what_runs_on_the_target_for_long_is_in_progress_for_the_others(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_registry, "PATIENCE_S", 0.05)
    here = without_key(ledger)
    go_on = anyio.Event()
    here.lamps.act = slow(here, go_on)

    async def ask() -> None:
        await here.light(request="one")

    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(ask)
            await here.lamps.busy.wait()
            waiting = await here.light(request="two", level=9)
            assert isinstance(waiting, Pending)
            assert waiting.handle == (await here.claim()).id
            go_on.set()
    assert here.lamps.lit == ["hall"]


async def test_another_capability_on_the_same_thing_is_not_answered_with_this_ones_answer(
    ledger: Ledger,
) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.spec(), lamps.spec(id="lamp.dim"), lamps=lamps)
    go_on = anyio.Event()
    outcomes: list[AnyOutcome] = []

    async def ask(capability: str) -> None:
        outcomes.append(await here.registry.invoke(call(capability, {"name": "hall"})))

    lamps.act = slow(here, go_on)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(ask, "lamp.light")
            await lamps.busy.wait()
            callers.start_soon(ask, "lamp.dim")
            await anyio.wait_all_tasks_blocked()
            assert lamps.entered == 1
            go_on.set()
    assert lamps.lit == ["hall", "hall"]
    assert {claim.capability for claim in await here.claims()} == {"lamp.light", "lamp.dim"}


async def test_of_thirty_two_callers_of_many_requests_at_once_one_at_a_time_acts(
    ledger: Ledger,
) -> None:
    here = without_key(ledger)
    inside = most = 0

    async def act(given: Given, context: Context) -> AnyOutcome:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await anyio.lowlevel.checkpoint()
        inside -= 1
        return await here.lamps.really(given, context)

    async def ask(n: int) -> None:
        await here.light(request=f"{n}", level=1 + n % 9)

    here.lamps.act = act
    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            for n in range(32):
                callers.start_soon(ask, n)
    assert most == 1
    assert await ledger.read(check_history) == []
