"""The house's switches: seen by whoever reads, turned by the owner alone."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse

from capabilities.kernel.switches import turn
from ledger.stores import switches
from ledger.stores.switches import SwitchName
from server.api.answer import Answer, answered
from server.api.callers import Reader, SignedInOwner
from server.api.parts import Parts

router = APIRouter(prefix="/switches", tags=["switches"])


class SwitchFacts(BaseModel, from_attributes=True):
    """A switch: `master` off, nothing acts by itself; `read_only` on, nothing is changed."""

    name: SwitchName
    on: bool
    set_by: str | None
    set_at: datetime | None
    reason: str | None


class Switches(BaseModel):
    """All of them."""

    switches: list[SwitchFacts]


class Turning(BaseModel, extra="forbid"):
    """Which switch is turned, how, and why."""

    name: SwitchName
    on: bool
    reason: Annotated[
        str, Field(min_length=1, max_length=500, description="Told to whoever is refused.")
    ]


@router.get("")
async def show_switches(parts: Parts, _: Reader) -> Switches:
    """Show how the switches stand."""
    held = await parts.ledger.read(switches.every)
    return Switches(switches=[SwitchFacts.model_validate(each) for each in held])


@router.put("", response_model=Answer)
async def turn_switch(given: Turning, parts: Parts, actor: SignedInOwner) -> JSONResponse:
    """Turn one switch; it counts for every act that is claimed from then on."""
    outcome = await turn(parts.ledger, given.name, on=given.on, by=actor, reason=given.reason)
    return answered(outcome)
