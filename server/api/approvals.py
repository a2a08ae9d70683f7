"""Requests for the owner's yes, and the yes itself."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse

from capabilities.kernel.codes import Code
from capabilities.kernel.deciding import decide
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.kernel.paging import Cursor, Page, page, start_of
from ledger.stores import approvals, decisions
from ledger.stores.approvals import ApprovalState
from ledger.stores.decisions import WAITING, DecisionKind, DecisionState
from server.api.answer import Answer, answered
from server.api.callers import Reader, SignedInOwner
from server.api.parts import Parts

router = APIRouter(prefix="/approvals", tags=["approvals"])


class ApprovalFacts(BaseModel, from_attributes=True):
    """One exact plan and how the owner's word about it stands; `card` is what is shown."""

    id: str
    capability: str
    plan_type: str
    plan: str
    payload_hash: str
    revision: int
    state: ApprovalState
    requested_by: str
    run: str | None
    card: dict[str, Any]
    created_at: datetime
    expires_at: datetime
    decided_by: str | None
    decided_at: datetime | None
    reason: str | None


class Approvals(BaseModel):
    """One page of approvals."""

    approvals: list[ApprovalFacts]
    page: Page


class Ruling(BaseModel, extra="forbid"):
    """The owner's word; hash and revision are those of the plan that was looked at."""

    approve: bool
    payload_hash: Annotated[str, Field(min_length=64, max_length=64)]
    revision: Annotated[int, Field(ge=0)]
    reason: Annotated[
        str | None, Field(max_length=500, description="Needed to decline; the run is told it.")
    ] = None


@router.get("")
async def list_approvals(
    parts: Parts,
    _: Reader,
    which: Literal["waiting", "all"] = "waiting",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    cursor: Cursor = None,
) -> Approvals:
    """List approvals, those that wait for the owner unless all are asked for."""
    start = start_of(cursor)
    states = WAITING if which == "waiting" else tuple(DecisionState)
    asked, total = await parts.ledger.read(
        lambda conn: decisions.listing(
            conn, states=states, kind=DecisionKind.APPROVAL_REQUIRED, limit=limit, offset=start
        )
    )
    ids = [decision.approval for decision in asked if decision.approval is not None]
    found = await parts.ledger.read(lambda conn: [approvals.by_id(conn, id_) for id_ in ids])
    shown = [ApprovalFacts.model_validate(each) for each in found if each is not None]
    return Approvals(approvals=shown, page=page(total, start, len(asked)))


@router.get("/{id_}")
async def show_approval(id_: str, parts: Parts, _: Reader) -> ApprovalFacts:
    """Show one approval."""
    found = await parts.ledger.read(lambda conn: approvals.by_id(conn, id_))
    if found is None:
        raise HaltError(Refused(Code.NOT_FOUND, "There is no such approval."))
    return ApprovalFacts.model_validate(found)


@router.post("/{id_}/decision", response_model=Answer)
async def decide_approval(
    id_: str, given: Ruling, parts: Parts, actor: SignedInOwner
) -> JSONResponse:
    """Approve or decline exactly this plan; the act itself follows when it is called again."""
    outcome = await decide(
        parts.ledger,
        id_,
        approved=given.approve,
        by=actor,
        payload_hash=given.payload_hash,
        revision=given.revision,
        reason=given.reason,
    )
    return answered(outcome, parts)
