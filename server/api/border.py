"""What every request passes on its way in, and every error on its way out."""

from typing import cast

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from capabilities.kernel.arguments import UNSTORABLE
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused
from ledger.texts import is_storable
from server.api.problems import answer_problem
from server.guard.guard import Guard

MOST_BODY_BYTES = 4 * 1024 * 1024
"""Enough for a torrent file of a large pack in Base64."""


class Border:
    """ASGI middleware: admission by the guard, a cap on bodies, problem documents for errors."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        """Wrap ``app``."""
        self._app = app
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let an HTTP request pass, or answer for it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def guarded_send(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers.setdefault("Cache-Control", "no-store")
                headers.setdefault("X-Content-Type-Options", "nosniff")
            await send(message)

        request = Request(scope, receive)
        try:
            self._guard.admit(request)
            await self._app(scope, _capped(request, receive), guarded_send)
        except Exception as error:
            if started:
                raise
            response = await answer_problem(request, error)
            await response(scope, receive, guarded_send)


async def refuse_unstorable(request: Request) -> None:
    """Let no text in that a database cannot hold: not in the body, the path or the query.

    Raises:
        HaltError: refused with ``invalid_input``; the sentence says where it is.
    """
    held: dict[str, object] = {**request.path_params, **request.query_params}
    if request.method not in {"GET", "HEAD"}:
        held |= await _members(request)
    for name, value in held.items():
        if not (is_storable(name) and is_storable(value)):
            raise HaltError(Refused(Code.INVALID_INPUT, f"{ascii(name)[1:-1]}: {UNSTORABLE}"))


async def _members(request: Request) -> dict[str, object]:
    """What a body of JSON holds; one that is none is refused by whoever wants it."""
    try:
        body: object = await request.json()
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, object]", body) if isinstance(body, dict) else {"body": body}


def _capped(request: Request, receive: Receive) -> Receive:
    """Refuse a body over the cap, by its declared length or by what has come."""
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > MOST_BODY_BYTES:
        raise _too_large()
    got = 0

    async def counted() -> Message:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > MOST_BODY_BYTES:
            raise _too_large()
        return message

    return counted


def _too_large() -> HTTPException:
    return HTTPException(413, f"The body is larger than {MOST_BODY_BYTES} bytes")
