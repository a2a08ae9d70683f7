"""Building the adapters that the settings ask for; what is not configured is not there."""

from collections.abc import AsyncGenerator, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TypeVar

import svcs

from capabilities.adapters.downloader.in_one_place import InOnePlace
from capabilities.adapters.downloader.port import Downloader, Downloaders
from capabilities.adapters.indexer.indexers import Indexers
from capabilities.adapters.indexer.torznab import Torznab
from capabilities.adapters.media_server.port import MediaServers
from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.outbound import Outbound
from capabilities.adapters.shelf.folders import Folders
from server.download_clients import embedded_client, other_clients
from server.media_servers import media_servers
from server.metadata_sources import metadata_sources
from server.secrets_at_rest.sealed import UNOPENED
from server.settings import IndexerSettings, Settings
from server.ways import Ways

Part = TypeVar("Part")


@asynccontextmanager
async def adapters(
    home: Path, settings: Settings, version: str, *, shut: Collection[str] = ()
) -> AsyncGenerator[svcs.Container]:
    """Every configured part by its class, closed again at the end of the block.

    ``shut`` names the secrets that are sealed and do not open: what needs one is there, sends
    nothing, and says why.
    """
    parts = svcs.Registry()
    async with AsyncExitStack() as open_parts:
        ways = Ways(
            await open_parts.enter_async_context(Outbound(version=version)),
            await open_parts.enter_async_context(Outbound(version=version, shut=UNOPENED)),
            shut,
        )
        sources = metadata_sources(settings.metadata, ways)
        if sources:
            _provide(parts, Catalogue, Catalogue(sources))
        if settings.indexers:
            indexers = [_indexer(each, ways) for each in settings.indexers]
            _provide(parts, Indexers, Indexers(indexers))
        if settings.media_servers:
            _provide(parts, MediaServers, media_servers(settings.media_servers, ways))
        folders = _folders(settings)
        if folders is not None:
            _provide(parts, Folders, folders)
            await _provide_clients(parts, open_parts, home, settings, ways)
        yield svcs.Container(parts)


def held(parts: svcs.Container, kind: type[Part]) -> Part | None:
    """The part of this class, or None where it is not configured."""
    try:
        return parts.get(kind)
    except svcs.exceptions.ServiceNotFoundError:
        return None


def _provide(parts: svcs.Registry, kind: type[object], part: object) -> None:
    parts.register_value(kind, part)  # pyright: ignore[reportUnknownMemberType]  # it leaves ping open


async def _provide_clients(
    parts: svcs.Registry, opened: AsyncExitStack, home: Path, settings: Settings, ways: Ways
) -> None:
    clients: list[Downloader] = []
    embedded, downloads = settings.downloader.embedded, settings.folders.downloads
    if embedded.enabled and downloads is not None:
        one = embedded_client(home, downloads, embedded)
        _provide(parts, InOnePlace, one)
        clients.append(one)
    clients += await opened.enter_async_context(other_clients(settings.downloaders, ways))
    if clients:
        _provide(parts, Downloaders, Downloaders(tuple(clients), settings.downloader.default))


def _indexer(settings: IndexerSettings, ways: Ways) -> Torznab:
    outbound = ways.out(settings.key, f"indexers.{settings.name}.key")
    key = "" if settings.key is None else settings.key.get_secret_value()
    return Torznab(
        settings.name, settings.address, key, outbound=outbound, priority=settings.priority
    )


def _folders(settings: Settings) -> Folders | None:
    """All three, or none: without a place for the result nothing is downloaded."""
    chosen = settings.folders
    if chosen.downloads is None or chosen.films is None or chosen.series is None:
        return None
    return Folders(chosen.downloads, chosen.films, chosen.series, settings.policy.min_free_bytes)
