"""How one of the run's own acts stands, as the ledger last saw it."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from agent.answers import Answered
from agent.models.port import ToolCall
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Failed, Succeeded
from ledger.ledger import Ledger
from ledger.stores import claims
from ledger.stores.claims import Claim, ClaimState

EXAMPLE = {"invocation": "inv_0197c1f2e4b07d3e5a6b7c8d9e0f1a2b"}
_MEANS = {
    ClaimState.RUNNING: "It is under way.",
    ClaimState.PENDING: "It was accepted and is not finished.",
    ClaimState.UNKNOWN: "Whether it happened is not known: do not count it as done, and do not do "
    "it another way. It is looked at again every minute.",
    ClaimState.SUCCEEDED: "It was done.",
    ClaimState.FAILED: "It was not done.",
}
_PARTLY = "It failed, and part of it was done: see what was said."


class GetToolExecution(BaseModel):
    """Input of the tool."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    invocation: Annotated[
        str,
        Field(
            description="The handle or invocation that a pending or unknown call answered.",
            max_length=60,
        ),
    ]


class Execution(BaseModel):
    """The last observed state of an act."""

    invocation: str
    capability: str
    state: ClaimState
    said: str | None
    attempt: int
    since: datetime
    settled_at: datetime | None
    data: dict[str, Any] | None


async def get_tool_execution(
    given: GetToolExecution, call: ToolCall, ledger: Ledger, run: str
) -> Answered:
    """Read one act of this run; those of others answer as if there were none."""
    claim = await ledger.read(lambda conn: claims.by_id(conn, given.invocation))
    if claim is None or claim.run != run:
        return Answered(
            call,
            Failed(
                Code.NOT_FOUND,
                "This run has made no such call.",
                "Use the handle or invocation that a call of this run answered.",
            ),
        )
    partly = claim.state is ClaimState.FAILED and claim.left_partly
    return Answered(call, Succeeded(_facts(claim), _PARTLY if partly else _MEANS[claim.state]))


def _facts(claim: Claim) -> Execution:
    return Execution(
        invocation=claim.id,
        capability=claim.capability,
        state=claim.state,
        said=claim.sentence,
        attempt=claim.attempt,
        since=claim.claimed_at,
        settled_at=claim.settled_at,
        data=claim.result,
    )
