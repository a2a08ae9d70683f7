"""The files of a finished download, as its client lists them and as the disk has them."""

from collections.abc import Sequence

from capabilities.adapters.downloader.port import Downloaders, FileProgress, Transfer
from capabilities.adapters.shelf.freezing import freeze
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Refused
from capabilities.organize.import_plan import FrozenSource
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan


async def finished(row: DownloadRow, context: Context) -> Transfer:
    """The torrent in its client, complete.

    Raises:
        HaltError: it is not there, or not complete; nothing was planned.
    """
    clients = context.part(Downloaders, "download client")
    transfer = await clients.named(row.client).transfer(row.info_hash)
    if transfer is None:
        raise HaltError(Failed(Code.NOT_FOUND, f"{row.client} no longer has this download."))
    if not transfer.complete:
        raise HaltError(
            Refused(
                Code.PRECONDITION,
                f"This download is {transfer.state}, not complete; nothing was planned.",
                {"do": "Follow it with download__inspect."},
            )
        )
    return transfer


def approved(transfer: Transfer, parent: Plan) -> tuple[list[FileProgress], list[FileProgress]]:
    """The files that were fetched and approved, and those that the client fetched besides.

    ``parent`` is the plan by which the torrent was fetched. A client that had it before fetches
    what it was told then.
    """
    indexes = {int(file["index"]) for file in parent.payload["files"]}
    fetched = [file for file in transfer.files if file.wanted]
    return (
        [file for file in fetched if file.index in indexes],
        [file for file in fetched if file.index not in indexes],
    )


async def frozen(paths: Sequence[str], sources: Root) -> dict[str, FrozenSource]:
    """What stat(2) says of each source now."""
    held: dict[str, FrozenSource] = {}
    for path in paths:
        now = await freeze(sources, path)
        held[path] = FrozenSource(
            path=path, device=now.device, inode=now.inode, size=now.size, mtime_ns=now.mtime_ns
        )
    return held
