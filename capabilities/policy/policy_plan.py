"""What a plan to publish a policy holds: everything an approval of it covers."""

from typing import Any

from pydantic import BaseModel

from capabilities.policy.kinds import PolicyKind
from ledger.database import Snapshot
from ledger.stores import plans
from ledger.stores.plans import Plan, PlanState

PLAN_TYPE = "policy"


class PolicyPlan(BaseModel, extra="forbid"):
    """The payload of a policy plan.

    Attributes:
        base_version: the published version that its consequences were compared with.
        from_version: the earlier version that it goes back to, where it does.
        version: the number that it gets; None where that was not noted, and it is not published.
        grants: what publishing it grants, and nothing else.
        lapsing: ids of the grants that end with the base version, and no others.
        principal: on whose behalf it was drafted; None where that was not noted.
    """

    kind: PolicyKind
    base_version: int
    from_version: int | None
    body: dict[str, Any]
    grants: list[dict[str, Any]]
    principal: str | None = None
    version: int | None = None
    lapsing: list[str] = []


def policy_plan(plan: Plan) -> PolicyPlan:
    """The payload of a stored policy plan."""
    return PolicyPlan.model_validate(plan.payload)


def drafted(conn: Snapshot, kind: str) -> Plan | None:
    """The plan that would publish the draft of a kind, where there is a draft."""
    open_ = plans.in_state(conn, PLAN_TYPE, PlanState.DRAFT)
    return next((plan for plan in reversed(open_) if plan.payload["kind"] == kind), None)
