"""Jellyfin."""

from collections.abc import Mapping

from capabilities.adapters.media_server.emby_protocol import Dialect, EmbyProtocol, repeated
from capabilities.adapters.media_server.port import ServerKind
from capabilities.adapters.outbound import Outbound
from capabilities.rules.path_mapping import PathMap


def jellyfin(
    name: str, address: str, key: str, *, outbound: Outbound, paths: PathMap | None = None
) -> EmbyProtocol:
    """A Jellyfin server, by an API key of its dashboard.

    Source: https://api.jellyfin.org.
    """
    dialect = Dialect(ServerKind.JELLYFIN, _signed, repeated)
    return EmbyProtocol(dialect, name, address, key, outbound=outbound, paths=paths)


def _signed(key: str) -> Mapping[str, str]:
    return {"Authorization": f'MediaBrowser Token="{key}"'}
