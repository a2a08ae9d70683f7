"""Every act that was written down, those of unknown outcome first."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel

from ledger.stores import claims
from ledger.stores.claims import ClaimState
from server.api.callers import Reader
from server.api.parts import Parts

router = APIRouter(prefix="/invocations", tags=["history"])


class InvocationFacts(BaseModel, from_attributes=True):
    """Who did what to what, by which authority, and what is known of it."""

    id: str
    capability: str
    version: int
    actor: str
    run: str | None
    state: ClaimState
    code: str | None
    sentence: str | None
    target: dict[str, Any] | None
    plan: str | None
    authority: str | None
    attempt: int
    claimed_at: datetime
    settled_at: datetime | None


class Invocations(BaseModel):
    """The newest acts."""

    invocations: list[InvocationFacts]


@router.get("")
async def list_invocations(
    parts: Parts, _: Reader, limit: Annotated[int, Query(ge=1, le=200)] = 50
) -> Invocations:
    """List the newest acts, those of unknown outcome first."""
    rows = await parts.ledger.read(lambda conn: claims.newest(conn, limit=limit))
    return Invocations(invocations=[InvocationFacts.model_validate(row) for row in rows])
