"""The files of a finished download, as its client lists them and as the disk has them."""

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from anyio import to_thread

from capabilities.adapters.downloader.port import Downloaders, FileProgress, Transfer
from capabilities.adapters.shelf.below import below
from capabilities.adapters.shelf.faults import NotFoundError
from capabilities.adapters.shelf.freezing import freeze
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Refused
from capabilities.organize.import_plan import FrozenSource
from capabilities.rules.outside_text import cleaned
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan

_LONGEST = 500
_PATHS_DIFFER = (
    "Look where the client keeps it: move it into folders.downloads there, or correct the client's"
    " `paths` in settings.toml and type `matinee doctor --clients`."
)


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


async def frozen(
    paths: Sequence[str], sources: Root, transfer: Transfer
) -> dict[str, FrozenSource]:
    """What stat(2) says of each file of a torrent now; its path is then one below ``sources``.

    Args:
        paths: as the torrent has them, below its save path.
        sources: the download folder.
        transfer: where the client says that the files lie, and how large they are.

    Raises:
        HaltError: refused; it lies outside of ``sources``, or what is there is not what the client
            says. Both paths are named: the client's and the one that was looked at.
        WorldFaultError: the disk did not answer, or what has the name is no regular file.
    """
    place = await to_thread.run_sync(below, transfer.save_path, sources.path)
    if place is None:
        _refuse(transfer, transfer.save_path, f"which is not inside of {_shown(sources.path)}")
    sizes = {file.path: file.size for file in transfer.files}
    held: dict[str, FrozenSource] = {}
    for path in paths:
        placed = "/".join((*place, path))
        try:
            now = await freeze(sources, placed)
        except NotFoundError:
            _refuse(transfer, sources.path / placed, "where there is nothing of that name", path)
        if now.size != sizes.get(path, now.size):
            said = f"where the file has {now.size} bytes instead of {sizes[path]}"
            _refuse(transfer, sources.path / placed, said, path)
        held[path] = FrozenSource(
            path=placed, device=now.device, inode=now.inode, size=now.size, mtime_ns=now.mtime_ns
        )
    return held


def _refuse(transfer: Transfer, looked_for: Path, finding: str, path: str = "") -> NoReturn:
    reported = transfer.reported_path / path
    raise HaltError(
        Refused(
            Code.PRECONDITION,
            f"The download client reports that it lies at {_shown(reported)}. Looked for was"
            f" {_shown(looked_for)}, {finding}; nothing was planned.",
            {
                "reported": _shown(reported),
                "looked_for": _shown(looked_for),
                "do": _PATHS_DIFFER,
            },
        )
    )


def _shown(path: Path) -> str:
    return cleaned(str(path), _LONGEST)
