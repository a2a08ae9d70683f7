"""The model's own tools, dispatched by the loop and by nothing else."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from agent.answers import Answered
from agent.models.port import ToolCall, ToolSchema
from agent.tools import get_tool_execution, update_plan
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Refused
from capabilities.kernel.schemas import published
from ledger.ledger import Ledger

Act = Callable[[Any, ToolCall, Ledger, str], Awaitable[Answered]]


@dataclass(frozen=True, slots=True)
class PrivateTool:
    """A tool that exists only between the model and the loop of one run.

    Attributes:
        title: its name for a person.
        act: takes the checked input, the call, the ledger and the run's id.
    """

    name: str
    title: str
    description: str
    example: Mapping[str, object]
    given: type[BaseModel]
    act: Act

    @property
    def schema(self) -> ToolSchema:
        """As the model is shown it."""
        return ToolSchema(self.name, self.description, published(self.given))

    async def answer(
        self, call: ToolCall, arguments: Mapping[str, object], ledger: Ledger, run: str
    ) -> Answered:
        """Check the arguments and act; what is wrong with them is an answer, not an error."""
        try:
            given = self.given.model_validate(arguments)
        except ValidationError as wrong:
            refusal = Refused(Code.INVALID_INPUT, _sentence(wrong), {"example": dict(self.example)})
            return Answered(call, refusal)
        return await self.act(given, call, ledger, run)


def _sentence(wrong: ValidationError) -> str:
    faults = wrong.errors(include_url=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in faults) + "."


PRIVATE = {
    tool.name: tool
    for tool in (
        PrivateTool(
            name="update_plan",
            title="Update the plan",
            description=(
                "Use this to record what you are going to do, before the first other call, and "
                "again whenever a step is done or blocked. It is a record: it proves nothing and "
                "allows nothing. Steps are merged by id."
            ),
            example=update_plan.EXAMPLE,
            given=update_plan.UpdatePlan,
            act=update_plan.update_plan,
        ),
        PrivateTool(
            name="get_tool_execution",
            title="Look at an earlier call",
            description=(
                "Use this to see how a call of this run stands that answered pending or unknown: "
                "give the handle or invocation it answered. It looks in the record only; it "
                "repeats nothing and settles nothing."
            ),
            example=get_tool_execution.EXAMPLE,
            given=get_tool_execution.GetToolExecution,
            act=get_tool_execution.get_tool_execution,
        ),
    )
}
