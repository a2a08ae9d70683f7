"""A plan's act is found by the plan's own key, and one that failed for good is not gone on with."""

from dataclasses import replace

import pytest

from capabilities.kernel.unsettled import retire_failed, unsettled_placing
from ledger.ledger import Ledger
from ledger.stores import claims, plans
from ledger.stores.claims import NOT_DONE, ClaimState, Settlement
from ledger.stores.plans import Plan, PlanState
from tests.ledger.rows import new_claim

pytestmark = pytest.mark.anyio

PARENT = "plan_parent"


async def acted(ledger: Ledger, end: Settlement | None) -> Plan:
    """A plan that follows from the acquisition, and its act; unsettled without an end."""
    at = ledger.now()
    plan = Plan(
        id="plan_child",
        type="organize",
        state=PlanState.FROZEN,
        revision=1,
        payload_hash="",
        payload={},
        card={},
        parent=PARENT,
        run=None,
        created_by="system:import",
        created_at=at,
    )
    await ledger.write(lambda tx: plans.add(tx, plan))
    await ledger.write(lambda tx: plans.add(tx, replace(plan, id="plan_other")))
    claim = await ledger.write(lambda tx: claims.claim(tx, new_claim(key="plan:plan_child:1"), at))
    if end is not None:
        await ledger.write(lambda tx: claims.settle(tx, claim.id, claim.token, end, at))
    return plan


async def test_an_act_that_is_under_way_is_found_and_one_that_ended_is_not(ledger: Ledger) -> None:
    await acted(ledger, None)
    found = await ledger.read(lambda conn: unsettled_placing(conn, PARENT))
    assert found is not None
    assert found.key == "plan:plan_child:1"
    done = Settlement(ClaimState.SUCCEEDED)
    await ledger.write(lambda tx: claims.settle(tx, found.id, found.token, done, ledger.now()))
    assert await ledger.read(lambda conn: unsettled_placing(conn, PARENT)) is None
    assert await ledger.read(lambda conn: unsettled_placing(conn, "plan_of_nobody")) is None


@pytest.mark.parametrize(
    ("end", "state"),
    [
        (Settlement(ClaimState.FAILED), PlanState.FAILED),
        (Settlement(ClaimState.FAILED, evidence={NOT_DONE: True}), PlanState.FROZEN),
        (Settlement(ClaimState.UNKNOWN), PlanState.FROZEN),
        (None, PlanState.FROZEN),
    ],
)
async def test_only_a_plan_that_failed_for_good_is_retired(
    ledger: Ledger, end: Settlement | None, state: PlanState
) -> None:
    plan = await acted(ledger, end)
    await ledger.write(lambda tx: retire_failed(tx, PARENT))
    now = await ledger.read(lambda conn: plans.by_id(conn, plan.id))
    assert now is not None
    assert now.state is state
