"""The one place where HTTP leaves: one client per upstream, built once, closed together.

Two ways out. A *neighbour* is a system whose address the owner configured; it may be private or
loopback, and only that origin is ever contacted. The *public* way is for addresses that somebody
else supplied; it reaches the public internet only (`address_guard`).
"""

import ssl
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import TracebackType
from typing import Self

import anyio
import httpx2

from capabilities.adapters.address_guard import AddressGuard, GuardedTransport
from capabilities.adapters.redaction import redact_client_log
from capabilities.adapters.upstream import Bounds, Pace, Upstream
from capabilities.kernel.faults import DeclinedError

_PUBLIC = "public"


def _utc_now() -> datetime:
    return datetime.now(UTC)


@cache
def _tls_context() -> ssl.SSLContext:
    """The same for every client: reading the certificates is most of what one costs to build."""
    return httpx2.create_ssl_context()


class Outbound:
    """Every outbound client of the process.

    Environment proxies are not used: they would carry requests past the guard. Certificates
    from `SSL_CERT_FILE` are, because homes have authorities of their own.
    """

    def __init__(
        self,
        *,
        version: str,
        bounds: Bounds | None = None,
        guard: AddressGuard | None = None,
        wait: Callable[[float], Awaitable[None]] = anyio.sleep,
        now: Callable[[], datetime] = _utc_now,
        shut: str = "",
    ) -> None:
        """Fix how requests present themselves, their bounds, and how time passes.

        With a sentence in ``shut``, nothing is sent: every read is refused with it, for systems
        that cannot be asked, since the key they want is not at hand.
        """
        redact_client_log()
        self._headers = {"User-Agent": f"Matinee/{version}"}
        self._bounds = bounds or Bounds()
        self._guard = guard or AddressGuard()
        self._pace = Pace(wait=wait, now=now)
        self._shut = shut
        self._clients: dict[str, httpx2.AsyncClient] = {}

    def neighbour(self, system: str, address: str, *, body_bytes: int | None = None) -> Upstream:
        """The way to a system whose address the owner configured.

        Args:
            system: the words a person knows it by, used in faults.
            address: any http or https address at that system; its origin is what counts.
            body_bytes: how large an answer of it may be, where that is more than usual.

        Raises:
            DeclinedError: the configured address is not an http or https address.
        """
        try:
            url = httpx2.URL(address)
        except httpx2.InvalidURL:
            url = httpx2.URL()
        if url.scheme not in {"http", "https"} or not url.host:
            raise DeclinedError(
                system,
                "Its configured address is no http or https address, so nothing was sent. "
                "Correct it in the settings.",
            )
        key = f"{url.scheme}://{url.netloc.decode('ascii')}"
        client = self._clients.get(key) or self._keep(key, self._open(transport=None))
        bounds = (
            self._bounds if body_bytes is None else replace(self._bounds, body_bytes=body_bytes)
        )
        return Upstream(system, client, bounds, self._pace, origin=url.origin, shut=self._shut)

    def public(self, system: str) -> Upstream:
        """The way to addresses that `system` supplied: the public internet and nothing else."""
        client = self._clients.get(_PUBLIC)
        if client is None:
            inner = httpx2.AsyncHTTPTransport(
                verify=_tls_context(),
                trust_env=False,
                limits=httpx2.Limits(max_keepalive_connections=0),
            )
            client = self._keep(_PUBLIC, self._open(GuardedTransport(self._guard, inner)))
        return Upstream(system, client, self._bounds, self._pace, origin=None, shut=self._shut)

    async def aclose(self) -> None:
        """Close every client."""
        while self._clients:
            _, client = self._clients.popitem()
            await client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    def _open(self, transport: httpx2.AsyncBaseTransport | None) -> httpx2.AsyncClient:
        bounds = self._bounds
        return httpx2.AsyncClient(
            headers=self._headers,
            verify=_tls_context(),
            trust_env=False,
            follow_redirects=False,
            timeout=httpx2.Timeout(bounds.read_s, connect=bounds.connect_s),
            transport=transport,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )

    def _keep(self, key: str, client: httpx2.AsyncClient) -> httpx2.AsyncClient:
        self._clients[key] = client
        return client
