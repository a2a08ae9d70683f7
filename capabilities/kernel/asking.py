"""Asking the owner: an approval request and the decision that carries it."""

from datetime import timedelta
from typing import Any

from capabilities.kernel.actors import Actor
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Refused
from capabilities.kernel.spec import Spec
from ledger.ledger import Ledger
from ledger.stores import approvals, audit, decisions, plans
from ledger.stores.approvals import ApprovalState, NewApproval, PlanPin
from ledger.stores.decisions import DecisionKind, NewDecision, Severity
from ledger.writer import Transaction

APPROVAL_TIMEOUT = timedelta(days=1)


def decision_key(plan: str, revision: int) -> str:
    """The root cause of an approval decision: one exact plan."""
    return f"approval:{plan}:{revision}"


async def ask(
    ledger: Ledger,
    spec: Spec,
    actor: Actor,
    pin: PlanPin,
    why: str,
    *,
    run: str | None,
    call: str,
    lasts: timedelta,
) -> Refused:
    """Record the request and answer ``needs_approval`` with what the owner will be shown."""
    at = ledger.now()

    def record(tx: Transaction) -> tuple[str, str, dict[str, Any]]:
        plan = plans.by_id(tx.conn, pin.id)
        card: dict[str, Any] = {} if plan is None else {**plan.card, "why": why}
        before = approvals.of_plan(tx.conn, pin.id, ApprovalState.REQUESTED)
        approval = approvals.request(
            tx,
            NewApproval(spec.id, pin, str(actor), run, call, card, at + lasts),
            at,
        )
        for lapsed in before:
            if lapsed.id != approval:  # else the owner would be led to a request that is dead
                key = decision_key(lapsed.plan, lapsed.revision)
                decisions.close_for(tx, key, by="system:clock", resolution="lapsed", at=at)
        decision = decisions.raise_(
            tx,
            NewDecision(
                DecisionKind.APPROVAL_REQUIRED,
                decision_key(pin.id, pin.revision),
                str(card.get("title", spec.title)),
                Severity.MEDIUM,
                evidence=card,
                options=[{"id": "approve", "title": "Approve once"}, {"id": "decline"}],
                approval=approval,
                run=run,
                subject=pin.id,
            ),
            at,
        )
        audit.write(
            tx,
            audit.Entry(
                at,
                str(actor),
                "refused",
                spec.id,
                Code.NEEDS_APPROVAL,
                run=run,
                summary={"plan": pin.id, "approval": approval},
            ),
        )
        return approval, decision, card

    approval, decision, card = await ledger.write(record)
    return Refused(
        Code.NEEDS_APPROVAL,
        f"This needs the owner's approval: {why}. Nothing was done.",
        {
            "approval": approval,
            "decision": decision,
            "plan": pin.id,
            "payload_hash": pin.payload_hash,
            "revision": pin.revision,
            "summary": card,
            "how": "The owner approves in the console or with `matinee approve`; then repeat "
            "this same call.",
        },
    )
