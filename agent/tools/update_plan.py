"""The model's plan of its own work: a record, kept beside the conversation."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from agent.answers import Answered
from agent.models.port import ToolCall
from agent.tools.citations import unknown_citations
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Refused, Succeeded
from capabilities.runs.shown import progress
from ledger.ledger import Ledger
from ledger.stores import runs

MOST_STEPS = 30

EXAMPLE = {
    "goal": "Get Night Train (1959) in 1080p",
    "steps": [
        {"id": "find", "title": "Find the film", "status": "completed", "evidence": "work:1"},
        {"id": "choose", "title": "Choose a release", "status": "in_progress"},
    ],
}


class Status(StrEnum):
    """How a step stands."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    BLOCKED = "blocked"


NEEDS_EVIDENCE = (Status.COMPLETED, Status.BLOCKED)


class StepChange(BaseModel):
    """What is to be recorded of one step; what is left out stays as it was."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(description="Your own name of the step.", min_length=1, max_length=40)]
    title: Annotated[
        str | None, Field(description="What is done; needed for a new step.", max_length=200)
    ] = None
    status: Annotated[Status | None, Field(description="How the step stands.")] = None
    evidence: Annotated[
        str | None,
        Field(
            description="What shows it, needed for completed and blocked: words, or references "
            "such as work:1, rel:7, plan:2, dl:1.",
            max_length=500,
        ),
    ] = None
    blocked_by: Annotated[
        str | None, Field(description="What stands in the way.", max_length=200)
    ] = None


class UpdatePlan(BaseModel):
    """Input of the tool."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    goal: Annotated[
        str | None, Field(description="What is to be achieved, in a sentence.", max_length=500)
    ] = None
    steps: Annotated[
        list[StepChange],
        Field(description="The steps that are new or changed.", max_length=MOST_STEPS),
    ] = []
    replace: Annotated[
        bool, Field(description="Drop the old plan: the owner wants something new.")
    ] = False


async def update_plan(given: UpdatePlan, call: ToolCall, ledger: Ledger, run: str) -> Answered:
    """Merge ``given`` into the run's plan, or refuse it whole with what is wrong."""
    row = await ledger.read(lambda conn: runs.by_id(conn, run))
    before = (row.plan if row is not None and not given.replace else None) or {}
    plan = _merged(before, given)
    if fault := _fault(plan):
        return _refused(call, fault)
    if unknown := await unknown_citations(ledger, run, _cited(given)):
        sentence = f"The evidence cites what does not exist here: {', '.join(unknown)}."
        return _refused(call, sentence)

    now = progress(plan)
    sentence = f"Recorded: {now.done} of {now.total} steps are done."
    return Answered(call, Succeeded(now, sentence), plan)


def _merged(before: dict[str, Any], given: UpdatePlan) -> dict[str, Any]:
    steps: dict[str, dict[str, Any]] = {step["id"]: step for step in before.get("steps", ())}
    for change in given.steps:
        known = steps.get(change.id, {"id": change.id, "status": Status.PENDING})
        steps[change.id] = {**known, **change.model_dump(mode="json", exclude_none=True)}
    goal = given.goal if given.goal is not None else before.get("goal")
    return {"goal": goal, "steps": list(steps.values())}


def _fault(plan: dict[str, Any]) -> str | None:
    steps = plan["steps"]
    if len(steps) > MOST_STEPS:
        return f"A plan has at most {MOST_STEPS} steps; this one would have {len(steps)}."
    for step in steps:
        if not step.get("title"):
            return f"The step {step['id']!r} is new and needs a title."
        if step["status"] in NEEDS_EVIDENCE and not step.get("evidence"):
            return f"The step {step['id']!r} is {step['status']} and needs evidence."
    return None


def _cited(given: UpdatePlan) -> str:
    return "\n".join(step.evidence for step in given.steps if step.evidence)


def _refused(call: ToolCall, sentence: str) -> Answered:
    return Answered(
        call, Refused(Code.INVALID_INPUT, f"{sentence} Nothing was recorded.", {"example": EXAMPLE})
    )
