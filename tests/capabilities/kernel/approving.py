"""Asking for approvals and deciding them, for tests."""

from collections.abc import Mapping
from typing import Any

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import AnyOutcome, Refused
from ledger.stores import approvals
from ledger.stores.approvals import ApprovalState
from ledger.stores.plans import Plan
from tests.capabilities.kernel.lamps import House, actor

PHONE = actor()
"""A client, which never has authority of its own."""


def needs(outcome: AnyOutcome) -> Mapping[str, Any]:
    """What a refusal says the call needs, which is an approval."""
    assert isinstance(outcome, Refused)
    assert outcome.code == Code.NEEDS_APPROVAL
    return outcome.needs


async def requested(here: House, plan: Plan, name: str = "hall") -> str:
    """A client calls without an approval, which is asked for; returns the request."""
    return str(needs(await here.light(name, plan=plan.id, actor=PHONE))["approval"])


async def approved(here: House, plan: Plan, name: str = "hall") -> str:
    """The same, and the owner says yes; returns the approval."""
    approval = await requested(here, plan, name)
    await decide(here, approval)
    return approval


async def decide(here: House, approval: str, *, approved: bool = True) -> None:
    """The owner's yes or no."""
    done = await here.ledger.write(
        lambda tx: approvals.decide(
            tx, approval, approved=approved, by="owner:ann", reason="so", at=here.ledger.now()
        )
    )
    assert done


async def state_of(here: House, approval: str) -> ApprovalState:
    """How an approval stands."""
    found = await here.ledger.read(lambda conn: approvals.by_id(conn, approval))
    assert found is not None
    return found.state
