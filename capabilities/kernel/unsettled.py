"""How the acts ended that placed files under the plans that follow from an acquisition."""

from collections.abc import Iterator

from ledger.database import Snapshot
from ledger.stores import claims, plans
from ledger.stores.claims import UNSETTLED, Claim, ClaimState
from ledger.stores.plans import Plan, PlanState
from ledger.writer import Transaction


def unsettled_placing(conn: Snapshot, acquisition: str) -> Claim | None:
    """The act that is running, unknown or pending, if there is one."""
    return next((claim for _, claim in _acts(conn, acquisition) if claim.state in UNSETTLED), None)


def retire_failed(tx: Transaction, acquisition: str) -> None:
    """Let a plan that failed for good not be gone on with: its answer would stay the same."""
    for plan, claim in _acts(tx.conn, acquisition):
        over = claim.state is ClaimState.FAILED and not claim.free_again
        if plan.state is PlanState.FROZEN and over:
            plans.move(tx, plan.id, PlanState.FAILED)


def _acts(conn: Snapshot, acquisition: str) -> Iterator[tuple[Plan, Claim]]:
    """Every plan with its act, which is booked under the plan's own key."""
    for plan in plans.children(conn, acquisition):
        claim = claims.by_key(conn, f"plan:{plan.id}:{plan.revision}")
        if claim is not None:
            yield plan, claim
