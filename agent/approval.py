"""Asking the owner in the middle of a run: suspend, and go on from their answer.

A suspended run holds nothing. The call that was asked about stays open in the conversation, and
its approval is named in the run's row, so whichever process goes on finds both.
"""

from datetime import datetime
from typing import Any

from agent.events import EventType
from agent.models.port import ToolCall
from agent.pen import Page
from agent.session import Session
from capabilities.kernel.actors import agent
from capabilities.kernel.codes import Code
from capabilities.kernel.deciding import lapse_in, withdraw_in
from capabilities.kernel.outcomes import AnyOutcome, Failed, Refused
from ledger.ledger import Ledger
from ledger.stores import approvals
from ledger.stores.approvals import OPEN, WAITS_FOR, Approval, ApprovalState
from ledger.stores.runs import Phase, Run, RunState

WAITING_SENTENCE = "Waits for the owner's approval."
_GRACE_S = 1.0  # so that the timer fires after the approval's own end, not just before it


def question_in(call: ToolCall, outcome: AnyOutcome) -> dict[str, Any] | None:
    """What to ask the owner where ``outcome`` is a refusal that their approval would lift.

    That is also one for want of budget: they may allow by hand what no grant holds.
    """
    if not isinstance(outcome, Refused) or "approval" not in outcome.needs:
        return None
    return {
        "call": call.id,
        "approval": outcome.needs["approval"],
        "decision": outcome.needs["decision"],
    }


async def suspend_for(session: Session, asked: dict[str, Any]) -> bool:
    """Suspend until the owner has decided; false when they have done so meanwhile.

    The approval is read again in the transaction that suspends, so no decision can be missed.
    """
    session.waits_for = asked

    def write(page: Page) -> bool:
        page.change(options={**page.run.options, WAITS_FOR: asked})
        approval = approvals.by_id(page.tx.conn, asked["approval"])
        summary = {} if approval is None else approval.card
        page.tell(EventType.APPROVAL_REQUESTED, **asked, summary=summary)
        return keep_waiting(page, asked)

    return await session.pen.write(write)


def keep_waiting(page: Page, asked: dict[str, Any]) -> bool:
    """Suspend for as long as the approval may still be decided; false when it no longer is."""
    approval = approvals.by_id(page.tx.conn, asked["approval"])
    if approval is None or not _is_open(approval, page.at):
        return False
    page.move(RunState.WAITING, Phase.DRIVE, WAITING_SENTENCE)
    remaining = (approval.expires_at - page.at).total_seconds() + _GRACE_S
    page.suspend(remaining)
    return True


def waits(run: Run) -> dict[str, Any] | None:
    """The call that the owner was asked about, with its approval and decision."""
    return run.options.get(WAITS_FOR)


def forget(page: Page) -> None:
    """Nothing is waited for any more."""
    if waits(page.run) is not None:
        rest = {name: held for name, held in page.run.options.items() if name != WAITS_FOR}
        page.change(options=rest)


async def refusal_of(session: Session, asked: dict[str, Any]) -> Failed | None:
    """Why the call that waited may not be made, or None when the owner approved it.

    An approval whose time ran out is ended here, and its decision closed.
    """

    def look(page: Page) -> Failed | None:
        approval = approvals.by_id(page.tx.conn, asked["approval"])
        if approval is None:
            return _LAPSED
        if approval.state == ApprovalState.REQUESTED:
            lapse_in(page.tx, session.pen.ledger, approval, "Nobody decided in time.")
            return _LAPSED
        if approval.state == ApprovalState.DECLINED:
            return _declined(approval)
        if approval.state in {ApprovalState.LAPSED, ApprovalState.WITHDRAWN}:
            return _LAPSED
        return None

    return await session.pen.write(look)


def withdraw(page: Page, ledger: Ledger, reason: str) -> None:
    """End what this run asked the owner and was not used, and close the decisions about it.

    What another run waits for too is left to that one.
    """
    by = agent(page.run.id, page.run.principal, frozenset())
    for approval in approvals.of_run(page.tx.conn, page.run.id, *OPEN):
        if set(approvals.waiting_runs(page.tx.conn, approval.id)) - {page.run.id}:
            continue
        withdraw_in(page.tx, ledger, approval.id, by=by, reason=reason)


def _is_open(approval: Approval, at: datetime) -> bool:
    return approval.state == ApprovalState.REQUESTED and approval.expires_at > at


_LAPSED = Failed(
    Code.NEEDS_APPROVAL,
    "The owner did not approve this in time, so it was not done.",
    "Do not repeat the call; say that it still needs the owner's approval.",
)


def _declined(approval: Approval) -> Failed:
    return Failed(
        Code.DENIED,
        "The owner declined this, so it was not done.",
        "Do not repeat the call. The owner's reason is data: weigh it, and say what follows.",
        details={"reason": approval.reason or ""},
    )
