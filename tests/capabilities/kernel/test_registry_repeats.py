"""Same key, same answer; and one act, however many ask for it at once."""

import anyio
import pytest

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import AnyOutcome, Failed, Pending, Recorded, Refused, Succeeded
from capabilities.kernel.spec import Dedupe
from ledger.ledger import Ledger
from ledger.stores.claims import ClaimState
from tests.capabilities.kernel.lamps import Given, House, Lamps, actor, call, house, lit_answer
from tests.capabilities.kernel.playing import answers

REPLAYED = Succeeded(
    Recorded.model_validate({"name": "hall", "times": 1}), "hall is lit.", replayed=True
)


def conflict(outcome: AnyOutcome) -> bool:
    return isinstance(outcome, Refused) and outcome.code == Code.CONFLICT


async def many(here: House, number: int, **changed: object) -> list[AnyOutcome]:
    """So many calls at once; the n-th has the changes for which ``{}`` stands for n."""
    outcomes: list[AnyOutcome] = []

    async def ask(n: int) -> None:
        fitted = {name: str(value).format(n) for name, value in changed.items()}
        outcomes.append(await here.light(**fitted))  # pyright: ignore[reportArgumentType]  # texts all

    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            for n in range(number):
                callers.start_soon(ask, n)
    return outcomes


@pytest.mark.anyio
async def test_a_repeat_within_one_request_is_answered_from_the_record(ledger: Ledger) -> None:
    here = house(ledger)
    await here.light(request="one")
    assert await here.light(request="one") == REPLAYED
    assert (here.lamps.lit, await here.told(), here.lamps.checked) == (["hall"], ["lit"], 1)


@pytest.mark.anyio
async def test_a_new_request_may_repeat_what_is_finished(ledger: Ledger) -> None:
    here = house(ledger)
    await here.light(request="one")
    assert await here.light(request="two") == lit_answer("hall", 2)
    assert len(await here.claims()) == 2


@pytest.mark.anyio
async def test_another_input_in_the_same_request_is_another_act(ledger: Ledger) -> None:
    here = house(ledger)
    await here.light(request="one")
    await here.light(request="one", level=7)
    assert here.lamps.lit == ["hall", "hall"]


@pytest.mark.anyio
async def test_a_new_version_of_the_input_is_another_act(ledger: Ledger) -> None:
    lamps = Lamps()
    await house(ledger, lamps.spec(), lamps=lamps).light(request="one")
    await house(ledger, lamps.spec(version=2), lamps=lamps).light(request="one")
    assert lamps.lit == ["hall", "hall"]


@pytest.mark.anyio
async def test_a_plan_is_good_for_one_act_whatever_request_or_key_it_comes_with(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    plan = await here.plan()
    await here.light(plan=plan.id)
    assert await here.light(plan=plan.id) == REPLAYED
    assert await here.light(plan=plan.id, client_key="mine", level=7) == REPLAYED
    assert here.lamps.lit == ["hall"]
    assert (await here.claim()).key == f"plan:{plan.id}:1"


@pytest.mark.anyio
async def test_a_clients_key_makes_calls_of_different_requests_the_same(ledger: Ledger) -> None:
    here = house(ledger)
    await here.light(client_key="mine")
    assert await here.light(client_key="mine") == REPLAYED
    assert here.lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_a_clients_key_is_its_principals_own(ledger: Ledger) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.ours(), lamps=lamps)
    for id_ in ("phone", "tablet"):
        await here.registry.invoke(
            call(
                "lamp.plan",
                {"name": "hall"},
                actor=actor(id=id_, principal=f"key:{id_}"),
                client_key="mine",
            )
        )
    assert lamps.lit == ["hall", "hall"]


@pytest.mark.anyio
async def test_a_clients_key_that_comes_with_another_input_is_a_conflict(ledger: Ledger) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.spec(), lamps.ours(), lamps=lamps)
    await here.light(client_key="mine")
    assert conflict(await here.light("kitchen", client_key="mine"))
    assert conflict(await here.light(client_key="mine", level=7))
    other = call("lamp.plan", {"name": "hall"}, client_key="mine")
    assert conflict(await here.registry.invoke(other))
    assert lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_a_call_id_that_comes_with_another_call_is_a_conflict(ledger: Ledger) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.spec(), lamps.ours(), lamps=lamps)
    await here.light(call_id="one")
    assert conflict(await here.light("kitchen", call_id="one"))
    other = call("lamp.plan", {"name": "hall"}, call_id="one")
    assert conflict(await here.registry.invoke(other))
    assert lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_of_calls_with_one_key_and_other_inputs_at_once_one_acts(ledger: Ledger) -> None:
    here = house(ledger)
    outcomes = await many(here, 32, name="lamp {}", client_key="mine")
    assert sum(map(conflict, outcomes)) == 31
    assert sum(isinstance(outcome, Succeeded) for outcome in outcomes) == 1
    assert (len(here.lamps.lit), len(await here.claims())) == (1, 1)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "same", [{"client_key": "mine"}, {"request": "one"}, {"call_id": "one", "request": "one"}]
)
async def test_of_thirty_two_that_call_with_one_key_at_once_one_acts_and_all_hear_of_it(
    ledger: Ledger, same: dict[str, str]
) -> None:
    here = house(ledger)

    async def slow(given: Given, context: Context) -> AnyOutcome:
        await anyio.wait_all_tasks_blocked()
        return await here.lamps.really(given, context)

    here.lamps.act = slow
    outcomes = await many(here, 32, **same)
    assert (here.lamps.entered, here.lamps.lit) == (1, ["hall"])
    assert outcomes.count(REPLAYED) == 31
    assert outcomes.count(lit_answer("hall", 1)) == 1
    assert (await here.claim()).attempt == 1


@pytest.mark.anyio
async def test_one_plan_is_carried_out_once_for_thirty_two_that_ask_at_once(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    plan = await here.plan()
    outcomes = await many(here, 32, plan=plan.id)
    assert here.lamps.lit == ["hall"]
    assert all(isinstance(outcome, Succeeded) for outcome in outcomes)


@pytest.mark.anyio
async def test_one_that_runs_too_long_is_pending_for_the_others(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("capabilities.kernel.registry.PATIENCE_S", 0.05)
    here = house(ledger)
    go_on = anyio.Event()

    async def slow(given: Given, context: Context) -> AnyOutcome:
        await go_on.wait()
        return await here.lamps.really(given, context)

    async def ask() -> None:
        assert await here.light(request="one") == lit_answer("hall", 1)

    here.lamps.act = slow
    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(ask)
            await here.lamps.busy.wait()
            waiting = await here.light(request="one")
            assert isinstance(waiting, Pending)
            assert waiting.handle == (await here.claim()).id
            go_on.set()
    assert await here.light(request="one") == REPLAYED


@pytest.mark.anyio
async def test_while_one_runs_nobody_else_acts_on_the_same_thing(ledger: Ledger) -> None:
    here = house(ledger)
    go_on = anyio.Event()
    outcomes: list[AnyOutcome] = []

    async def slow(given: Given, context: Context) -> AnyOutcome:
        await go_on.wait()
        return await here.lamps.really(given, context)

    async def ask(level: int) -> None:
        outcomes.append(await here.light(level=level))

    here.lamps.act = slow
    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(ask, 1)
            await here.lamps.busy.wait()
            for level in range(2, 6):
                callers.start_soon(ask, level)
            await anyio.wait_all_tasks_blocked()
            go_on.set()
    assert (here.lamps.entered, here.lamps.lit) == (1, ["hall"])
    assert outcomes.count(REPLAYED) == 4


@pytest.mark.anyio
async def test_how_one_plan_failed_says_nothing_about_another_for_the_same_thing(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    first, second = await here.plan(id_="plan_1"), await here.plan(id_="plan_2")
    go_on = anyio.Event()
    outcomes: list[AnyOutcome] = []

    async def fail_first(given: Given, context: Context) -> AnyOutcome:
        if given.plan == first.id:
            await go_on.wait()
            return Failed(Code.PRECONDITION, "The fuse is out.")
        return await here.lamps.really(given, context)

    async def ask(plan: str) -> None:
        outcomes.append(await here.light(plan=plan))

    here.lamps.act = fail_first
    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(ask, first.id)
            await here.lamps.busy.wait()
            callers.start_soon(ask, second.id)
            await anyio.wait_all_tasks_blocked()
            go_on.set()
    assert [type(outcome) for outcome in outcomes] == [Failed, Succeeded]
    assert here.lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_accepted_work_is_not_submitted_again_by_any_request(ledger: Ledger) -> None:
    here = house(ledger)

    async def accept(given: Given, context: Context) -> AnyOutcome:
        await here.lamps.really(given, context)
        return Pending("lamp:1", "It is warming up.", "look")

    here.lamps.act = accept
    first = await here.light(request="one")
    assert first == Pending("lamp:1", "It is warming up.", "look")
    for request in ("one", "two"):
        again = await here.light(request=request)
        assert isinstance(again, Pending)
        assert again.sentence == "It is warming up."
    assert (here.lamps.entered, here.lamps.probed) == (1, 0)
    claim = await here.claim()
    assert (claim.state, claim.settled_at) == (ClaimState.PENDING, None)


@pytest.mark.anyio
async def test_where_equal_arguments_are_not_the_same_intent_each_call_acts(
    ledger: Ledger,
) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.spec(dedupe=Dedupe.CALL), lamps=lamps)
    await here.light(request="one", call_id="a")
    await here.light(request="one", call_id="b")
    assert lamps.lit == ["hall", "hall"]
    assert isinstance(await here.light(request="one", call_id="b"), Succeeded)
    assert lamps.lit == ["hall", "hall"]


@pytest.mark.anyio
async def test_there_too_a_clients_key_makes_its_repeat_the_same_call(ledger: Ledger) -> None:
    lamps = Lamps()
    here = house(ledger, lamps.spec(dedupe=Dedupe.CALL), lamps=lamps)
    await here.light(client_key="mine")
    assert await here.light(client_key="mine") == REPLAYED
    assert conflict(await here.light("kitchen", client_key="mine"))
    assert lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_a_failure_is_answered_again_within_its_request_and_tried_in_another(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    here.lamps.act = answers(Failed(Code.PRECONDITION, "The fuse is out.", "Change it."))
    first = await here.light(request="one")
    assert first == Failed(Code.PRECONDITION, "The fuse is out.", "Change it.")
    here.lamps.act = None
    again = await here.light(request="one")
    assert isinstance(again, Failed)
    assert (again.code, again.sentence, again.retry) == (
        Code.PRECONDITION,
        "The fuse is out.",
        False,
    )
    assert here.lamps.lit == []
    assert await here.light(request="two") == lit_answer("hall", 1)


@pytest.mark.anyio
async def test_a_failure_that_may_be_retried_frees_the_key_of_its_plan(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    here.lamps.act = answers(Failed(Code.UNAVAILABLE, "Nobody answers.", retry=True))
    await here.light(plan=plan.id)
    failed = await here.claim()
    here.lamps.act = None
    assert await here.light(plan=plan.id) == lit_answer("hall", 1)
    claim = await here.claim()
    assert (claim.id, claim.attempt) == (failed.id, 2)
    assert claim.token != failed.token


@pytest.mark.anyio
async def test_a_retry_that_many_make_at_once_acts_once(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()

    async def fail_first(given: Given, context: Context) -> AnyOutcome:
        if here.lamps.entered == 1:
            return Failed(Code.UNAVAILABLE, "Nobody answers.", retry=True)
        return await here.lamps.really(given, context)

    here.lamps.act = fail_first
    outcomes = await many(here, 16, plan=plan.id)
    assert here.lamps.lit == ["hall"]
    assert (await here.claim()).attempt == 2
    assert sum(isinstance(outcome, Failed) for outcome in outcomes) == 1


@pytest.mark.anyio
async def test_a_process_that_shares_the_ledger_sees_what_another_has_claimed(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    elsewhere = house(ledger, lamps=here.lamps)
    outcomes: list[AnyOutcome] = []

    async def ask(where: House) -> None:
        outcomes.append(await where.light(request="one"))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            for where in (here, elsewhere) * 8:
                callers.start_soon(ask, where)
    assert here.lamps.lit == ["hall"]
    assert {outcome.sentence for outcome in outcomes} == {REPLAYED.sentence}
