"""Building the download clients that the settings name."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from capabilities.adapters.downloader.embedded import open_embedded
from capabilities.adapters.downloader.embedded_profile import (
    Encryption,
    LoopbackProfile,
    ProductProfile,
    Profile,
)
from capabilities.adapters.downloader.embedded_upkeep import Timing as EmbeddedTiming
from capabilities.adapters.downloader.in_one_place import InOnePlace
from capabilities.adapters.downloader.mapped import Mapped
from capabilities.adapters.downloader.port import Downloader
from capabilities.adapters.downloader.qbittorrent import open_qbittorrent
from capabilities.adapters.downloader.qbittorrent_live import Pace
from capabilities.adapters.downloader.qbittorrent_session import Account as QbittorrentAccount
from capabilities.adapters.downloader.transmission import open_transmission
from capabilities.adapters.downloader.transmission_rpc import Account as TransmissionAccount
from capabilities.adapters.downloader.transmission_upkeep import Timing as TransmissionTiming
from server.downloader_settings import EMBEDDED, EmbeddedSettings, OtherDownloaderSettings
from server.setting_types import path_map
from server.ways import Ways


def embedded_client(home: Path, downloads: Path, settings: EmbeddedSettings) -> InOnePlace:
    """The embedded client, to be run by one process of the house."""
    opened = partial(
        open_embedded,
        home / "torrents",
        downloads,
        _profile(settings),
        name=EMBEDDED,
        timing=EmbeddedTiming(stall_after_s=settings.stalled_after_s),
    )
    return InOnePlace(EMBEDDED, "embedded", opened)


@asynccontextmanager
async def other_clients(
    settings: tuple[OtherDownloaderSettings, ...], ways: Ways
) -> AsyncGenerator[tuple[Downloader, ...]]:
    """The clients that run by themselves, for the time of the block; they may be off.

    All of them take and tell save paths as we call them.
    """
    async with AsyncExitStack() as stack:
        clients: list[Downloader] = []
        for each in settings:
            client = await stack.enter_async_context(_opened(each, ways))
            clients.append(Mapped(client, path_map(each.paths)) if each.paths else client)
        yield tuple(clients)


@asynccontextmanager
async def _opened(settings: OtherDownloaderSettings, ways: Ways) -> AsyncGenerator[Downloader]:
    way = ways.out(settings.password, f"downloaders.{settings.name}.password")
    password = "" if settings.password is None else settings.password.get_secret_value()
    match settings.kind:
        case "qbittorrent":
            account = QbittorrentAccount(settings.address, settings.user, password)
            pace = Pace(stall_after_s=settings.stalled_after_s)
            async with open_qbittorrent(settings.name, account, way, pace=pace) as client:
                yield client
        case "transmission":
            account = TransmissionAccount(settings.address, settings.user, password)
            timing = TransmissionTiming(stall_after_s=settings.stalled_after_s)
            async with open_transmission(settings.name, account, way, timing=timing) as client:
                yield client


def _profile(embedded: EmbeddedSettings) -> Profile:
    if embedded.loopback_world:
        return LoopbackProfile()
    return ProductProfile(
        listen_port=embedded.listen_port,
        dht=embedded.dht,
        pex=embedded.pex,
        lsd=embedded.lsd,
        utp=embedded.utp,
        port_forwarding=embedded.port_forwarding,
        encryption=Encryption(embedded.encryption),
        upload_limit=embedded.upload_limit,
        download_limit=embedded.download_limit,
        connections=embedded.connections,
        upload_slots=embedded.upload_slots,
    )
