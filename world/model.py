"""A scripted model behind the chat completions API, on loopback.

It answers as a provider does: it wants its key, refuses malformed conversations, streams in small
pieces, counts tokens and remembers prefixes. What it says is decided by a script that reads the
conversation. Things go wrong when they are told to.
"""

import json
from bisect import bisect_right
from collections import deque
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from world import mishaps
from world.completion import DONE, Tokens, chunks, event, whole
from world.dialogue import Json, MalformedConversationError, Script, Turn, read_conversation
from world.mishaps import EventStream, Mishap, error_document
from world.serving import serving

_BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Received:
    """One completion request as it arrived."""

    document: Json
    raw: bytes
    headers: Mapping[str, str]


class ScriptedModel:
    """The model and its journal.

    Attributes:
        script: decides the next turn; may be replaced at any time.
        name: the one model it knows.
        key: the bearer token it wants.
        base_url: where it listens, up to and including the version.
        requests: every completion request that carried the right key, oldest first.
    """

    def __init__(self, script: Script, *, name: str, key: str) -> None:
        """Use `scripted_model`, which also listens."""
        self.script = script
        self.name = name
        self.key = key
        self.base_url = ""
        self.requests: list[Received] = []
        self._mishaps: deque[Mishap] = deque()

    def fail_next(
        self,
        status: int,
        *,
        code: str = "",
        message: str = "told to fail",
        retry_after: str | None = None,
        after_chunks: int | None = None,
        times: int = 1,
    ) -> None:
        """Answer the next requests with an error.

        With `after_chunks` the error comes as an event in a stream that began well; its code is
        then the status, unless one is given.
        """
        if after_chunks is not None:
            document = error_document(code or str(status), message)
            mishap = mishaps.error_event(document, after_chunks)
        else:
            headers = {"retry-after": retry_after} if retry_after is not None else None
            mishap = mishaps.refusal(status, error_document(code, message), headers)
        self._mishaps.extend([mishap] * times)

    def cut_next(self, after_chunks: int, *, times: int = 1) -> None:
        """Drop the connection of the next requests after so many chunks."""
        self._mishaps.extend([mishaps.cut(after_chunks)] * times)

    def garble_next(self, after_chunks: int) -> None:
        """Put an unreadable chunk into the next answer."""
        self._mishaps.append(mishaps.garbage(after_chunks))

    def hang_next(self, after_chunks: int) -> anyio.Event:
        """Fall silent in the next answer; the event is set once the client has hung up."""
        gone = anyio.Event()
        self._mishaps.append(mishaps.hang(after_chunks, gone))
        return gone

    def send_next(self, documents: Sequence[Json]) -> None:
        """Stream these chunks, as they are, in place of the next answer."""
        self._mishaps.append(mishaps.verbatim([*(event(each) for each in documents), DONE]))

    def app(self) -> Starlette:
        """The HTTP application."""
        return Starlette(
            routes=[
                Route("/v1/chat/completions", self._complete, methods=["POST"]),
                Route("/v1/models", self._models, methods=["GET"]),
            ]
        )

    async def _models(self, request: Request) -> Response:
        if not self._has_key(request):
            return _error(401, "invalid_api_key", "Incorrect API key provided.")
        listed = {"id": self.name, "object": "model", "created": 0, "owned_by": "world"}
        return JSONResponse({"object": "list", "data": [listed]})

    async def _complete(self, request: Request) -> Response:
        raw = await request.body()
        if not self._has_key(request):
            return _error(401, "invalid_api_key", "Incorrect API key provided.")
        document: Json = json.loads(raw)
        tokens_in = self._remember(Received(document, raw, request.headers))
        if document.get("model") != self.name:
            return _error(404, "model_not_found", "The model does not exist.")
        try:
            turn = self.script(read_conversation(document))
        except MalformedConversationError as broken:
            return _error(400, "invalid_request_error", str(broken))
        return self._answer(document, turn, tokens_in)

    def _answer(self, document: Json, turn: Turn, tokens_in: Tokens) -> Response:
        spoken = turn.text + turn.reasoning + "".join(call.arguments_text() for call in turn.calls)
        tokens = Tokens(tokens_in.input, _tokens(len(spoken)), tokens_in.cached)
        options: Json = document.get("stream_options") or {}
        wants_usage = options.get("include_usage")
        streamed = chunks(turn, self.name, tokens if wants_usage else None)
        events = [*(event(chunk) for chunk in streamed), DONE]
        if self._mishaps:
            return self._mishaps.popleft()(events)
        if document.get("stream"):
            return EventStream(events)
        return JSONResponse(whole(turn, self.name, tokens))

    def _remember(self, received: Received) -> Tokens:
        """Journal a request; what it shares with the one before it counts as cached."""
        cached = _shared_prefix(received.raw, self.requests[-1].raw) if self.requests else 0
        self.requests.append(received)
        return Tokens(_tokens(len(received.raw)), 0, _tokens(cached))

    def _has_key(self, request: Request) -> bool:
        return request.headers.get("authorization") == f"Bearer {self.key}"


@asynccontextmanager
async def scripted_model(
    script: Script, *, name: str = "scripted", key: str = "world-key"
) -> AsyncGenerator[ScriptedModel]:
    """A model that listens on a free port of 127.0.0.1 for as long as the context lasts."""
    model = ScriptedModel(script, name=name, key=key)
    async with serving(model.app()) as address:
        model.base_url = f"{address}/v1"
        yield model


def _error(status: int, code: str, message: str) -> Response:
    return JSONResponse(error_document(code, message), status)


def _tokens(size: int) -> int:
    return -(-size // _BYTES_PER_TOKEN)


def _shared_prefix(one: bytes, other: bytes) -> int:
    ends = range(1, min(len(one), len(other)) + 1)
    return bisect_right(ends, False, key=lambda end: one[:end] != other[:end])
