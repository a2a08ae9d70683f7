"""What an adoption plan holds: which library, and the fingerprint of all that would be taken in.

The files themselves are seen anew when it is carried out; a hundred thousand do not go into a plan.
"""

from pydantic import BaseModel

from ledger.stores.plans import Plan

PLAN_TYPE = "adoption"


class AdoptionPlan(BaseModel, extra="forbid"):
    """The payload; its hash is what an approval binds to."""

    folder: str
    fingerprint: str
    files: int
    works: int
    unclear: int


def adoption_plan(plan: Plan) -> AdoptionPlan:
    """The payload of a stored plan."""
    return AdoptionPlan.model_validate(plan.payload)
