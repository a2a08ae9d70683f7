"""A request in the shape of the chat completions API.

Source: the OpenAI API reference, "Create chat completion", and the reasoning fields that DeepSeek
(`reasoning_content`) and OpenRouter (`reasoning`) document for it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from agent.models.port import (
    AssistantMessage,
    ModelMessage,
    ModelRequest,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolSchema,
    UserMessage,
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """Where servers of this API differ in what they accept.

    Attributes:
        output_cap: the name under which a limit of the answer is sent.
        reasoning_field: the name under which earlier reasoning is sent back; None sends none.
    """

    output_cap: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    reasoning_field: Literal["reasoning_content", "reasoning"] | None = None


def chat_body(request: ModelRequest, dialect: Dialect) -> dict[str, object]:
    """The JSON document of a streamed request.

    Equal requests give equal documents with equal key order. The messages come last, so that a
    request which only adds messages repeats the bytes before them.
    """
    body: dict[str, object] = {
        "model": request.model,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.max_output_tokens is not None:
        body[dialect.output_cap] = request.max_output_tokens
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    body["messages"] = [_message(message, dialect) for message in request.messages]
    return body


def _tool(tool: ToolSchema) -> dict[str, object]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    return {"type": "function", "function": function}


def _message(message: ModelMessage, dialect: Dialect) -> dict[str, object]:
    match message:
        case SystemMessage(text):
            return {"role": "system", "content": text}
        case UserMessage(text):
            return {"role": "user", "content": text}
        case ToolMessage(call_id, text):
            return {"role": "tool", "tool_call_id": call_id, "content": text}
        case AssistantMessage():
            return _assistant(message, dialect)


def _assistant(message: AssistantMessage, dialect: Dialect) -> dict[str, object]:
    # A turn that only calls has no content; an empty text part is refused by some servers.
    content = message.text or (None if message.calls else "")
    wire: dict[str, object] = {"role": "assistant", "content": content}
    if dialect.reasoning_field and message.reasoning:
        wire[dialect.reasoning_field] = message.reasoning
    if message.calls:
        wire["tool_calls"] = [_call(call) for call in message.calls]
    return wire


def _call(call: ToolCall) -> dict[str, object]:
    # Servers that render arguments through a chat template answer 400 to history that does not
    # parse, for ever; the tool's answer already tells the model what was wrong with its call.
    arguments = call.arguments if _is_object(call.arguments) else "{}"
    function: Mapping[str, object] = {"name": call.name, "arguments": arguments}
    return {"id": call.id, "type": "function", "function": function}


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
