"""Every act that was written down, those of unknown outcome first."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse

from capabilities.kernel.codes import Code
from capabilities.kernel.hand_settlement import Word, settle_by_hand
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.kernel.paging import Cursor, Page, page, start_of
from ledger.database import Snapshot
from ledger.stores import claim_lists, claims
from ledger.stores.claim_lists import Sought
from ledger.stores.claims import ClaimState
from server.api.acts import InvocationFacts, act_facts
from server.api.answer import Answer, answered
from server.api.callers import Reader, SignedInOwner
from server.api.parts import ApiParts, Parts

router = APIRouter(prefix="/invocations", tags=["history"])


class Invocations(BaseModel):
    """One page of acts; `totals` counts all acts by state, whatever was asked for."""

    invocations: list[InvocationFacts]
    totals: dict[ClaimState, int]
    page: Page


class HandSettlement(BaseModel, extra="forbid"):
    """The owner's word about an act of unknown outcome."""

    done: bool
    reason: Annotated[
        str, Field(min_length=1, max_length=500, description="Why; it is kept with it.")
    ]


@router.get("")
async def list_invocations(
    *,
    parts: Parts,
    _: Reader,
    state: ClaimState | None = None,
    capability: str | None = None,
    run: str | None = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: Cursor = None,
) -> Invocations:
    """List acts, those of unknown outcome first, then the newest."""
    start, sought = start_of(cursor), Sought(state, capability, run)

    def look(conn: Snapshot) -> Invocations:
        rows, total = claim_lists.listing(conn, sought, limit=limit, offset=start)
        return Invocations(
            invocations=[act_facts(conn, row) for row in rows],
            totals=claim_lists.totals(conn),
            page=page(total, start, len(rows)),
        )

    return await parts.ledger.read(look)


@router.get("/{id_}")
async def show_invocation(id_: str, parts: Parts, _: Reader) -> InvocationFacts:
    """Show one act as it was last seen."""
    return await _found(id_, parts)


@router.post("/{id_}/check")
async def check_invocation(id_: str, parts: Parts, actor: Reader) -> InvocationFacts:
    """Look at the world for an act of unknown outcome, now; answer how it stands afterwards.

    What is found done in part is carried on only for who may call that capability; for others it
    stays unknown, and `seen` says who carries it on.
    """
    await parts.registry.check(id_, actor)
    return await _found(id_, parts)


@router.post("/{id_}/settle", response_model=Answer)
async def settle_invocation(
    id_: str, given: HandSettlement, parts: Parts, actor: SignedInOwner
) -> JSONResponse:
    """Settle an act of unknown outcome by hand; the answer says what follows from it."""
    word = Word(given.done, actor, given.reason)
    return answered(await settle_by_hand(parts.ledger, id_, word))


async def _found(id_: str, parts: ApiParts) -> InvocationFacts:
    def look(conn: Snapshot) -> InvocationFacts | None:
        claim = claims.by_id(conn, id_)
        return None if claim is None else act_facts(conn, claim)

    found = await parts.ledger.read(look)
    if found is None:
        raise HaltError(Refused(Code.NOT_FOUND, "There is no such act."))
    return found
