"""Emby."""

from collections.abc import Mapping

from capabilities.adapters.media_server.emby_protocol import Dialect, EmbyProtocol, by_commas
from capabilities.adapters.media_server.port import ServerKind
from capabilities.adapters.outbound import Outbound
from capabilities.rules.path_mapping import PathMap


def emby(
    name: str, address: str, key: str, *, outbound: Outbound, paths: PathMap | None = None
) -> EmbyProtocol:
    """An Emby server, by an API key of its dashboard.

    Source: https://dev.emby.media/reference/RestAPI.html.
    """
    dialect = Dialect(ServerKind.EMBY, _signed, by_commas)
    return EmbyProtocol(dialect, name, address, key, outbound=outbound, paths=paths)


def _signed(key: str) -> Mapping[str, str]:
    return {"X-Emby-Token": key}
