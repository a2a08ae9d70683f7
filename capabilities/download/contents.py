"""What a release holds: its torrent file, fetched once by us."""

from collections.abc import Collection
from dataclasses import dataclass

from anyio import to_thread

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.torrent_file import read_torrent
from capabilities.adapters.indexer.indexers import Indexers
from capabilities.download.acquisition import WantedFile
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.rules.dangerous import danger
from capabilities.rules.found import Found
from capabilities.rules.outside_text import cleaned
from capabilities.rules.stored import found_from
from ledger.stores import releases
from ledger.stores.releases import ReleaseRow


@dataclass(frozen=True, slots=True)
class Contents:
    """What a torrent says of itself.

    Attributes:
        size: bytes of the files.
        files: what is to be fetched of it.
        left_out: what is not.
    """

    hashes: InfoHashes
    size: int
    files: tuple[WantedFile, ...]
    left_out: tuple[WantedFile, ...] = ()

    @property
    def size_left_out(self) -> int:
        """Bytes that are not fetched."""
        return sum(file.size for file in self.left_out)

    def only(self, paths: Collection[str]) -> "Contents":
        """The same with these files wanted, and no others."""
        files = tuple(file for file in self.files if file.path in paths)
        left_out = tuple(file for file in self.files if file.path not in paths)
        size = sum(file.size for file in files)
        return Contents(self.hashes, size, files, (*self.left_out, *left_out))


async def contents(row: ReleaseRow, context: Context) -> Contents:
    """Open a release; the fetched torrent file is kept with it.

    Raises:
        WorldFaultError: the indexer could not give it, or it is no acceptable torrent.
        HaltError: refused; a file in it is dangerous, or there is only a magnet into which
            nobody has looked yet, so that nobody could approve its files.
    """
    raw = await context.ledger.read(lambda conn: releases.torrent(conn, row.id))
    if raw is None:
        raw = await _fetched(found_from(row.found), context)
    torrent = await to_thread.run_sync(read_torrent, raw)
    await context.ledger.write(
        lambda tx: releases.keep_torrent(tx, row.id, raw, torrent.hashes.key)
    )
    files = tuple(
        WantedFile(index=file.index, path=file.path, size=file.size) for file in torrent.shown()
    )
    _refuse_dangers(files)
    return Contents(torrent.hashes, torrent.size, files)


async def _fetched(found: Found, context: Context) -> bytes:
    """The torrent file; nobody is asked for one where only a magnet is there."""
    if found.link is not None:
        fetched = await context.part(Indexers, "indexer").fetch_torrent(found)
        if isinstance(fetched, bytes):
            return fetched
    raise HaltError(
        Refused(
            Code.PRECONDITION,
            "There is only a magnet for this release, and what it holds is not known yet, so it "
            "cannot be planned.",
            {"do": "Call release__inspect with this release, which asks peers for its files."},
        )
    )


def _refuse_dangers(files: tuple[WantedFile, ...]) -> None:
    found = {cleaned(file.path): why for file in files if (why := danger(file.path)) is not None}
    if found:
        path, why = next(iter(found.items()))
        raise HaltError(
            Refused(
                Code.PRECONDITION,
                f"This release is dangerous: {path!r}: {why}. Nothing was planned.",
                {"dangerous": found, "do": "Choose another release."},
            )
        )
