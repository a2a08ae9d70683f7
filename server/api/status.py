"""How the house stands, in counts."""

from collections import Counter

from fastapi import APIRouter
from pydantic import BaseModel

from ledger.database import Snapshot
from ledger.stores import access, claim_lists, claims, decisions, downloads, runs, switches, workers
from ledger.stores.claims import ClaimState
from ledger.stores.runs import RunState
from ledger.stores.switches import USUAL, SwitchName
from server.api.acts import InvocationFacts, act_facts
from server.api.callers import Reader
from server.api.parts import Parts

UNKNOWN_SHOWN = 20

router = APIRouter(prefix="/status", tags=["status"])


class Turned(BaseModel):
    """A switch that does not stand as it usually does."""

    name: SwitchName
    on: bool
    set_by: str | None
    reason: str | None


class Process(BaseModel):
    """A process that is at work on this ledger, by what it showed last."""

    id: str
    role: str
    host: str


class Status(BaseModel):
    """What is unknown comes first, the oldest of it, with what can be done.

    `acts` counts every act by state; `needs_you` counts the decisions that wait for the owner.
    """

    unknown: list[InvocationFacts]
    acts: dict[ClaimState, int]
    switches: list[Turned]
    needs_you: int
    runs: dict[RunState, int]
    downloads: dict[str, int]
    processes: list[Process]
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
            switches=_turned(conn),
            needs_you=decisions.listing(conn, limit=1)[1],
            runs={state: count for state, count in by_state.items() if count},
            downloads=dict(Counter(row.state for row in downloads.listing(conn))),
            processes=[
                Process(id=each.id, role=each.role, host=each.host) for each in workers.alive(conn)
            ],
            owner_exists=access.the_owner(conn) is not None,
            version=parts.version,
            address=parts.public_address(),
        )

    return await parts.ledger.read(look)


def _turned(conn: Snapshot) -> list[Turned]:
    return [
        Turned(name=each.name, on=each.on, set_by=each.set_by, reason=each.reason)
        for each in switches.every(conn)
        if each.on is not USUAL[each.name]
    ]
