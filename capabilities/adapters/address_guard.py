"""The guard for addresses that other people chose: only the public internet, checked after DNS.

A name is resolved once, every address it resolves to is checked, and the connection goes to a
checked address, so that a name which answers differently a moment later gains nothing.
Source of the refused ranges: the IANA special-purpose address registries (RFC 6890), and the
addresses at which cloud hosts answer with credentials.
"""

import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import anyio
import httpx2

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
IpAddress = IPv4Address | IPv6Address

_GLOBAL_UNICAST = ip_network("2000::/3")
_REFUSED_THOUGH_GLOBAL = tuple(
    ip_network(text)
    for text in (
        "168.63.129.16/32",  # the host agent of a cloud, on a public number
        "192.0.0.0/24",
        "192.88.99.0/24",  # 6to4 relays
        "224.0.0.0/4",
        "240.0.0.0/4",
        "2001::/23",  # Teredo and other protocol assignments
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation
    )
)
_ISATAP = (0x00005EFE, 0x02005EFE)


class RefusedAddressError(Exception):
    """The address is not one that may be fetched on somebody else's word; nothing was sent."""


def is_public(address: IpAddress) -> bool:
    """Whether an address belongs to the public internet.

    Refused: private, loopback, link-local, carrier-grade NAT, multicast, reserved and metadata
    addresses, and every IPv6 form that carries an IPv4 address inside (mapped, compatible, 6to4,
    Teredo, NAT64, ISATAP), whatever it carries.
    """
    if not address.is_global or any(address in network for network in _REFUSED_THOUGH_GLOBAL):
        return False
    if isinstance(address, IPv4Address):
        return True
    interface = (int(address) >> 32) & 0xFFFFFFFF
    return address in _GLOBAL_UNICAST and interface not in _ISATAP


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """All addresses that the system's resolver gives for a host, in its order of preference."""
    rows = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(row[4][0]) for row in rows]


@dataclass(frozen=True, slots=True)
class AddressGuard:
    """What resolves names and which addresses may be connected to."""

    resolve: Resolver = system_resolver
    permits: Callable[[IpAddress], bool] = is_public

    async def checked(self, url: httpx2.URL) -> Sequence[str]:
        """The addresses that may be connected to for this URL.

        Raises:
            RefusedAddressError: wrong scheme, user information, or one address that is refused.
            OSError: the name cannot be resolved.
        """
        if url.scheme not in {"http", "https"} or not url.raw_host or url.userinfo:
            raise RefusedAddressError
        port = url.port or (443 if url.scheme == "https" else 80)
        addresses = await self.resolve(url.raw_host.decode("ascii"), port)
        if not all(self.permits(ip_address(address)) for address in addresses):
            raise RefusedAddressError
        return addresses


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Connects only to addresses that the guard has checked, under the name that was asked for.

    The inner transport must not keep connections alive: it knows them by address, and one that
    was opened (and whose certificate was checked) for one name must not serve another.
    """

    def __init__(self, guard: AddressGuard, inner: httpx2.AsyncBaseTransport) -> None:
        """Put a guard before a transport."""
        self._guard = guard
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send to the first checked address that accepts a connection.

        Raises:
            RefusedAddressError: the guard refused; nothing was sent.
            httpx2.ConnectError: the name cannot be resolved, or no address accepts.
        """
        try:
            addresses = await self._guard.checked(request.url)
        except (OSError, UnicodeError) as error:
            raise httpx2.ConnectError("the name cannot be resolved") from error
        failure = httpx2.ConnectError("the name has no address")
        for address in addresses:
            try:
                return await self._inner.handle_async_request(_pinned(request, address))
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                failure = error
        raise failure

    async def aclose(self) -> None:
        """Close the inner transport."""
        await self._inner.aclose()


def _pinned(request: httpx2.Request, address: str) -> httpx2.Request:
    """The same request, Host header included, sent to one address; TLS still names the host."""
    server_name = request.url.raw_host.decode("ascii")
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": server_name},
    )
