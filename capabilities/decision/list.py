"""List what waits for the owner."""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Outcome, Succeeded
from capabilities.kernel.paging import Cursor, Page, page, start_of
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from ledger.stores import decisions
from ledger.stores.decisions import WAITING, Decision, DecisionKind, DecisionState, Severity


class Input(BaseModel, extra="forbid"):
    """Which decisions."""

    status: Annotated[
        DecisionState | None,
        Field(description="One state only; by default all that still wait."),
    ] = None
    kind: Annotated[DecisionKind | None, Field(description="One kind only.")] = None
    limit: Annotated[int, Field(description="Most decisions to answer.", ge=1, le=100)] = 20
    cursor: Cursor = None


class DecisionFacts(BaseModel):
    """A decision as a client sees it."""

    decision: str
    id: str
    kind: DecisionKind
    severity: Severity
    state: DecisionState
    title: str
    evidence: dict[str, Any]
    options: list[dict[str, Any]]
    resolved_by: str | None
    resolution: str | None


class Output(BaseModel):
    """Decisions, most urgent first."""

    decisions: list[DecisionFacts]
    page: Page


@capability(
    "decision.list",
    version=1,
    title="List decisions",
    kind=Kind.READ,
    effect=Effect.NONE,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="read",
    toolset=Toolset.LIBRARY,
    use_when="See what waits for the owner: approvals, ambiguous identities, failed or stalled "
    "downloads, most urgent first, each with its options.",
    not_when="It decides nothing; only the owner does, at the terminal.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    timeout=10,
    example={"limit": 20},
)
async def list_(given: Input, context: Context) -> Outcome[Output]:
    """Read one page of decisions."""
    start = start_of(given.cursor)
    states = WAITING if given.status is None else (given.status,)
    rows, total = await context.ledger.read(
        lambda conn: decisions.listing(
            conn, states=states, kind=given.kind, limit=given.limit, offset=start
        )
    )
    shown = await context.refer("dec", *[row.id for row in rows])
    facts = [_facts(row, reference) for row, reference in zip(rows, shown, strict=True)]
    sentence = f"{total} waiting." if given.status is None else f"{total} {given.status}."
    return Succeeded(Output(decisions=facts, page=page(total, start, len(facts))), sentence)


def _facts(row: Decision, reference: str) -> DecisionFacts:
    return DecisionFacts(
        decision=reference,
        id=row.id,
        kind=row.kind,
        severity=row.severity,
        state=row.state,
        title=row.title,
        evidence=row.evidence,
        options=row.options,
        resolved_by=row.resolved_by,
        resolution=row.resolution,
    )
