"""What the files of a release are, each by itself, where its torrent has been seen."""

from anyio import to_thread

from capabilities.adapters.downloader.torrent_file import read_torrent
from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.file_candidates import TITLES_S, NotAsked
from capabilities.adapters.metadata.name_reading import Read
from capabilities.adapters.metadata.pack_reading import PackFile, read_pack
from capabilities.kernel.context import Context
from capabilities.kernel.faults import UnreachableError
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.pack_identity import videos_among
from ledger.stores import releases


async def pack_files(
    release: str,
    claimed_ids: dict[str, str],
    held: Read,
    policy: IdentityPolicy,
    context: Context,
    *,
    seconds: float = TITLES_S,
) -> list[PackFile]:
    """The identities of the videos of a release; none while nobody has seen its torrent.

    ``seconds`` are those of `file_candidates`.

    Raises:
        WorldFaultError: a metadata source that is needed did not answer, or not in time; nothing
            is concluded.
    """
    raw = await context.ledger.read(lambda conn: releases.torrent(conn, release))
    if raw is None:
        return []
    torrent = await to_thread.run_sync(read_torrent, raw)
    videos = videos_among([DownloadedFile(each.path, each.size) for each in torrent.shown()])
    catalogue = context.part(Catalogue, "metadata source")
    told = await read_pack(videos, claimed_ids, held, policy, catalogue, seconds=seconds)
    late = sum(each.not_asked is NotAsked.LATE for each in told)
    if late:
        raise UnreachableError(
            "the metadata sources",
            f"They did not answer in time for the titles of {late} of its files, so it is not "
            "known what it holds.",
        )
    return told
