"""Building the media servers that the settings name."""

from collections.abc import Sequence
from typing import Final

from capabilities.adapters.media_server.emby import emby
from capabilities.adapters.media_server.jellyfin import jellyfin
from capabilities.adapters.media_server.kodi import Kodi
from capabilities.adapters.media_server.plex import Plex
from capabilities.adapters.media_server.port import MediaServer, MediaServers, Shown
from capabilities.adapters.media_server.together import AskedTogether
from capabilities.rules.works import WorkKind
from server.media_server_settings import MediaServerSettings
from server.setting_types import path_map
from server.ways import Ways

_KINDS: Final = {"films": WorkKind.FILM, "series": WorkKind.SERIES}


def media_servers(settings: Sequence[MediaServerSettings], ways: Ways) -> MediaServers:
    """The servers in the settings' order, each asked once for all who wait for it.

    One whose key is missing is there and is refused by what it asks; one whose sealed key does not
    open sends nothing, and says why.
    """
    return MediaServers(
        tuple(
            Shown(
                AskedTogether(_server(each, ways)),
                frozenset(_KINDS[library] for library in each.shows),
            )
            for each in settings
        )
    )


def _server(settings: MediaServerSettings, ways: Ways) -> MediaServer:
    name, address, paths = settings.name, settings.address, path_map(settings.paths)
    key = "" if settings.key is None else settings.key.get_secret_value()
    way = ways.out(settings.key, f"media_servers.{name}.key")
    match settings.kind:
        case "jellyfin":
            return jellyfin(name, address, key, outbound=way, paths=paths)
        case "emby":
            return emby(name, address, key, outbound=way, paths=paths)
        case "plex":
            return Plex(name, address, key, outbound=way, paths=paths)
        case "kodi":
            return Kodi(name, address, settings.user, key, outbound=way, paths=paths)
