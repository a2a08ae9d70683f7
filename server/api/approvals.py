"""Requests for the owner's yes, and the yes itself."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse

from capabilities.kernel.codes import Code
from capabilities.kernel.deciding import decide, withdraw
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.kernel.paging import Cursor, Page, page, start_of
from ledger.stores import approvals
from ledger.stores.approvals import ApprovalState
from server.api.answer import Answer, answered
from server.api.callers import Caller, Reader, SignedInOwner
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
    consumed_by: str | None


class Approvals(BaseModel):
    """One page of approvals, newest first."""

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


class Withdrawal(BaseModel, extra="forbid"):
    """Why something is taken back."""

    reason: Annotated[str, Field(min_length=1, max_length=500, description="Kept, and shown.")]


@router.get("")
async def list_approvals(
    parts: Parts,
    _: Reader,
    state: Annotated[
        list[ApprovalState] | None, Query(description="Repeatable; by default what waits.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    cursor: Cursor = None,
) -> Approvals:
    """List approvals, those that wait for the owner unless states are asked for."""
    start = start_of(cursor)
    states = (ApprovalState.REQUESTED,) if state is None else tuple(state)
    found, total = await parts.ledger.read(
        lambda conn: approvals.listing(conn, states=states, limit=limit, offset=start)
    )
    shown = [ApprovalFacts.model_validate(each) for each in found]
    return Approvals(approvals=shown, page=page(total, start, len(shown)))


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
    return answered(outcome)


@router.post("/{id_}/withdraw", response_model=Answer)
async def withdraw_approval(
    id_: str, given: Withdrawal, parts: Parts, actor: Caller
) -> JSONResponse:
    """Take back a request or a yes that was not used: the owner may, and whoever asked for it."""
    return answered(await withdraw(parts.ledger, id_, by=actor, reason=given.reason))
