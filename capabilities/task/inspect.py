"""Look at one background task."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, Outcome, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from ledger.stores import tasks
from ledger.stores.tasks import TaskState


class Input(BaseModel, extra="forbid"):
    """Which task."""

    task: Annotated[str, Field(description="A task reference, e.g. task:3.", max_length=60)]


class Output(BaseModel):
    """How a task stands."""

    task: str
    kind: str
    state: TaskState
    attempts: int
    steps: list[dict[str, Any]]
    last_error: str | None
    next_try_at: datetime | None


@capability(
    "task.inspect",
    version=1,
    title="Inspect a task",
    kind=Kind.READ,
    effect=Effect.NONE,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="read",
    toolset=Toolset.ACQUIRE,
    use_when="See how one background task stands: attempts, steps, last error, next try.",
    not_when="For a download use download__inspect, which names its tasks.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    timeout=10,
    example={"task": "task:1"},
)
async def inspect(given: Input, context: Context) -> Outcome[Output]:
    """Read one task."""
    if given.task.startswith(("dl:", "dl_")):
        return Failed(
            Code.NOT_FOUND, "That is a download, not a task.", "Use download__inspect for it."
        )
    id_ = await context.resolve("task", given.task)
    row = await context.ledger.read(lambda conn: tasks.by_id(conn, id_))
    if row is None:
        return Failed(Code.NOT_FOUND, f"There is no task {given.task!r}.")
    (reference,) = await context.refer("task", row.id)
    output = Output(
        task=reference,
        kind=row.kind,
        state=row.state,
        attempts=row.attempts,
        steps=row.steps,
        last_error=row.last_error,
        next_try_at=row.next_try_at,
    )
    return Succeeded(output, f"{row.kind}: {row.state}, {row.attempts} attempts.")
