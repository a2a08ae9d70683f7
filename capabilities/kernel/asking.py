"""Asking the owner: an approval request and the decision that carries it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
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


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the owner: may ``actor`` do this under exactly ``pin``?

    Attributes:
        why: no authority was found because of this; shown on the card.
        lasts: how long the request stands.
    """

    spec: Spec
    actor: Actor
    pin: PlanPin
    why: str
    run: str | None
    call: str
    lasts: timedelta


@dataclass(frozen=True, slots=True)
class _Asked:
    approval: str
    decision: str
    card: dict[str, Any]


async def ask(ledger: Ledger, question: Question) -> Refused:
    """Record the request and answer ``needs_approval`` with what the owner will be shown."""
    at = ledger.now()
    asked = await ledger.write(lambda tx: _record(tx, question, at))
    pin = question.pin
    return Refused(
        Code.NEEDS_APPROVAL,
        f"This needs the owner's approval: {question.why}. Nothing was done.",
        {
            "approval": asked.approval,
            "decision": asked.decision,
            "plan": pin.id,
            "payload_hash": pin.payload_hash,
            "revision": pin.revision,
            "summary": asked.card,
            "how": "The owner approves with `matinee approve`; then repeat this same call.",
        },
    )


def _record(tx: Transaction, question: Question, at: datetime) -> _Asked:
    """The request, its decision and its audit row, together."""
    pin, actor = question.pin, str(question.actor)
    plan = plans.by_id(tx.conn, pin.id)
    card: dict[str, Any] = {} if plan is None else {**plan.card, "why": question.why}
    before = approvals.of_plan(tx.conn, pin.id, ApprovalState.REQUESTED)
    new = NewApproval(
        question.spec.id, pin, actor, question.run, question.call, card, at + question.lasts
    )
    approval = approvals.request(tx, new, at)
    for lapsed in before:
        if lapsed.id != approval:  # else the owner would be led to a request that is dead
            key = decision_key(lapsed.plan, lapsed.revision)
            decisions.close_for(tx, key, by="system:clock", resolution="lapsed", at=at)
    decision = decisions.raise_(tx, _decision(question, card, approval), at)
    audit.write(
        tx,
        audit.Entry(
            at,
            actor,
            "refused",
            question.spec.id,
            Code.NEEDS_APPROVAL,
            run=question.run,
            summary={"plan": pin.id, "approval": approval},
        ),
    )
    return _Asked(approval, decision, card)


def _decision(question: Question, card: dict[str, Any], approval: str) -> NewDecision:
    return NewDecision(
        DecisionKind.APPROVAL_REQUIRED,
        decision_key(question.pin.id, question.pin.revision),
        str(card.get("title", question.spec.title)),
        Severity.MEDIUM,
        evidence=card,
        options=[{"id": "approve", "title": "Approve once"}, {"id": "decline"}],
        approval=approval,
        run=question.run,
        subject=question.pin.id,
    )
