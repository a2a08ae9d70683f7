"""The owner's yes or no to one exact plan. It performs nothing: a call acts under it later."""

from dataclasses import dataclass
from datetime import datetime

from pydantic import BaseModel

from capabilities.kernel import switches
from capabilities.kernel.actors import Actor
from capabilities.kernel.asking import decision_key
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Outcome, Refused, Succeeded
from ledger.ledger import Ledger
from ledger.stores import approvals, audit, decisions, events, plans
from ledger.stores.approvals import OPEN, Approval, ApprovalState
from ledger.stores.claims import Claim
from ledger.stores.plans import PlanState
from ledger.writer import Transaction

CLOCK = "system:clock"


class Resolved(BaseModel):
    """How an approval stands now."""

    approval: str
    state: ApprovalState
    plan: str
    run: str | None


async def decide(
    ledger: Ledger,
    approval_id: str,
    *,
    approved: bool,
    by: Actor,
    payload_hash: str,
    revision: int,
    reason: str | None = None,
) -> Outcome[Resolved]:
    """Record the owner's decision about the plan with this hash and revision.

    The decision, the closing of its entry among the owner's decisions, the audit row, the events
    and the waking of every run that waits become durable together. The first decision counts; a
    second one is a conflict that says what was decided. What has run out lapses instead.
    """
    if not by.decides:
        return Refused(Code.DENIED, "Only the signed-in owner decides.", {"who": "owner"})
    words = (reason or "").strip()
    if not approved and not words:
        return Refused(
            Code.INVALID_INPUT, "Declining needs a reason; the run is told it.", {"reason": "text"}
        )

    ruling = _Ruling(approved, str(by), (payload_hash, revision), words)
    return await ledger.write(lambda tx: _rule(tx, ledger, approval_id, ruling))


@dataclass(frozen=True, slots=True)
class _Ruling:
    approved: bool
    by: str
    bound: tuple[str, int]
    reason: str


def _rule(tx: Transaction, ledger: Ledger, approval_id: str, ruling: _Ruling) -> Outcome[Resolved]:
    approval = approvals.by_id(tx.conn, approval_id)
    if approval is None:
        return _unknown()
    at = ledger.now()
    if approval.state != ApprovalState.REQUESTED:
        return _already(approval)
    if lapse := _why_lapsed(tx, approval, at):
        lapse_in(tx, ledger, approval, lapse)
        return Refused(Code.PRECONDITION, f"{lapse} Nothing was decided.", {"repeat": "call"})
    if ruling.bound != (approval.payload_hash, approval.revision):
        return _other_plan(approval)
    if ruling.approved and (barred := switches.read_only(tx.conn)) is not None:
        return barred
    approvals.decide(
        tx,
        approval.id,
        approved=ruling.approved,
        by=ruling.by,
        reason=ruling.reason or None,
        at=at,
    )
    state = ApprovalState.APPROVED if ruling.approved else ApprovalState.DECLINED
    _conclude(tx, ledger, approval, state, by=ruling.by, reason=ruling.reason)
    said = "Approved, once, for exactly this plan." if ruling.approved else "Declined."
    return Succeeded(_resolved(approval, state), said)


async def withdraw(
    ledger: Ledger, approval_id: str, *, by: Actor, reason: str
) -> Outcome[Resolved]:
    """Take back what nobody has used yet; see `withdraw_in`."""
    return await ledger.write(lambda tx: withdraw_in(tx, ledger, approval_id, by=by, reason=reason))


def withdraw_in(
    tx: Transaction, ledger: Ledger, approval_id: str, *, by: Actor, reason: str
) -> Outcome[Resolved]:
    """Take back, inside a transaction, a request or a yes that was not used.

    The owner may, a background job may, and whoever asked for it may.
    """
    approval = approvals.by_id(tx.conn, approval_id)
    if approval is None:
        return _unknown()
    if by.kind not in {"owner", "system"} and str(by) != approval.requested_by:
        return Refused(Code.DENIED, "Only the owner or whoever asked for it can withdraw it.")
    if approval.state not in OPEN:
        return _already(approval)
    approvals.end(tx, approval.id, ApprovalState.WITHDRAWN, reason, ledger.now())
    _conclude(tx, ledger, approval, ApprovalState.WITHDRAWN, by=str(by), reason=reason)
    return Succeeded(_resolved(approval, ApprovalState.WITHDRAWN), "Withdrawn.")


def lapse_in(tx: Transaction, ledger: Ledger, approval: Approval, why: str) -> None:
    """End, inside a transaction, what nobody may decide or use any more."""
    approvals.end(tx, approval.id, ApprovalState.LAPSED, why, ledger.now())
    _conclude(tx, ledger, approval, ApprovalState.LAPSED, by=CLOCK, reason=why)


async def lapse_overdue(ledger: Ledger) -> int:
    """End every request and every unused yes whose time ran out; returns how many."""

    def write(tx: Transaction) -> int:
        overdue = approvals.overdue(tx.conn, ledger.now())
        for approval in overdue:
            lapse_in(tx, ledger, approval, "The time for this approval ran out.")
        return len(overdue)

    return await ledger.write(write)


def fulfilled(tx: Transaction, ledger: Ledger, claim: Claim) -> None:
    """Use up whatever is still open about the plan that ``claim`` has carried out.

    The owner who acts by hand has said yes by doing so, and a run that waits goes on: its call is
    answered with what was done.
    """
    if claim.plan is None:
        return
    for approval in approvals.of_plan(tx.conn, claim.plan, *OPEN):
        bound = (approval.capability, approval.payload_hash, approval.revision)
        if bound != (claim.capability, claim.plan_hash, claim.plan_revision):
            continue
        approvals.fulfil(tx, approval, by=claim.actor, invocation=claim.id, at=ledger.now())
        why = f"It was done by {claim.actor}."
        _conclude(tx, ledger, approval, ApprovalState.CONSUMED, by=claim.actor, reason=why)


def _why_lapsed(tx: Transaction, approval: Approval, at: datetime) -> str | None:
    """Why a request can no longer be decided: time ran out, or the plan is not as it was."""
    if approval.expires_at <= at:
        return "The time for this approval ran out."
    plan = plans.by_id(tx.conn, approval.plan)
    if plan is None:
        return "The plan that this was asked about is gone."
    if plan.state == PlanState.SUPERSEDED or plan.pin != approval.pin:
        return "The plan changed after this was asked."
    return None


def _conclude(
    tx: Transaction,
    ledger: Ledger,
    approval: Approval,
    state: ApprovalState,
    *,
    by: str,
    reason: str,
) -> None:
    at = ledger.now()
    resolution = f"{state}: {reason}" if reason else str(state)
    asked = decisions.open_for(tx.conn, decision_key(approval.plan, approval.revision))
    if asked is not None and asked.approval == approval.id:  # else it is a later request's
        decisions.close(tx, asked.id, by=by, resolution=resolution, at=at)
    audit.write(
        tx,
        audit.Entry(
            at,
            by,
            state,
            approval.capability,
            authority=approval.id,
            run=approval.run,
            summary={"plan": approval.plan, "revision": approval.revision, "reason": reason},
        ),
    )
    body = {"approval": approval.id, "plan": approval.plan, "state": state, "by": by}
    waiting = approvals.waiting_runs(tx.conn, approval.id)
    for run in dict.fromkeys([approval.run, *waiting]):
        events.append(tx, "approval_resolved", body, at, run=run)
        if run is not None:
            ledger.engine.wake(tx, "run", run)


def _resolved(approval: Approval, state: ApprovalState) -> Resolved:
    return Resolved(approval=approval.id, state=state, plan=approval.plan, run=approval.run)


def _unknown() -> Refused:
    return Refused(Code.NOT_FOUND, "There is no such approval.")


def _already(approval: Approval) -> Refused:
    by = f" by {approval.decided_by}" if approval.decided_by is not None else ""
    return Refused(
        Code.CONFLICT,
        f"This approval is {approval.state}{by} already. Nothing was changed.",
        {"state": approval.state, "decided_by": approval.decided_by, "reason": approval.reason},
    )


def _other_plan(approval: Approval) -> Refused:
    return Refused(
        Code.CONFLICT,
        "What was sent back is not the plan that this approval is for. Nothing was decided; "
        "look at it again.",
        {"payload_hash": approval.payload_hash, "revision": approval.revision},
    )
