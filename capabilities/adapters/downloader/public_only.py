"""The address guard's rule as the table of ranges that libtorrent wants.

libtorrent asks it about every peer, and about every address that a tracker's name turns out to
have, a moment before it connects.
"""

from ipaddress import ip_network
from typing import Final

import libtorrent as lt

_BLOCKED: Final = 1
_REFUSED = (
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "168.63.129.16/32",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/3",
    "::/3",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "4000::/2",
    "8000::/1",
)


def public_only() -> lt.ip_filter:
    """What lets nothing through but what `address_guard.is_public` calls public.

    One form is no range and passes here: a public IPv6 network with an ISATAP interface.
    """
    shut = lt.ip_filter()
    for text in _REFUSED:
        network = ip_network(text)
        shut.add_rule(str(network[0]), str(network[-1]), _BLOCKED)
    return shut
