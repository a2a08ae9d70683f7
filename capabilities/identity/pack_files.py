"""What the files of a release are, each by itself, where its torrent has been seen."""

from anyio import to_thread

from capabilities.adapters.downloader.torrent_file import read_torrent
from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.name_reading import Read
from capabilities.adapters.metadata.pack_reading import PackFile, read_pack
from capabilities.kernel.context import Context
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.pack_identity import videos_among
from capabilities.rules.policy import IdentityPolicy
from ledger.stores import releases


async def pack_files(
    release: str,
    claimed_ids: dict[str, str],
    held: Read,
    policy: IdentityPolicy,
    context: Context,
) -> list[PackFile]:
    """The identities of the videos of a release; none while nobody has seen its torrent.

    Raises:
        WorldFaultError: a metadata source that is needed did not answer; nothing is concluded.
    """
    raw = await context.ledger.read(lambda conn: releases.torrent(conn, release))
    if raw is None:
        return []
    torrent = await to_thread.run_sync(read_torrent, raw)
    videos = videos_among([DownloadedFile(each.path, each.size) for each in torrent.shown()])
    catalogue = context.part(Catalogue, "metadata source")
    return await read_pack(videos, claimed_ids, held, policy, catalogue)
