"""The chunks of a streamed chat completion, and what they add up to.

Source: the OpenAI API reference, "The chat completion chunk object". Servers that imitate it send
ids and names late or in every chunk, leave the index out, or put whole calls under one index.
"""

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, JsonValue

from agent.models.port import (
    BadStreamError,
    ContextOverflowError,
    Finished,
    ReasoningDelta,
    StopReason,
    StreamEvent,
    TextDelta,
    ToolCall,
    ToolCallReady,
    Usage,
)

_STOPS = {
    "tool_calls": StopReason.TOOL_CALLS,
    "function_call": StopReason.TOOL_CALLS,
    "length": StopReason.LENGTH,
    "content_filter": StopReason.CONTENT_FILTER,
    "sensitive": StopReason.CONTENT_FILTER,
}
_BROKEN_OFF = frozenset({"error", "network_error", "insufficient_system_resource"})
_OVERFLOWED = "model_context_window_exceeded"


class _Wire(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)  # every provider adds fields


class FunctionDelta(_Wire):
    """A piece of a called function; the arguments are JSON text, or an object already."""

    name: str | None = None
    arguments: str | dict[str, JsonValue] | None = None


class CallDelta(_Wire):
    """A piece of a tool call."""

    index: int | None = None
    id: str | None = None
    function: FunctionDelta = FunctionDelta()


class Delta(_Wire):
    """What one chunk adds to the message."""

    content: str | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: tuple[CallDelta, ...] | None = None


class Choice(_Wire):
    """The only choice that is asked for."""

    delta: Delta | None = None
    finish_reason: str | None = None


class PromptDetails(_Wire):
    """How the input tokens split."""

    cached_tokens: int | None = None


class TokenCounts(_Wire):
    """Tokens as the wire names them; DeepSeek counts cache hits beside the details."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: PromptDetails | None = None
    prompt_cache_hit_tokens: int | None = None

    def usage(self) -> Usage:
        """The same in our words."""
        details = self.prompt_tokens_details
        cached = (details and details.cached_tokens) or self.prompt_cache_hit_tokens or 0
        return Usage(input=self.prompt_tokens, output=self.completion_tokens, cached=cached)


class Chunk(_Wire):
    """One event of the stream; the last one may carry usage and no choice."""

    choices: tuple[Choice, ...] | None = None
    usage: TokenCounts | None = None


@dataclass(slots=True)
class _OpenCall:
    id: str = ""
    name: str = ""
    arguments: str = ""

    def add(self, delta: CallDelta) -> None:
        self.id = self.id or delta.id or ""
        name = delta.function.name or ""
        if name != self.name:  # some servers repeat the whole name in every chunk
            self.name += name
        arguments = delta.function.arguments
        self.arguments += arguments if isinstance(arguments, str) else _as_text(arguments)

    def is_followed_by(self, delta: CallDelta) -> bool:
        """Whether a piece under the same index begins another call.

        A new id alone does not: some servers invent one per chunk.
        """
        other_id = bool(self.id and delta.id) and delta.id != self.id
        return other_id and bool(delta.function.name) and _is_complete(self.arguments)


@dataclass(slots=True)
class Assembly:
    """One answer in the making: takes chunks, gives events."""

    _calls: list[_OpenCall] = field(default_factory=list[_OpenCall])
    _by_index: dict[int, _OpenCall] = field(default_factory=dict[int, _OpenCall])
    _finish_reason: str | None = None
    _usage: Usage | None = None

    def take(self, chunk: Chunk) -> Iterator[StreamEvent]:
        """The deltas of one chunk; pieces of calls are kept until `finish`."""
        if chunk.usage is not None:
            self._usage = chunk.usage.usage()
        for choice in chunk.choices or ():
            self._finish_reason = choice.finish_reason or self._finish_reason
            if choice.delta is not None:
                yield from self._take(choice.delta)

    def finish(self) -> Iterator[StreamEvent]:
        """The calls in the order in which they began, then `Finished`.

        Raises:
            BadStreamError: the stream ended before the model had finished.
            ContextOverflowError: the model ran out of room.
        """
        reason = self._reason()
        seen: set[str] = set()
        for call in self._calls:
            if not call.id or call.id in seen:
                call.id = f"call_{uuid.uuid4().hex}"
            seen.add(call.id)
            yield ToolCallReady(ToolCall(id=call.id, name=call.name, arguments=call.arguments))
        yield Finished(reason, self._usage)

    def _take(self, delta: Delta) -> Iterator[StreamEvent]:
        # Servers that send both fields send the same words in both.
        if reasoning := delta.reasoning_content or delta.reasoning:
            yield ReasoningDelta(reasoning)
        if text := delta.content or delta.refusal:
            yield TextDelta(text)
        for piece in delta.tool_calls or ():
            self._call_of(piece).add(piece)

    def _call_of(self, piece: CallDelta) -> _OpenCall:
        call = self._by_index.get(piece.index) if piece.index is not None else self._latest(piece)
        if call is None or call.is_followed_by(piece):
            call = _OpenCall()
            self._calls.append(call)
        if piece.index is not None:
            self._by_index[piece.index] = call
        return call

    def _latest(self, piece: CallDelta) -> _OpenCall | None:
        named = (call for call in self._calls if piece.id and call.id == piece.id)
        return next(named, self._calls[-1] if self._calls else None)

    def _reason(self) -> StopReason:
        if self._finish_reason is None or self._finish_reason in _BROKEN_OFF:
            raise BadStreamError("The model's answer broke off before it was finished.")
        if self._finish_reason == _OVERFLOWED:
            raise ContextOverflowError("The conversation grew longer than the model can hold.")
        # "stop", or a word of the server's own; several say it after calls too.
        otherwise = StopReason.TOOL_CALLS if self._calls else StopReason.STOP
        return _STOPS.get(self._finish_reason, otherwise)


def _as_text(arguments: dict[str, JsonValue] | None) -> str:
    return "" if arguments is None else json.dumps(arguments, ensure_ascii=False)


def _is_complete(arguments: str) -> bool:
    try:
        json.loads(arguments)
    except ValueError:
        return False
    return True
