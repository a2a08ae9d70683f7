"""What a run waits for that only a person can give."""

from typing import Any

from pydantic import BaseModel

from capabilities.kernel.context import Context
from ledger.database import Snapshot
from ledger.stores import approvals, decisions
from ledger.stores.approvals import WAITS_FOR, ApprovalState
from ledger.stores.decisions import WAITING, Decision, DecisionKind, DecisionState
from ledger.stores.runs import Run

HOW_TO_APPROVE = (
    "The owner approves or declines with `matinee approve` or `matinee decline`; the run goes on "
    "by itself then."
)
HOW_TO_CHOOSE = "choose_option with one of the options, chosen for the owner."


class WaitsFor(BaseModel):
    """An open question: its kind, what it is about, where it is decided and until when."""

    kind: DecisionKind
    decision: str
    title: str
    summary: dict[str, Any]
    options: list[dict[str, Any]]
    until: str | None
    how: str


async def waits_for(context: Context, run: Run) -> WaitsFor | None:
    """The question that keeps ``run`` waiting, if there is one."""
    asked = run.options.get(WAITS_FOR)
    if asked is not None:
        return await context.ledger.read(lambda conn: _approval(conn, asked))
    options = await context.ledger.read(lambda conn: options_of(conn, run.id, *WAITING))
    return _choice(options[-1]) if options else None


def options_of(conn: Snapshot, run: str, *states: DecisionState) -> list[Decision]:
    """What a run asked the owner to choose, oldest first."""
    return decisions.of_run(conn, run, DecisionKind.CHOOSE_OPTION, *states)


def _approval(conn: Snapshot, asked: dict[str, Any]) -> WaitsFor | None:
    approval = approvals.by_id(conn, asked["approval"])
    if approval is None or approval.state != ApprovalState.REQUESTED:
        return None
    return WaitsFor(
        kind=DecisionKind.APPROVAL_REQUIRED,
        decision=asked["decision"],
        title=str(approval.card.get("title", approval.capability)),
        summary=approval.card,
        options=[],
        until=approval.expires_at.isoformat(),
        how=HOW_TO_APPROVE,
    )


def _choice(decision: Decision) -> WaitsFor:
    return WaitsFor(
        kind=DecisionKind.CHOOSE_OPTION,
        decision=decision.id,
        title=decision.title,
        summary=decision.evidence,
        options=decision.options,
        until=None,
        how=HOW_TO_CHOOSE,
    )
