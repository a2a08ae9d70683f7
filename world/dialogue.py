"""What a scripted model sees of a conversation, and what it answers.

The input is the `messages` array of a chat completions request. It is held to the rules that
providers hold it to: every call is answered before the conversation goes on, every answer belongs
to a call, and arguments are JSON objects.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

Json = Mapping[str, Any]


class MalformedConversationError(ValueError):
    """A provider would refuse these messages; the text says which rule they break."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call. Arguments given as text go out as they are, valid JSON or not."""

    name: str
    arguments: Json | str

    def arguments_text(self) -> str:
        """The arguments as they stand on the wire."""
        if isinstance(self.arguments, str):
            return self.arguments
        return json.dumps(self.arguments, ensure_ascii=False)

    def arguments_object(self) -> Json:
        """The arguments parsed."""
        return json.loads(self.arguments_text())


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer of the model: what it thinks, says and calls."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to one call.

    Attributes:
        call: what was called; its arguments are parsed.
        sentence: the first line, meant for people.
        document: the first JSON object in the text, empty where there is none.
        reported: whether the model has spoken without calling anything since.
    """

    call: Call
    sentence: str
    document: Json
    reported: bool


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation so far: `turns` counts the model's, `results` are in their order."""

    messages: tuple[Json, ...]
    tools: tuple[str, ...]
    results: tuple[Result, ...]
    turns: int

    def results_of(self, tool: str) -> tuple[Result, ...]:
        """The answers of one tool, oldest first."""
        return tuple(result for result in self.results if result.call.name == tool)


Script = Callable[[Conversation], Turn]


def read_conversation(request: Json) -> Conversation:
    """Read a chat completions request.

    Raises:
        MalformedConversationError: a provider would refuse it.
    """
    messages: tuple[Json, ...] = tuple(request.get("messages") or ())
    if not messages:
        raise MalformedConversationError("messages is empty")
    spoken = [at for at, message in enumerate(messages) if message.get("role") == "assistant"]
    silent = [at for at in spoken if not messages[at].get("tool_calls")]
    results = tuple(
        _result(call, content, reported=any(at > answered for at in silent))
        for answered, call, content in _answers(messages)
    )
    tools = tuple(tool["function"]["name"] for tool in request.get("tools") or ())
    return Conversation(messages, tools, results, len(spoken))


def _answers(messages: Sequence[Json]) -> list[tuple[int, Call, str]]:
    """Position, call and text of every answered call."""
    answers: list[tuple[int, Call, str]] = []
    open_calls: dict[str, Call] = {}
    for at, message in enumerate(messages):
        if message.get("role") == "tool":
            call = open_calls.pop(str(message.get("tool_call_id")), None)
            if call is None:
                raise MalformedConversationError("a tool message answers no open call")
            answers.append((at, call, str(message.get("content"))))
            continue
        _all_answered(open_calls)
        open_calls = {wire["id"]: _call(wire) for wire in message.get("tool_calls") or ()}
    _all_answered(open_calls)
    return answers


def _all_answered(open_calls: Mapping[str, Call]) -> None:
    if open_calls:
        names = ", ".join(call.name for call in open_calls.values())
        raise MalformedConversationError(f"no tool message answers the call of {names}")


def _call(wire: Json) -> Call:
    function = wire["function"]
    try:
        arguments = json.loads(function["arguments"])
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        raise MalformedConversationError("the arguments of a call are no JSON object")
    return Call(function["name"], cast("Json", arguments))


def _result(call: Call, content: str, *, reported: bool) -> Result:
    sentence = content.partition("\n")[0].strip()
    return Result(call, sentence, first_object(content), reported)


def first_object(text: str) -> Json:
    """The first JSON object that stands in a text, or an empty one."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            found, _ = decoder.raw_decode(text, start)
        except ValueError:
            start = text.find("{", start + 1)
        else:
            return found
    return {}
