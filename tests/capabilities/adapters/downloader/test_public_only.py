from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capabilities.adapters.address_guard import is_public
from capabilities.adapters.downloader.public_only import public_only

SHUT = public_only()
ISATAP = ("2001:4860::5efe:808:808", "2001:4860::200:5efe:808:808")
SPECIAL = (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32",
    "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24",
    "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",
    "240.0.0.0/4", "::1/128", "::ffff:0:0/96", "64:ff9b::/96", "100::/64", "2001::/32",
    "2001:db8::/32", "2002::/16", "3fff::/20", "fc00::/7", "fe80::/10", "ff00::/8", "2000::/3",
)  # fmt: skip


def lets_through(address: IPv4Address | IPv6Address) -> bool:
    return not SHUT.access(str(address))


@pytest.mark.parametrize("special", SPECIAL)
def test_it_says_what_the_guard_says_at_the_ends_of_every_special_range(special: str) -> None:
    network = ip_network(special)
    kind = type(network[0])
    ends = (int(network[0]), int(network[-1]))
    for number in {
        ends[0],
        ends[1],
        max(ends[0] - 1, 0),
        min(ends[1] + 1, 2 ** kind(0).max_prefixlen - 1),
    }:
        assert lets_through(kind(number)) is is_public(kind(number)), kind(number)


@given(st.ip_addresses(v=4))
def test_it_says_what_the_guard_says_of_any_ipv4_address(address: IPv4Address) -> None:
    assert lets_through(address) is is_public(address)


@given(st.ip_addresses(v=6).filter(lambda address: str(address) not in ISATAP))
def test_it_says_what_the_guard_says_of_any_ipv6_address(address: IPv6Address) -> None:
    assert lets_through(address) is is_public(address)


@pytest.mark.parametrize("text", ISATAP)
def test_a_form_that_is_no_range_is_the_only_difference(text: str) -> None:
    assert lets_through(ip_address(text))
    assert not is_public(ip_address(text))
