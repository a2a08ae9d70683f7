"""How a run is named, found and shown to those who may see it."""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError
from ledger.stores import runs
from ledger.stores.runs import Run

KIND = "run"
"""The kind of reference, and what the engine calls the subjects that are runs."""

RunReference = Annotated[
    str, Field(description="A run reference, e.g. run:1, or its full id.", max_length=60)
]


class PlanProgress(BaseModel):
    """How far the agent's own plan is, and the step it is at."""

    done: int
    total: int
    now: str | None = None


async def visible(context: Context, given: str) -> Run:
    """The run that ``given`` names, if the caller may see it.

    Raises:
        HaltError: not found; another caller's run answers exactly as one that does not exist.
    """
    id_ = await context.resolve(KIND, given)
    run = await context.ledger.read(lambda conn: runs.by_id(conn, id_))
    if run is None or whose(context) not in {None, run.principal}:
        raise HaltError(
            Failed(
                Code.NOT_FOUND,
                f"There is no run {given[:60]!r} here.",
                "list_runs shows the runs there are.",
            )
        )
    return run


def whose(context: Context) -> str | None:
    """The principal whose runs the caller sees; None stands for everybody's."""
    return None if context.actor.kind in {"owner", "system"} else context.actor.principal


async def named(context: Context, *ids: str) -> list[str]:
    """The short references of runs."""
    return await context.refer(KIND, *ids)


def progress(plan: dict[str, Any]) -> PlanProgress:
    """How far a recorded plan is."""
    steps = plan["steps"]
    done = sum(step["status"] == "completed" for step in steps)
    current = (step["title"] for step in steps if step["status"] == "in_progress")
    return PlanProgress(done=done, total=len(steps), now=next(current, None))
