"""A scripted turn as chat completions send it: whole, or in pieces.

Source: the OpenAI API reference, "The chat completion object" and "The chat completion chunk
object".
"""

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from world.dialogue import Call, Json, Turn

_WORDS = 12  # characters of text in one chunk
_ARGUMENTS = 9  # characters of arguments in one chunk, so that every call is split


@dataclass(frozen=True, slots=True)
class Tokens:
    """Token counts of one request."""

    input: int
    output: int
    cached: int

    def wire(self) -> Json:
        """The `usage` object."""
        return {
            "prompt_tokens": self.input,
            "completion_tokens": self.output,
            "total_tokens": self.input + self.output,
            "prompt_tokens_details": {"cached_tokens": self.cached},
        }


def whole(turn: Turn, model: str, tokens: Tokens) -> Json:
    """The answer to a request without streaming."""
    message: dict[str, object] = {"role": "assistant", "content": turn.text or None}
    if turn.reasoning:
        message["reasoning_content"] = turn.reasoning
    if turn.calls:
        message["tool_calls"] = [
            _call(call) | {"id": _new_id("call"), "type": "function"} for call in turn.calls
        ]
    choice = {"index": 0, "message": message, "finish_reason": _finish_reason(turn)}
    return _envelope("chat.completion", model) | {"choices": [choice], "usage": tokens.wire()}


def chunks(turn: Turn, model: str, tokens: Tokens | None) -> list[Json]:
    """The chunks of a streamed answer; with tokens, the last one carries usage and no choice."""
    envelope = _envelope("chat.completion.chunk", model)
    deltas: list[Json] = [{"role": "assistant", "content": ""}, *_deltas(turn)]
    reasons = [*([None] * len(deltas)), _finish_reason(turn)]
    rendered: list[Json] = [
        envelope | {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
        for delta, reason in zip([*deltas, {}], reasons, strict=True)
    ]
    if tokens is not None:
        rendered.append(envelope | {"choices": [], "usage": tokens.wire()})
    return rendered


def event(document: Json) -> bytes:
    """One server-sent event."""
    return b"data: " + json.dumps(document, ensure_ascii=False).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


def _deltas(turn: Turn) -> Iterator[Json]:
    for piece in _pieces(turn.reasoning, _WORDS):
        yield {"reasoning_content": piece}
    for piece in _pieces(turn.text, _WORDS):
        yield {"content": piece}
    for index, call in enumerate(turn.calls):
        opening = {"name": call.name, "arguments": ""}
        yield _call_delta(index, opening, {"id": _new_id("call"), "type": "function"})
        for piece in _pieces(call.arguments_text(), _ARGUMENTS):
            yield _call_delta(index, {"arguments": piece}, {})


def _call_delta(index: int, function: Json, more: Mapping[str, str]) -> Json:
    return {"tool_calls": [{"index": index, **more, "function": function}]}


def _call(call: Call) -> dict[str, object]:
    return {"function": {"name": call.name, "arguments": call.arguments_text()}}


def _pieces(text: str, size: int) -> Iterator[str]:
    return (text[at : at + size] for at in range(0, len(text), size))


def _finish_reason(turn: Turn) -> str:
    return "tool_calls" if turn.calls else "stop"


def _envelope(kind: str, model: str) -> dict[str, object]:
    return {"id": _new_id("chatcmpl"), "object": kind, "created": 0, "model": model}


def _new_id(prefix: str) -> str:
    return f"{prefix}_{uuid.uuid4().hex}"
