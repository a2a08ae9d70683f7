"""What a request must not look like, whoever sends it.

Against DNS rebinding the Host header must be one of ours; against cross-site requests, unsafe ones
are judged by fetch metadata (https://www.w3.org/TR/fetch-metadata/) and, where a browser sends
none, by Origin (RFC 6454); and no key may travel in an address, which ends up in logs.
"""

import re
from collections.abc import Iterable
from urllib.parse import parse_qsl, unquote

from starlette.datastructures import Headers
from starlette.types import Scope

from capabilities.kernel.codes import Code
from server.guard.faults import DoorError, WrongHostError
from server.guard.keys import KEY_PREFIX

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
ANY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104  # these are names nobody may ask for
KEY_PARAMETERS = frozenset({"access_token", "api_key", "apikey", "authorization", "key", "token"})

_KEY = re.compile(re.escape(KEY_PREFIX) + r"[A-Za-z0-9_-]{40}")


def is_local(scope: Scope) -> bool:
    """Whether a connection came through the Unix socket, where a server address has no port."""
    server = scope.get("server")
    return server is None or server[1] is None


def own_names(host: str, allowed_hosts: Iterable[str]) -> frozenset[str]:
    """The host names a server that listens on ``host`` answers under."""
    return (LOOPBACK_NAMES | {host, *allowed_hosts}) - ANY_ADDRESS


def refuse_wrong_host(headers: Headers, names: frozenset[str]) -> None:
    """Refuse a request for a name that is not ours, whatever the port.

    Raises:
        WrongHostError: none, several, or another one.
    """
    hosts = headers.getlist("host")
    if len(hosts) != 1 or _host_name(hosts[0]) not in names:
        raise WrongHostError


def refuse_cross_site(method: str, headers: Headers, *, with_cookie: bool) -> None:
    """Refuse an unsafe request that another site made a browser send.

    A request that says nothing about its origin comes from no current browser; it passes unless
    it carries the session's cookie.

    Raises:
        DoorError: denied.
    """
    if method in SAFE_METHODS:
        return
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        same = site in {"same-origin", "none"}
    elif origin is not None:
        host = headers.get("host")
        same = origin in {f"http://{host}", f"https://{host}"}
    else:
        same = not with_cookie
    if not same:
        raise DoorError(Code.DENIED, "That request came from another site. Nothing was done.")


def refuse_key_in_address(path: str, query: str) -> None:
    """Refuse an address that holds a key.

    Raises:
        DoorError: denied.
    """
    names = {name.lower() for name, _ in parse_qsl(query, keep_blank_values=True)}
    if names & KEY_PARAMETERS or _KEY.search(unquote(path)) or _KEY.search(unquote(query)):
        raise DoorError(
            Code.DENIED,
            "A key in an address ends up in logs and histories. Send it as `Authorization: "
            "Bearer …`; if this one was real, revoke it.",
        )


def _host_name(host: str) -> str:
    bracketed = re.fullmatch(r"\[([0-9a-fA-F:.]+)\](:[0-9]*)?", host)
    if bracketed is not None:
        return bracketed[1].lower()
    plain = re.fullmatch(r"([A-Za-z0-9.-]+)(:[0-9]*)?", host)
    return "" if plain is None else plain[1].lower()
