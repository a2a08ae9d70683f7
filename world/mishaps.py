"""Ways in which a model's answer goes wrong on its way.

A mishap is given the server-sent events of the good answer and makes the response that is sent
in its place.
"""

from collections.abc import Callable, Mapping, Sequence

import anyio
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from world.completion import event
from world.dialogue import Json

Mishap = Callable[[Sequence[bytes]], Response]


class EventStream(Response):
    """Server-sent events that end as they should, break off, or never end."""

    def __init__(
        self,
        events: Sequence[bytes],
        *,
        cut: bool = False,
        hangs_until_gone: anyio.Event | None = None,
    ) -> None:
        """Send the events; then cut the connection, or wait and set the event when the client goes.

        Neither applies by default: the response ends properly.
        """
        super().__init__(media_type="text/event-stream")
        del self.headers["content-length"]
        self._events = events
        self._cut = cut
        self._gone = hangs_until_gone

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Speak ASGI."""
        del scope
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        for piece in self._events:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        if self._gone is not None:
            while (await receive())["type"] != "http.disconnect":
                pass
            self._gone.set()
        elif not self._cut:  # an ASGI server cuts the connection of a response left unfinished
            await send({"type": "http.response.body", "body": b"", "more_body": False})


def error_document(code: str, message: str) -> Json:
    """An error as the API words it."""
    return {"error": {"message": message, "type": "error", "param": None, "code": code}}


def refusal(status: int, document: Json, headers: Mapping[str, str] | None = None) -> Mishap:
    """Answer with an HTTP error."""
    return lambda _: JSONResponse(document, status, headers)


def error_event(document: Json, after_chunks: int) -> Mishap:
    """Send an error as an event in the middle of the stream."""
    return lambda events: EventStream([*events[:after_chunks], event(document)])


def cut(after_chunks: int) -> Mishap:
    """Drop the connection in the middle of the answer."""
    return lambda events: EventStream(events[:after_chunks], cut=True)


def garbage(after_chunks: int) -> Mishap:
    """Send an event that is no JSON, then go on as if nothing had happened."""
    noise = b'data: {"choices": [\n\n'
    return lambda events: EventStream([*events[:after_chunks], noise, *events[after_chunks:]])


def hang(after_chunks: int, gone: anyio.Event) -> Mishap:
    """Fall silent until the client hangs up."""
    return lambda events: EventStream(events[:after_chunks], hangs_until_gone=gone)


def verbatim(events: Sequence[bytes]) -> Mishap:
    """Send these events instead."""
    return lambda _: EventStream(events)
