"""Which client has a torrent now: what is done to it is done there and nowhere else."""

from capabilities.adapters.downloader.port import Downloader, Downloaders, Transfer
from ledger.stores.downloads import DownloadRow


async def has_it(row: DownloadRow, clients: Downloaders) -> tuple[Downloader, Transfer] | None:
    """The client that has the torrent: the one it went to, or one that it was moved to.

    None when all of them answered and none has it.

    Raises:
        WorldFaultError: it could not be asked, or one that may have it did not answer.
    """
    for client in clients.clients:
        if client.name == row.client:
            transfer = await client.transfer(row.info_hash)
            if transfer is not None:
                return client, transfer
    return await clients.find(row.info_hash)
