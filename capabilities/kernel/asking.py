"""Asking the owner: an approval request and the decision that carries it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from capabilities.kernel.actors import Actor
from capabilities.kernel.authority import Missing, declined
from capabilities.kernel.call_plan import CallPlan
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Refused
from capabilities.kernel.spec import Spec
from ledger.ledger import Ledger
from ledger.stores import approvals, audit, decisions, plans
from ledger.stores.approvals import ApprovalState, NewApproval, PlanPin
from ledger.stores.decisions import DecisionKind, NewDecision, Severity
from ledger.writer import Transaction

APPROVAL_TIMEOUT = timedelta(days=1)

Console = Callable[[], str | None]
"""Where people reach the console now, without a final slash; None where there is none."""


def decision_key(plan: str, revision: int) -> str:
    """The root cause of an approval decision: one exact plan."""
    return f"approval:{plan}:{revision}"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the owner: may ``actor`` do this under exactly ``pin``?

    Attributes:
        missing: why no authority was found; shown on the card.
        call_plan: the plan to be stored first, where the act has none of its own.
        lasts: how long the request stands.
    """

    spec: Spec
    actor: Actor
    pin: PlanPin
    missing: Missing
    run: str | None
    call: str
    lasts: timedelta
    call_plan: CallPlan | None = None


@dataclass(frozen=True, slots=True)
class _Asked:
    approval: str
    decision: str
    card: dict[str, Any]


async def ask(ledger: Ledger, question: Question, console: Console) -> Refused:
    """Record the request and answer what is needed, with what the owner will be shown.

    A budget that is used up is answered as such; the request stands all the same, since the owner
    may allow by hand what no grant holds.
    """
    at = ledger.now()
    asked = await ledger.write(lambda tx: _record(tx, question, at))
    if isinstance(asked, Refused):
        return asked
    pin, missing = question.pin, question.missing
    needs: dict[str, object] = {
        **missing.needs,
        "approval": asked.approval,
        "decision": asked.decision,
        "plan": pin.id,
        "payload_hash": pin.payload_hash,
        "revision": pin.revision,
        "summary": asked.card,
        "how": "The owner approves with `matinee approve`; then repeat this same call.",
    }
    if (address := console()) is not None:
        needs["address"] = f"{address}/decisions/{asked.decision}"
    return Refused(missing.code, _sentence(missing), needs)


def _sentence(missing: Missing) -> str:
    if missing.code is Code.BUDGET_EXCEEDED:
        return f"Over budget: {missing.why}. Nothing was done; the owner may approve it by hand."
    return f"This needs the owner's approval: {missing.why}. Nothing was done."


def _record(tx: Transaction, question: Question, at: datetime) -> _Asked | Refused:
    """The request, its decision and its audit row, together; none where a no came in between."""
    pin, actor = question.pin, str(question.actor)
    if (no := declined(tx.conn, question.spec, pin, at)) is not None:
        _note(tx, question, no.code, {"plan": pin.id}, at)
        return no
    if question.call_plan is not None:
        question.call_plan.keep(tx, question.actor, question.run, at)
    plan = plans.by_id(tx.conn, pin.id)
    why = question.missing.why
    card: dict[str, Any] = {} if plan is None else {**plan.card, "why": why}
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
    _note(tx, question, question.missing.code, {"plan": pin.id, "approval": approval}, at)
    return _Asked(approval, decision, card)


def _note(
    tx: Transaction, question: Question, code: Code, summary: dict[str, object], at: datetime
) -> None:
    actor, what = str(question.actor), question.spec.id
    audit.write(
        tx, audit.Entry(at, actor, "refused", what, code, run=question.run, summary=summary)
    )


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
