"""What happened, in the order of the ledger's sequence."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel

from capabilities.kernel.actors import Actor
from ledger.stores import events, runs
from ledger.stores.runs import Run
from server.api.callers import Reader
from server.api.parts import Parts

router = APIRouter(prefix="/events", tags=["events"])


class EventFacts(BaseModel, from_attributes=True):
    """One event; `run_seq` counts from 1 within its run."""

    seq: int
    run: str | None
    run_seq: int | None
    type: str
    body: dict[str, Any]
    at: datetime


class Events(BaseModel):
    """A page; ask again with `after` = `next`."""

    events: list[EventFacts]
    next: int


@router.get("")
async def list_events(
    parts: Parts,
    actor: Reader,
    after: Annotated[int, Query(ge=0, le=2**63 - 1)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 100,
) -> Events:
    """List events behind `after`; a key sees those of its own runs and of no run."""
    rows, owners = await parts.ledger.read(
        lambda conn: (
            found := events.page(conn, after=after, limit=limit),
            {run: runs.by_id(conn, run) for run in {row.run for row in found} if run is not None},
        )
    )
    shown = [row for row in rows if row.run is None or _may_see(actor, owners[row.run])]
    return Events(
        events=[EventFacts.model_validate(row) for row in shown],
        next=rows[-1].seq if rows else after,
    )


def _may_see(actor: Actor, run: Run | None) -> bool:
    return actor.decides or (run is not None and run.principal == actor.principal)
