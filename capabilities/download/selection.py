"""The files of a plan: as a client is told them, and as one that has the torrent fetches them."""

from capabilities.adapters.downloader.port import Transfer
from capabilities.adapters.downloader.torrent_file import Torrent
from capabilities.download.acquisition import Acquisition
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Failed, HaltError
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.outside_text import cleaned
from capabilities.rules.pack_identity import videos_among
from capabilities.rules.wording import counted


def indexes(wanted: Acquisition, torrent: Torrent) -> tuple[int, ...] | None:
    """What `AddRequest.wanted` is to be: the plan's files, None where they are all there are."""
    chosen = {file.index for file in wanted.files}
    if chosen == {file.index for file in torrent.shown()}:
        return None
    return tuple(sorted(chosen))


def refuse_lacking(wanted: Acquisition, client: str, transfer: Transfer) -> None:
    """Let nobody wait for a video that the client was told not to fetch; it is left as it is.

    Raises:
        HaltError: failed; the client has the torrent, without some video of the plan.
    """
    fetched = {file.index for file in transfer.files if file.wanted}
    videos = set(videos_among([DownloadedFile(file.path, file.size) for file in wanted.files]))
    lacking = [
        file.path for file in wanted.files if file.path in videos and file.index not in fetched
    ]
    if not transfer.files or not lacking:
        return
    many = counted(len(lacking), "video")
    raise HaltError(
        Failed(
            Code.CONFLICT,
            f"{client} has this torrent already and does not fetch {many} of the plan, "
            f"{cleaned(lacking[0])} first. Nothing was done.",
            "Have these files fetched there by hand, or remove the torrent there and submit again.",
        )
    )
