"""The catalogue as the caller may see it, and the call of any of it."""

from typing import Annotated, Any

from fastapi import APIRouter, Body
from pydantic import BaseModel
from starlette.responses import JSONResponse

from capabilities.kernel.schemas import published
from capabilities.kernel.spec import Effect, Kind, Spec, Toolset
from server.api.answer import Answer, IdempotencyKey, answered, invoke
from server.api.callers import Caller
from server.api.parts import Parts

router = APIRouter(prefix="/capabilities", tags=["capabilities"])


class HintFacts(BaseModel, from_attributes=True):
    """MCP's annotations; they inform and never authorise."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool


class CapabilityFacts(BaseModel, from_attributes=True):
    """What a capability says of itself."""

    id: str
    tool: str
    version: int
    title: str
    kind: Kind
    effect: Effect
    scope: str
    toolset: Toolset
    use_when: str
    not_when: str
    plan: str | None
    timeout: float
    hints: HintFacts


class CapabilityPage(CapabilityFacts):
    """A capability with what is needed to call it."""

    input_schema: dict[str, Any]
    example: dict[str, Any]


class Catalogue(BaseModel):
    """All that the caller may call."""

    capabilities: list[CapabilityFacts]


@router.get("")
async def list_capabilities(parts: Parts, actor: Caller) -> Catalogue:
    """List what this caller may call."""
    shown = parts.registry.shown_to(actor)
    return Catalogue(capabilities=[CapabilityFacts.model_validate(spec) for spec in shown])


@router.get("/{id_}")
async def show_capability(id_: str, parts: Parts, actor: Caller) -> CapabilityPage:
    """Show one capability; unknown and unpermitted names answer alike."""
    return _page(parts.registry.find(id_, actor))


@router.post("/{id_}/invoke", response_model=Answer, responses={202: {"model": Answer}})
async def invoke_capability(
    id_: str,
    parts: Parts,
    actor: Caller,
    arguments: Annotated[dict[str, Any] | None, Body()] = None,
    idempotency_key: IdempotencyKey = None,
) -> JSONResponse:
    """Call a capability with a JSON object of arguments."""
    outcome = await invoke(parts, actor, id_, arguments or {}, idempotency_key)
    return answered(outcome)


def _page(spec: Spec) -> CapabilityPage:
    return CapabilityPage(
        **CapabilityFacts.model_validate(spec).model_dump(),
        input_schema=published(spec.given),
        example=dict(spec.example),
    )
