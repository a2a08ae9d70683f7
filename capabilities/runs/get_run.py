"""Show one run and what happened in it."""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Outcome, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.runs.shown import PlanProgress, RunReference, named, progress, visible
from capabilities.runs.waiting import WaitsFor, waits_for
from ledger.database import Snapshot
from ledger.stores import events, runs
from ledger.stores.events import Event
from ledger.stores.runs import Phase, Run, RunState


class Input(BaseModel, extra="forbid"):
    """Which run, and from where on."""

    run: RunReference
    after_seq: Annotated[
        int, Field(description="Only events after this one: next_after_seq of before.", ge=0)
    ] = 0
    limit: Annotated[int, Field(description="Most events to answer.", ge=1, le=200)] = 50


class EventFacts(BaseModel):
    """One event; ``body`` depends on its type."""

    seq: int
    type: str
    body: dict[str, Any]
    at: str


class Output(BaseModel):
    """A run as it stands, with a page of its events, oldest first."""

    run: str
    id: str
    state: RunState
    phase: Phase
    reason: str | None
    goal: str
    plan: PlanProgress | None
    waits_for: WaitsFor | None
    report: dict[str, Any] | None
    usage: dict[str, Any]
    events: list[EventFacts]
    next_after_seq: int
    more: bool


@capability(
    "runs.get_run",
    version=1,
    title="Show a run",
    kind=Kind.CONTROL,
    effect=Effect.NONE,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="run",
    toolset=Toolset.RUNS,
    use_when="See how a run stands: state, plan, what it waits for, its events from a sequence "
    "number on, and at the end its report, which is built from the tables.",
    not_when="`model_words` in the report is what the model said, checked by nobody.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    timeout=10,
    example={"run": "run:1", "after_seq": 0},
)
async def get_run(given: Input, context: Context) -> Outcome[Output]:
    """Read the run and one page of its events."""
    seen = await visible(context, given.run)

    def look(conn: Snapshot) -> tuple[Run, list[Event]]:
        # One snapshot: whoever sees the last event sees the state it led to.
        page = events.of_run(conn, seen.id, after=given.after_seq, limit=given.limit + 1)
        return runs.by_id(conn, seen.id) or seen, page

    run, found = await context.ledger.read(look)
    shown = found[: given.limit]
    (reference,) = await named(context, run.id)
    waiting = await waits_for(context, run)
    output = Output(
        run=reference,
        id=run.id,
        state=run.state,
        phase=run.phase,
        reason=run.reason,
        goal=run.goal,
        plan=None if run.plan is None else progress(run.plan),
        waits_for=waiting,
        report=run.report,
        usage=run.usage,
        events=[_facts(event) for event in shown],
        next_after_seq=shown[-1].run_seq or 0 if shown else given.after_seq,
        more=len(found) > len(shown),
    )
    return Succeeded(output, _sentence(reference, run, waiting))


def _sentence(reference: str, run: Run, waiting: WaitsFor | None) -> str:
    if waiting is not None:
        return f"{reference} waits for the owner: {waiting.title}."
    state = run.state.value.replace("_", " ")
    return f"{reference}: {state}. {run.reason}" if run.reason else f"{reference}: {state}."


def _facts(event: Event) -> EventFacts:
    return EventFacts(
        seq=event.run_seq or 0, type=event.type, body=event.body, at=event.at.isoformat()
    )
