"""How long the videos of a finished download last, as far as that can be read now."""

from collections.abc import Sequence
from typing import Final

from capabilities.adapters.downloader.port import Transfer
from capabilities.adapters.media.probe import inspect
from capabilities.adapters.shelf import roots
from capabilities.adapters.shelf.below import below
from capabilities.adapters.shelf.folders import Folders
from capabilities.adapters.shelf.roots import Root
from capabilities.adapters.shelf.threads import off_loop
from capabilities.kernel.faults import WorldFaultError
from capabilities.rules.file_kinds import DownloadedFile, FileKind, sorted_kinds

MOST_READ: Final = 200
"""Videos of one download; some tens of milliseconds each."""


async def durations(
    files: Sequence[DownloadedFile], transfer: Transfer, folders: Folders, runtime: int | None
) -> dict[str, float]:
    """Seconds of each video by its path in the torrent, the smallest `MOST_READ` of them.

    What cannot be read is left out, as is a file that does not say how long it lasts: whether it
    is a video at all is for the placing to find.

    Args:
        files: everything in the download.
        transfer: where the client says that they lie.
        folders: where the download folder is.
        runtime: minutes of the film or of one episode; None where it is not known.
    """
    kinds = sorted_kinds(files, runtime)
    videos = sorted(
        (one for one, kind in kinds.items() if kind is FileKind.VIDEO),
        key=lambda one: (one.size, one.path),
    )
    try:
        async with roots.opened(folders.downloads, "the download folder") as sources:
            prefix = await off_loop(below, transfer.save_path, sources.path)
            if prefix is None:
                return {}
            found: dict[str, float] = {}
            for one in videos[:MOST_READ]:
                seconds = await _seconds(sources, "/".join((*prefix, one.path)))
                if seconds is not None:
                    found[one.path] = seconds
            return found
    except WorldFaultError:
        return {}


async def _seconds(sources: Root, path: str) -> float | None:
    try:
        facts = await inspect(sources, path)
    except WorldFaultError:
        return None
    return None if facts is None or facts.truncated else facts.duration_s
