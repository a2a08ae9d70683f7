from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capabilities.adapters.address_guard import (
    AddressGuard,
    GuardedTransport,
    RefusedAddressError,
    is_public,
    system_resolver,
)
from capabilities.adapters.outbound import Outbound
from capabilities.kernel.faults import DeclinedError, UnreachableError
from tests.capabilities.adapters.scripted_neighbour import neighbour

INSIDE = [
    "0.0.0.0",  # noqa: S104  an address to refuse, nothing binds to it
    "10.1.2.3",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::10.0.0.1",
    "100::1",
    "2001:0:7f00:1::",
    "2001:db8::1",
    "2002:7f00:1::",
    "2606:4700::5efe:127.0.0.1",
    "2606:4700::200:5efe:10.0.0.1",
    "3fff::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
]


@pytest.mark.parametrize("address", INSIDE)
def test_an_address_that_is_not_of_the_public_internet_is_refused(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["1.1.1.1", "8.8.8.8", "2606:4700::1111", "2a00:1450:4001::1"])
def test_an_ordinary_address_is_public(address: str) -> None:
    assert is_public(ip_address(address))


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_inside_an_ipv6_one_is_refused_whatever_it_is(inner: IPv4Address) -> None:
    number = int(inner)
    forms = (
        number,  # compatible
        (0xFFFF << 32) | number,  # mapped
        (0x0064FF9B << 96) | number,  # NAT64
        (0x2002 << 112) | (number << 80),  # 6to4
        (0x20010000 << 96) | (number ^ 0xFFFFFFFF),  # Teredo
        (0x26064700 << 96) | (0x5EFE << 32) | number,  # ISATAP
    )
    assert [form for form in forms if is_public(IPv6Address(form))] == []


SPELLINGS = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "localhost",
    "localhost.",
    "LOCALHOST",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "①②⑦.⓪.⓪.①",
    "user@127.0.0.1",
    "example.com@127.0.0.1",
]


@pytest.mark.anyio
@pytest.mark.parametrize("host", SPELLINGS)
async def test_no_spelling_of_loopback_reaches_a_listener_there(host: str) -> None:
    async with neighbour() as canary, Outbound(version="0", wait=_at_once) as out:
        port = canary.address.rpartition(":")[2]
        with pytest.raises((DeclinedError, UnreachableError)):
            await out.public("the peer").get(f"http://{host}:{port}/")

    assert canary.requests == []


async def _at_once(_seconds: float) -> None:
    return


async def _two_faced(_host: str, _port: int) -> Sequence[str]:
    return ["8.8.8.8", "10.0.0.1"]


@pytest.mark.anyio
async def test_a_name_with_one_address_inside_is_refused_whole() -> None:
    guard = AddressGuard(resolve=_two_faced)
    with pytest.raises(RefusedAddressError):
        await guard.checked(httpx2.URL("http://site.example/"))


@pytest.mark.anyio
async def test_user_information_is_refused_before_anything_is_resolved() -> None:
    async def never(host: str, port: int) -> Sequence[str]:
        raise AssertionError((host, port))

    with pytest.raises(RefusedAddressError):
        await AddressGuard(resolve=never).checked(httpx2.URL("http://a:b@site.example/"))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("address", "port"),
    [("http://s.example/", 80), ("https://s.example/", 443), ("https://s.example:8443/", 8443)],
)
async def test_a_name_is_resolved_for_the_port_that_is_meant(address: str, port: int) -> None:
    asked: list[tuple[str, int]] = []

    async def resolve(host: str, number: int) -> Sequence[str]:
        asked.append((host, number))
        return ["8.8.8.8"]

    await AddressGuard(resolve=resolve).checked(httpx2.URL(address))

    assert asked == [("s.example", port)]


@pytest.mark.anyio
async def test_the_system_resolver_gives_addresses_as_text() -> None:
    assert "127.0.0.1" in await system_resolver("127.0.0.1", 80)


class _Deaf(httpx2.AsyncBaseTransport):
    """A transport to which only one address answers; it keeps what it was asked for."""

    def __init__(self, answering: str) -> None:
        self.answering = answering
        self.asked: list[httpx2.Request] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        if request.url.host != self.answering:
            raise httpx2.ConnectError("refused")
        return httpx2.Response(200)


async def _twice(_host: str, _port: int) -> Sequence[str]:
    return ["2606:4700::1111", "8.8.8.8"]


@pytest.mark.anyio
async def test_the_next_checked_address_is_tried_when_one_does_not_accept() -> None:
    inner = _Deaf("8.8.8.8")
    transport = GuardedTransport(AddressGuard(resolve=_twice), inner)

    answer = await transport.handle_async_request(httpx2.Request("GET", "https://s.example/a?b=1"))

    assert answer.status_code == 200
    assert [str(r.url) for r in inner.asked] == [
        "https://[2606:4700::1111]/a?b=1",
        "https://8.8.8.8/a?b=1",
    ]
    assert {r.headers["Host"] for r in inner.asked} == {"s.example"}
    assert {r.extensions["sni_hostname"] for r in inner.asked} == {"s.example"}


@pytest.mark.anyio
async def test_a_name_that_nobody_answers_for_cannot_be_connected_to() -> None:
    transport = GuardedTransport(AddressGuard(resolve=_twice), _Deaf("1.1.1.1"))

    with pytest.raises(httpx2.ConnectError):
        await transport.handle_async_request(httpx2.Request("GET", "https://s.example/"))


@pytest.mark.anyio
async def test_a_name_without_any_address_cannot_be_connected_to() -> None:
    async def nothing(_host: str, _port: int) -> Sequence[str]:
        return []

    transport = GuardedTransport(AddressGuard(resolve=nothing), _Deaf("1.1.1.1"))

    with pytest.raises(httpx2.ConnectError):
        await transport.handle_async_request(httpx2.Request("GET", "https://s.example/"))


@pytest.mark.anyio
async def test_a_name_that_does_not_resolve_cannot_be_connected_to() -> None:
    async def unknown(_host: str, _port: int) -> Sequence[str]:
        raise OSError

    transport = GuardedTransport(AddressGuard(resolve=unknown), _Deaf("1.1.1.1"))

    with pytest.raises(httpx2.ConnectError):
        await transport.handle_async_request(httpx2.Request("GET", "https://s.example/"))
