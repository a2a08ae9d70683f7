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
from server.role import Role

UNKNOWN_SHOWN = 20
WORKING = frozenset(role for role in Role if role.works)

router = APIRouter(prefix="/status", tags=["status"])


class Turned(BaseModel):
    """A switch that does not stand as it usually does."""

    name: SwitchName
    on: bool
    set_by: str | None
    reason: str | None


class Process(BaseModel):
    """A process that lives, as far as this one has heard; one that falls silent is left out."""

    id: str
    role: str
    host: str


class Status(BaseModel):
    """What is unknown comes first, the oldest of it, with what can be done.

    `acts` counts every act by state; `needs_you` counts the decisions that wait for the owner.
    `at_work` is false where none of the processes works at runs, so that those that are not over
    stand still. `unopened` names the sealed secrets that did not open, so that what needs one does
    not work.
    """

    unknown: list[InvocationFacts]
    acts: dict[ClaimState, int]
    switches: list[Turned]
    needs_you: int
    runs: dict[RunState, int]
    downloads: dict[str, int]
    processes: list[Process]
    at_work: bool
    unopened: list[str]
    owner_exists: bool
    version: str
    address: str


@router.get("")
async def status(parts: Parts, _: Reader) -> Status:
    """Count what there is."""
    unopened = await parts.secrets.unopened()

    def look(conn: Snapshot) -> Status:
        unknown = claims.in_state(conn, ClaimState.UNKNOWN, limit=UNKNOWN_SHOWN)
        present = _heard(conn, parts.ledger.engine.silent)
        by_state = {each: runs.listing(conn, states=(each,), limit=1)[1] for each in RunState}
        return Status(
            unknown=[act_facts(conn, claim) for claim in unknown],
            acts=claim_lists.totals(conn),
            switches=_turned(conn),
            needs_you=decisions.listing(conn, limit=1)[1],
            runs={state: count for state, count in by_state.items() if count},
            downloads=dict(Counter(row.state for row in downloads.listing(conn))),
            processes=present,
            at_work=any(each.role in WORKING for each in present),
            unopened=unopened,
            owner_exists=access.the_owner(conn) is not None,
            version=parts.version,
            address=parts.public_address(),
        )

    return await parts.ledger.read(look)


def _heard(conn: Snapshot, silent: frozenset[str]) -> list[Process]:
    return [
        Process(id=each.id, role=each.role, host=each.host)
        for each in workers.alive(conn)
        if each.id not in silent
    ]


def _turned(conn: Snapshot) -> list[Turned]:
    return [
        Turned(name=each.name, on=each.on, set_by=each.set_by, reason=each.reason)
        for each in switches.every(conn)
        if each.on is not USUAL[each.name]
    ]
