"""What waits for the owner, and what was settled."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.kernel.paging import Cursor, Page, page, start_of
from ledger.stores import decisions
from ledger.stores.decisions import WAITING, DecisionKind, DecisionState, Severity
from server.api.answer import Answer, IdempotencyKey, answered, invoke
from server.api.callers import Reader, SignedInOwner
from server.api.parts import Parts

router = APIRouter(prefix="/decisions", tags=["decisions"])


class DecisionFacts(BaseModel, from_attributes=True):
    """A question for the owner, with its options and what it rests on."""

    id: str
    kind: DecisionKind
    severity: Severity
    state: DecisionState
    title: str
    evidence: dict[str, Any]
    options: list[dict[str, Any]]
    approval: str | None
    run: str | None
    subject: str | None
    created_at: datetime
    resolved_at: datetime | None
    resolved_by: str | None
    resolution: str | None


class Decisions(BaseModel):
    """One page of decisions, most urgent first."""

    decisions: list[DecisionFacts]
    page: Page


class Resolution(BaseModel, extra="forbid"):
    """The owner's choice."""

    option: Annotated[str, Field(min_length=1, max_length=60)]
    reason: Annotated[
        str, Field(max_length=500, description="Needed to settle an act by hand.")
    ] = ""


@router.get("")
async def list_decisions(
    parts: Parts,
    _: Reader,
    status: DecisionState | None = None,
    kind: DecisionKind | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    cursor: Cursor = None,
) -> Decisions:
    """List decisions, all that wait unless a state is asked for."""
    start = start_of(cursor)
    states = WAITING if status is None else (status,)
    rows, total = await parts.ledger.read(
        lambda conn: decisions.listing(conn, states=states, kind=kind, limit=limit, offset=start)
    )
    shown = [DecisionFacts.model_validate(row) for row in rows]
    return Decisions(decisions=shown, page=page(total, start, len(shown)))


@router.get("/{id_}")
async def show_decision(id_: str, parts: Parts, _: Reader) -> DecisionFacts:
    """Show one decision."""
    found = await parts.ledger.read(lambda conn: decisions.by_id(conn, id_))
    if found is None:
        raise HaltError(Refused(Code.NOT_FOUND, "There is no such decision."))
    return DecisionFacts.model_validate(found)


@router.post("/{id_}/resolve", response_model=Answer)
async def resolve_decision(
    *,
    id_: str,
    given: Resolution,
    parts: Parts,
    actor: SignedInOwner,
    idempotency_key: IdempotencyKey = None,
) -> JSONResponse:
    """Settle a decision by one of its options."""
    arguments = {"decision": id_, "option": given.option, "reason": given.reason}
    outcome = await invoke(parts, actor, "decision.resolve", arguments, idempotency_key)
    return answered(outcome)
