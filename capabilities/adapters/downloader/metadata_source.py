"""Asking strangers what a magnet stands for, before anything of it is planned."""

from typing import Protocol, runtime_checkable

from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.downloader.torrent_file import Magnet
from capabilities.kernel.faults import DeclinedError, UnreachableError


class NoMetadataError(UnreachableError):
    """Nobody who was reached in time had the metadata; nothing is left of the attempt."""


@runtime_checkable
class MetadataSource(Protocol):
    """A download client that can get a torrent's metadata alone (BEP 9)."""

    async def metadata(self, magnet: Magnet) -> bytes:
        """A torrent file for a magnet: exactly the info dictionary that its hashes name.

        No byte of what the torrent holds is fetched, and the client has no torrent more or less
        afterwards, however the call ends. A torrent that the client has already is not asked
        for. The trackers of the magnet are in the file; web seeds and the layers of pieces
        (BEP 52), which peers send later, are not.

        Raises:
            NoMetadataError: none came in time.
            DeclinedError: the client cannot do this, or what came is refused.
            ElsewhereError: another process runs the client.
        """
        ...


async def metadata_of(magnet: Magnet, clients: Downloaders) -> bytes:
    """The same from the default client, or else from the first that can.

    Raises:
        NoMetadataError, DeclinedError, ElsewhereError: see `MetadataSource.metadata`.
    """
    for client in (clients.default, *clients.clients):
        if isinstance(client, MetadataSource):
            return await client.metadata(magnet)
    raise DeclinedError(
        "the download clients",
        "None of them can look into a magnet. Give the torrent file instead.",
    )
