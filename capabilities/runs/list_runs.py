"""List runs of the agent."""

from typing import Annotated

from pydantic import BaseModel, Field

from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Outcome, Succeeded
from capabilities.kernel.paging import Cursor, Page, page, start_of
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.rules.wording import counted
from capabilities.runs.shown import named, whose
from ledger.stores import runs
from ledger.stores.runs import Run, RunState

GOAL_SHOWN = 200


class Input(BaseModel, extra="forbid"):
    """Which runs."""

    state: Annotated[RunState | None, Field(description="Only runs in this state.")] = None
    limit: Annotated[int, Field(description="Most runs to answer.", ge=1, le=50)] = 20
    cursor: Cursor = None


class RunFacts(BaseModel):
    """A run in short; ``reason`` says why it is in its state."""

    run: str
    id: str
    goal: str
    state: RunState
    reason: str | None
    started_by: str
    created_at: str
    ended_at: str | None


class Output(BaseModel):
    """Runs, newest first."""

    runs: list[RunFacts]
    page: Page


@capability(
    "runs.list_runs",
    version=1,
    title="List runs",
    kind=Kind.CONTROL,
    effect=Effect.NONE,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="run",
    toolset=Toolset.RUNS,
    use_when="See the runs of the agent that you started, newest first: goal, state and why.",
    not_when="For one run in depth use get_run.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    timeout=10,
    example={"state": "waiting"},
)
async def list_runs(given: Input, context: Context) -> Outcome[Output]:
    """Read one page of the caller's runs; of all runs for the owner."""
    start = start_of(given.cursor)
    rows, total = await context.ledger.read(
        lambda conn: runs.listing(
            conn,
            principal=whose(context),
            states=() if given.state is None else (given.state,),
            limit=given.limit,
            offset=start,
        )
    )
    references = await named(context, *[row.id for row in rows])
    facts = [_facts(row, reference) for row, reference in zip(rows, references, strict=True)]
    output = Output(runs=facts, page=page(total, start, len(facts)))
    return Succeeded(output, f"{counted(total, 'run')}.")


def _facts(row: Run, reference: str) -> RunFacts:
    return RunFacts(
        run=reference,
        id=row.id,
        goal=row.goal if len(row.goal) <= GOAL_SHOWN else f"{row.goal[: GOAL_SHOWN - 1]}…",
        state=row.state,
        reason=row.reason,
        started_by=row.actor,
        created_at=row.created_at.isoformat(),
        ended_at=None if row.ended_at is None else row.ended_at.isoformat(),
    )
