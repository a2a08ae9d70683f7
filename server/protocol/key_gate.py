"""Nobody comes in without a key: the gate before MCP over HTTP.

Bearer tokens: RFC 6750. The SDK's own gate belongs to OAuth, which Matinee's keys are not.
"""

from collections.abc import Sequence
from http import HTTPStatus

from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from capabilities.kernel.translate import from_ledger
from ledger.clock import new_id
from ledger.faults import LedgerUnavailableError
from server.protocol.callers import Caller, Callers
from server.protocol.door import CALLER

LOOPBACK = ("127.0.0.1", "localhost", "::1")
KEY_NAMES = frozenset({"access_token", "api_key", "apikey", "authorization", "key", "token"})
_CHALLENGE = 'Bearer realm="matinee"'


def transport_security(allowed_hosts: Sequence[str]) -> TransportSecuritySettings:
    """Loopback and the owner's host names, on any port; names come without scheme and port."""
    names = [f"[{name}]" if ":" in name else name for name in (*LOOPBACK, *allowed_hosts)]
    origins = [f"{scheme}://{name}" for scheme in ("http", "https") for name in names]
    return TransportSecuritySettings(
        allowed_hosts=[*names, *(f"{name}:*" for name in names)],
        allowed_origins=[*origins, *(f"{origin}:*" for origin in origins)],
    )


class KeyGate:
    """Lets a request through to ``app`` with its `Caller` in the scope, or answers it.

    Wrong Host 421, foreign Origin 403, a key in the address 400, no usable key 401.
    """

    def __init__(self, app: ASGIApp, callers: Callers, allowed_hosts: Sequence[str]) -> None:
        """Guard ``app``."""
        self._app = app
        self._callers = callers
        self._security = TransportSecurityMiddleware(transport_security(allowed_hosts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one HTTP request."""
        request = Request(scope)
        refused = await self._refused_address(request)
        if refused is None:
            try:
                key = await self._key(request)
            except LedgerUnavailableError as fault:
                refused = _problem(
                    HTTPStatus.SERVICE_UNAVAILABLE,
                    "temporarily_unavailable",
                    from_ledger(fault).sentence,
                )
            else:
                if key is not None:
                    passed = {**scope, CALLER: Caller(key, new_id("conn"))}
                    await self._app(passed, receive, send)
                    return
                refused = _unauthorized(request)
        await refused(scope, receive, send)

    async def _refused_address(self, request: Request) -> Response | None:
        wrong = await self._security.validate_request(request)
        if wrong is not None and wrong.status_code == HTTPStatus.MISDIRECTED_REQUEST:
            wrong = _problem(
                HTTPStatus.MISDIRECTED_REQUEST,
                "misdirected_request",
                "Matinee does not answer under this host name. If it is meant to, add the name to "
                "`allowed_hosts` under [server] in settings.toml.",
            )
        if wrong is None and KEY_NAMES & {name.lower() for name in request.query_params}:
            wrong = _problem(
                HTTPStatus.BAD_REQUEST,
                "invalid_request",
                "A key was sent in the address, where logs keep it. Revoke it, make a new one, "
                "and send that as `Authorization: Bearer <key>`.",
            )
        return wrong

    async def _key(self, request: Request) -> str | None:
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not secret.strip():
            return None
        return await self._callers.key_of(secret.strip())


def _unauthorized(request: Request) -> Response:
    challenge = _CHALLENGE
    if "authorization" in request.headers:
        challenge += ', error="invalid_token", error_description="unknown, expired or revoked key"'
    return _problem(
        HTTPStatus.UNAUTHORIZED,
        "invalid_token",
        "No valid key came with this request. Send `Authorization: Bearer <key>` with a key that "
        "the owner made and has not revoked.",
        {"WWW-Authenticate": challenge},
    )


def _problem(
    status: int, error: str, sentence: str, headers: dict[str, str] | None = None
) -> Response:
    return JSONResponse({"error": error, "error_description": sentence}, status, headers)
