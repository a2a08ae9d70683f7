"""An upstream that talks to a scripted model on this machine, and what is read from its stream."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import httpx2
import pytest

from agent.models.chat_body import Dialect
from agent.models.chat_completions import ChatCompletions
from agent.models.port import (
    Finished,
    ModelRequest,
    ReasoningDelta,
    StreamEvent,
    SystemMessage,
    TextDelta,
    ToolCall,
    ToolCallReady,
    ToolSchema,
    Upstream,
    UpstreamFaultError,
    UserMessage,
)
from agent.models.retry import RetryPolicy
from world.dialogue import Json, Script
from world.model import ScriptedModel, scripted_model

SECRET = "sk-loopback-4711"
LOOKUP = ToolSchema(
    name="catalog__lookup",
    description="Find works.",
    parameters={"type": "object", "properties": {"query": {"type": "string"}}},
)
REQUEST = ModelRequest(
    model="scripted",
    messages=(SystemMessage("You run a film library."), UserMessage("Get 夜行列车.")),
    tools=(LOOKUP,),
)


@dataclass
class Waits:
    """Takes the place of the clock between two tries."""

    seconds: list[float] = field(default_factory=list[float])

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@dataclass
class Bench:
    """The model, the upstream that talks to it, and how long it waited between two tries."""

    model: ScriptedModel
    upstream: Upstream
    waits: Waits

    async def ask(self, request: ModelRequest = REQUEST) -> list[StreamEvent]:
        """All events of one request."""
        with anyio.fail_after(5):
            return [event async for event in self.upstream.stream(request)]

    async def streamed(self, *chunks: Json) -> list[StreamEvent]:
        """All events of a request that is answered with these chunks."""
        self.model.send_next(chunks)
        return await self.ask()

    async def fault(self, request: ModelRequest = REQUEST) -> UpstreamFaultError:
        """What a request that fails fails with."""
        with pytest.raises(UpstreamFaultError) as raised:
            await self.ask(request)
        return raised.value


@asynccontextmanager
async def bench(
    script: Script,
    *,
    key: str | None = SECRET,
    dialect: Dialect | None = None,
    tries: int = 3,
    patience: httpx2.Timeout | None = None,
) -> AsyncGenerator[Bench]:
    """An upstream for a model that follows a script."""
    async with scripted_model(script, key=SECRET) as model:
        waits = Waits()
        upstream = ChatCompletions(
            name="The loopback model",
            base_url=model.base_url,
            key=key,
            dialect=dialect,
            retry=RetryPolicy(tries=tries, first_pause_s=1.0, longest_pause_s=20.0),
            timeout=patience or httpx2.Timeout(5.0),
            pause=waits,
        )
        try:
            yield Bench(model, upstream, waits)
        finally:
            await upstream.aclose()


def text_of(events: Sequence[StreamEvent]) -> str:
    """What was said, in one piece."""
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def reasoning_of(events: Sequence[StreamEvent]) -> str:
    """What was thought, in one piece."""
    return "".join(event.text for event in events if isinstance(event, ReasoningDelta))


def calls_of(events: Sequence[StreamEvent]) -> list[ToolCall]:
    """The calls that came whole."""
    return [event.call for event in events if isinstance(event, ToolCallReady)]


def end_of(events: Sequence[StreamEvent]) -> Finished:
    """The last event, which says how it ended."""
    end = events[-1]
    assert isinstance(end, Finished)
    return end


def chunk(delta: Json, finish_reason: str | None = None) -> Json:
    """One chunk of a stream, as a provider sends it."""
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}


def piece(index: int | None = None, call_id: str | None = None, **function: object) -> Json:
    """A chunk with a piece of a call."""
    return chunk({"tool_calls": [{"index": index, "id": call_id, "function": function}]})


STOP = chunk({}, "stop")
