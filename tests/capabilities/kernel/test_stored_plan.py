from typing import Any

import pytest
import svcs

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Refused
from capabilities.kernel.stored_plan import PlanKind
from ledger.ledger import Ledger
from ledger.stores import plans
from ledger.stores.plans import Plan, PlanState
from tests.capabilities.kernel.lamps import ANN
from tests.ledger.rows import new_plan

LIGHTING = PlanKind(
    "lighting",
    "lighting plan",
    "plan",
    maker="lamp__plan",
    fresh=PlanState.FROZEN,
    used_up="it is not lit again",
    undone="Nothing was lit.",
)


def here(ledger: Ledger) -> Context:
    return Context(ANN, ledger, svcs.Container(svcs.Registry()), "one", "a")


async def stored(ledger: Ledger, id_: str, **changed: Any) -> Plan:
    given = {"type": "lighting", "state": PlanState.FROZEN, **changed}
    new = new_plan(id_, {"name": "hall"}, ledger.now(), **given)
    await ledger.write(lambda tx: plans.add(tx, new))
    return new


@pytest.mark.anyio
async def test_a_plan_is_found_by_its_reference_and_by_its_id(ledger: Ledger) -> None:
    context = here(ledger)
    plan = await stored(ledger, "plan_hall")
    (reference,) = await context.refer("plan", plan.id)
    assert (await LIGHTING.find(context, reference)).payload == {"name": "hall"}
    assert (await LIGHTING.find(context, plan.id)).pin == plan.pin


@pytest.mark.anyio
@pytest.mark.parametrize("given", ["plan_other", "plan_none", "x" * 5000], ids=len)
async def test_a_plan_of_another_kind_is_none_of_this_kind(ledger: Ledger, given: str) -> None:
    await stored(ledger, "plan_other", type="acquisition")
    with pytest.raises(HaltError) as error:
        await LIGHTING.find(here(ledger), given)
    told = error.value.outcome
    assert isinstance(told, Failed)
    assert told.code is Code.NOT_FOUND
    assert told.sentence == f"There is no lighting plan {given[:60]!r}."
    assert told.hint == "Make one with lamp__plan."


@pytest.mark.anyio
async def test_a_plan_with_another_hash_than_was_seen_is_refused_with_its_own(
    ledger: Ledger,
) -> None:
    plan = await stored(ledger, "plan_hall")
    LIGHTING.refuse_changed(plan, None)
    LIGHTING.refuse_changed(plan, plan.payload_hash)
    with pytest.raises(HaltError) as error:
        LIGHTING.refuse_changed(plan, "0" * 64)
    assert error.value.outcome == Refused(
        Code.CONFLICT,
        "The plan is not the one you mean: its hash differs. Nothing was lit.",
        {"payload_hash": plan.payload_hash, "revision": 1},
    )


@pytest.mark.anyio
@pytest.mark.parametrize(
    "state", [state for state in PlanState if state is not PlanState.FROZEN], ids=str
)
async def test_a_plan_that_was_used_is_refused_with_what_helps(
    ledger: Ledger, state: PlanState
) -> None:
    LIGHTING.refuse_used(await stored(ledger, "plan_fresh"))
    used = await stored(ledger, "plan_used", state=state)
    with pytest.raises(HaltError) as error:
        LIGHTING.refuse_used(used)
    assert error.value.outcome == Refused(
        Code.PRECONDITION,
        f"This plan is {state}; it is not lit again.",
        {"do": "Make a new plan with lamp__plan."},
    )
