"""How the loop speaks to a model, whoever serves it: a conversation in, a stream of events out."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as the model wrote it.

    Attributes:
        id: pairs the call with its result; never empty and unique within a turn.
        name: the tool's name, possibly one that does not exist.
        arguments: the raw text of the arguments; meant to be a JSON object, not checked.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class SystemMessage:
    """Instructions of the server."""

    text: str


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the owner, or whatever started the run, said."""

    text: str


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """One finished turn of the model; `reasoning` is kept apart and is never an answer."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """The answer to one call."""

    call_id: str
    text: str


ModelMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool as the model is shown it; `parameters` is a JSON Schema with an object root."""

    name: str
    description: str
    parameters: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request.

    The same messages and tools in the same order give the same bytes, so that a request which
    only adds messages keeps the provider's cached prefix.
    """

    model: str
    messages: tuple[ModelMessage, ...]
    tools: tuple[ToolSchema, ...] = ()
    max_output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; `cached` is the part of `input` read from its cache."""

    input: int = 0
    output: int = 0
    cached: int = 0


class StopReason(StrEnum):
    """Why the model stopped."""

    STOP = "stop"
    TOOL_CALLS = "tool_calls"
    LENGTH = "length"
    CONTENT_FILTER = "content_filter"


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer, never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """A piece of what the model thought, never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCallReady:
    """A call whose pieces have all arrived."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event of every complete stream; `usage` is None where the provider gave none."""

    reason: StopReason
    usage: Usage | None


StreamEvent = TextDelta | ReasoningDelta | ToolCallReady | Finished


class UpstreamFaultError(Exception):
    """The model could not be asked, or its answer could not be used.

    Attributes:
        sentence: what happened and what to do, without address, credential or words of the model.
    """

    def __init__(self, sentence: str) -> None:
        """Say what happened."""
        super().__init__(sentence)
        self.sentence = sentence


class CredentialRefusedError(UpstreamFaultError):
    """The provider does not work for this credential or its account: only the owner can help."""


class UpstreamUnavailableError(UpstreamFaultError):
    """The provider is busy, broken or out of reach; a later attempt may succeed."""

    def __init__(self, sentence: str, *, retry_after_s: float | None = None) -> None:
        """Keep the pause the provider asked for, in seconds, where it named one."""
        super().__init__(sentence)
        self.retry_after_s = retry_after_s


class ContextOverflowError(UpstreamFaultError):
    """The request is longer than the model takes: it must be shortened before it is sent again."""


class RequestRefusedError(UpstreamFaultError):
    """The provider understood the request and refused it; the same request fails again."""


class BadStreamError(UpstreamFaultError):
    """The answer began and broke off, or was not readable; what arrived of it is no answer."""


class Upstream(Protocol):
    """One provider with one credential."""

    def stream(self, request: ModelRequest) -> AsyncGenerator[StreamEvent]:
        """Ask the model; every complete stream ends with exactly one `Finished`.

        Iterate it inside `contextlib.aclosing`: closing it, or cancelling its consumer, closes
        the connection to the provider.

        Raises:
            UpstreamFaultError: one of its kinds, from the iteration.
        """
        ...

    async def aclose(self) -> None:
        """Close every connection; the upstream is not usable afterwards."""
        ...
