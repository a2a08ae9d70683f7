"""The door of a loopback metadata source: it keeps a journal, and errs when it is told to."""

from collections import deque

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute


class Door:
    """A source on loopback.

    Attributes:
        address: without a final slash.
        requests: every request that came, oldest first.
    """

    def __init__(self) -> None:
        """Nobody has come yet."""
        self.address = ""
        self.requests: list[Request] = []
        self._instead: deque[Response] = deque()

    def answer_next(self, *responses: Response) -> None:
        """Answer the next requests with these, whatever they ask."""
        self._instead.extend(responses)

    def application(self, *routes: BaseRoute) -> Starlette:
        """The source as an ASGI application."""
        middleware = [Middleware(BaseHTTPMiddleware, dispatch=self._enter)]
        return Starlette(routes=routes, middleware=middleware)

    async def _enter(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        self.requests.append(request)
        return self._instead.popleft() if self._instead else await call_next(request)
