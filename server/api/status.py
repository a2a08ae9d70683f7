"""How the house stands, in counts."""

from collections import Counter
from datetime import datetime

from fastapi import APIRouter
from pydantic import BaseModel

from ledger.stores import access, claims, decisions, downloads, runs
from ledger.stores.claims import ClaimState
from ledger.stores.runs import RunState
from server.api.callers import Reader
from server.api.parts import Parts

router = APIRouter(prefix="/status", tags=["status"])


class UnknownOutcome(BaseModel, from_attributes=True):
    """An act of which nobody knows yet whether it happened."""

    id: str
    capability: str
    sentence: str | None
    claimed_at: datetime


class Status(BaseModel):
    """What is unknown comes first; `needs_you` counts the decisions that wait for the owner."""

    unknown: list[UnknownOutcome]
    needs_you: int
    runs: dict[RunState, int]
    downloads: dict[str, int]
    owner_exists: bool
    version: str
    address: str


@router.get("")
async def status(parts: Parts, _: Reader) -> Status:
    """Count what there is."""
    unknown, needs_you, by_state, rows, owner = await parts.ledger.read(
        lambda conn: (
            claims.in_state(conn, ClaimState.UNKNOWN),
            decisions.listing(conn, limit=1)[1],
            {each: runs.listing(conn, states=(each,), limit=1)[1] for each in RunState},
            downloads.listing(conn),
            access.the_owner(conn),
        )
    )
    return Status(
        unknown=[UnknownOutcome.model_validate(claim) for claim in unknown],
        needs_you=needs_you,
        runs={state: count for state, count in by_state.items() if count},
        downloads=dict(Counter(row.state for row in rows)),
        owner_exists=owner is not None,
        version=parts.version,
        address=parts.public_address(),
    )
