"""Making one call of the model: whatever is wrong with it becomes an answer."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from agent.answers import Answered
from agent.events import call_sentence
from agent.models.port import ToolCall, ToolSchema
from agent.tools.private import PRIVATE
from capabilities.kernel.actors import Actor, agent
from capabilities.kernel.calls import Call
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import AnyOutcome, HaltError, Refused
from capabilities.kernel.registry import Registry
from capabilities.kernel.schemas import published
from capabilities.kernel.spec import Audience, Effect, Kind, Spec
from ledger.ledger import Ledger
from ledger.stores.runs import Run

WITHHELD = frozenset({"run", "run.ask"})
"""Scopes that no run has: an agent does not start or steer agents by the public door."""


class ArgumentsError(ValueError):
    """The arguments are no JSON object; the text says what they are."""


def call_id(run: str, tool_call: str) -> str:
    """The identity of a call in the ledger: the same for every attempt at it."""
    return f"{run}:{tool_call}"


def actor_of(run: Run, registry: Registry) -> Actor:
    """The agent in ``run``, with the scopes that its start gave it."""
    granted = run.options.get("scopes")
    if granted is None:
        granted = {spec.scope for spec in registry.specs if spec.audience is not Audience.PRIVATE}
    return agent(run.id, run.principal, frozenset(granted) - WITHHELD)


@dataclass(frozen=True, slots=True)
class Caller:
    """Makes the calls of one run.

    Attributes:
        proposes_first: whether nothing may be executed before the owner has spoken again.
    """

    ledger: Ledger
    registry: Registry
    actor: Actor
    proposes_first: bool

    @property
    def specs(self) -> list[Spec]:
        """The capabilities that this run may use, in a stable order."""
        return self.registry.shown_to(self.actor)

    def tools(self) -> tuple[ToolSchema, ...]:
        """What the model is shown, its private tools first."""
        shown = [ToolSchema(s.tool, s.description, published(s.given)) for s in self.specs]
        return (*(tool.schema for tool in PRIVATE.values()), *shown)

    def only_looks(self, call: ToolCall) -> bool:
        """Whether a call has no effect; one that cannot even be made has none."""
        if call.name in PRIVATE:
            return False
        spec = self._spec(call.name)
        return spec is None or spec.effect is Effect.NONE

    def sentence(self, call: ToolCall) -> str:
        """What the call does, for a person."""
        if call.name in PRIVATE:
            return PRIVATE[call.name].title
        spec = self._spec(call.name)
        try:
            arguments = parsed(call.arguments)
        except ArgumentsError:
            arguments = {}
        return call_sentence(spec.title if spec is not None else "An unknown tool", arguments)

    async def answer(self, call: ToolCall, request: str) -> Answered:
        """Make the call, under an identity that repeats with it.

        Args:
            call: as the model wrote it.
            request: the owner's message that it serves; the goal's is the run's own id.
        """
        try:
            arguments = parsed(call.arguments)
        except ArgumentsError as wrong:
            return Answered(call, self._unreadable(call, wrong))
        if call.name in PRIVATE:
            tool = PRIVATE[call.name]
            return await tool.answer(call, arguments, self.ledger, self.actor.id)
        spec = self._spec(call.name)
        goal_alone = request == self.actor.id
        if self.proposes_first and goal_alone and spec is not None and spec.kind is Kind.EXECUTE:
            return Answered(call, _PROPOSE_FIRST)
        return Answered(call, await self._invoke(call, arguments, request))

    async def _invoke(
        self, call: ToolCall, arguments: Mapping[str, object], request: str
    ) -> AnyOutcome:
        return await self.registry.invoke(
            Call(
                capability=call.name,
                arguments=arguments,
                actor=self.actor,
                call_id=call_id(self.actor.id, call.id),
                request=request,
                run=self.actor.id,
            )
        )

    def _spec(self, name: str) -> Spec | None:
        try:
            return self.registry.find(name, self.actor)
        except HaltError:
            return None

    def _unreadable(self, call: ToolCall, wrong: ArgumentsError) -> Refused:
        spec = self._spec(call.name)
        example: Mapping[str, object] = {}
        if call.name in PRIVATE:
            example = PRIVATE[call.name].example
        elif spec is not None:
            example = spec.example
        return Refused(Code.INVALID_INPUT, str(wrong), {"example": dict(example)})


_PROPOSE_FIRST = Refused(
    Code.PRECONDITION,
    "This run proposes first: nothing may be carried out until the owner has chosen. "
    "Say what you propose and end your turn.",
)


def parsed(arguments: str) -> dict[str, Any]:
    """The arguments as an object; no text at all means no arguments.

    Raises:
        ArgumentsError: they are no JSON object.
    """
    if not arguments.strip():
        return {}
    try:
        found = json.loads(arguments)
    except (ValueError, RecursionError) as wrong:
        raise ArgumentsError(
            f"The arguments are not valid JSON ({wrong}). Send one JSON object. Nothing was done."
        ) from wrong
    if not isinstance(found, dict):
        raise ArgumentsError("The arguments must be one JSON object. Nothing was done.")
    return cast("dict[str, Any]", found)
