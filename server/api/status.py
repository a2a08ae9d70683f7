"""How the house stands, in counts."""

from collections import Counter

from fastapi import APIRouter
from pydantic import BaseModel

from ledger.database import Snapshot
from ledger.stores import access, claim_lists, claims, decisions, downloads, runs
from ledger.stores.claims import ClaimState
from ledger.stores.runs import RunState
from server.api.acts import InvocationFacts, act_facts
from server.api.callers import Reader
from server.api.parts import Parts

UNKNOWN_SHOWN = 20

router = APIRouter(prefix="/status", tags=["status"])


class Status(BaseModel):
    """What is unknown comes first, the oldest of it, with what can be done.

    `acts` counts every act by state; `needs_you` counts the decisions that wait for the owner.
    """

    unknown: list[InvocationFacts]
    acts: dict[ClaimState, int]
    needs_you: int
    runs: dict[RunState, int]
    downloads: dict[str, int]
    owner_exists: bool
    version: str
    address: str


@router.get("")
async def status(parts: Parts, _: Reader) -> Status:
    """Count what there is."""

    def look(conn: Snapshot) -> Status:
        unknown = claims.in_state(conn, ClaimState.UNKNOWN, limit=UNKNOWN_SHOWN)
        by_state = {each: runs.listing(conn, states=(each,), limit=1)[1] for each in RunState}
        return Status(
            unknown=[act_facts(conn, claim) for claim in unknown],
            acts=claim_lists.totals(conn),
            needs_you=decisions.listing(conn, limit=1)[1],
            runs={state: count for state, count in by_state.items() if count},
            downloads=dict(Counter(row.state for row in downloads.listing(conn))),
            owner_exists=access.the_owner(conn) is not None,
            version=parts.version,
            address=parts.public_address(),
        )

    return await parts.ledger.read(look)
