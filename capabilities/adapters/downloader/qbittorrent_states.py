"""qBittorrent's words for what a torrent does, of version 4 and of version 5, in ours."""

from typing import Final

from capabilities.adapters.downloader.port import ClientState

STOPPED: Final = frozenset({"pausedDL", "pausedUP", "stoppedDL", "stoppedUP"})
"""Nothing runs, whoever stopped it; version 5 calls it stopped."""
UNTOLD: Final = frozenset({"checkingResumeData", "moving"})
"""Whether it is stopped cannot be seen while it does this."""

_STATES: Final = {
    "allocating": ClientState.QUEUED,
    "checkingDL": ClientState.CHECKING,
    "checkingResumeData": ClientState.CHECKING,
    "checkingUP": ClientState.CHECKING,
    "downloading": ClientState.DOWNLOADING,
    "error": ClientState.FAILED,
    "forcedDL": ClientState.DOWNLOADING,
    "forcedMetaDL": ClientState.METADATA,
    "forcedUP": ClientState.SEEDING,
    "metaDL": ClientState.METADATA,
    "missingFiles": ClientState.MISSING_FILES,
    # Its files are on the way to another folder, so that they are not where it says.
    "moving": ClientState.CHECKING,
    "pausedDL": ClientState.PAUSED_BY_OWNER,
    "pausedUP": ClientState.COMPLETED,
    "queuedDL": ClientState.QUEUED,
    "queuedForChecking": ClientState.CHECKING,
    "queuedUP": ClientState.SEEDING,
    "stalledDL": ClientState.DOWNLOADING,
    "stalledUP": ClientState.SEEDING,
    "stoppedDL": ClientState.PAUSED_BY_OWNER,
    "stoppedUP": ClientState.COMPLETED,
    "uploading": ClientState.SEEDING,
}


def state_of(word: str) -> ClientState:
    """Our word for it; one that is not known yet is an error that the owner looks at."""
    return _STATES.get(word, ClientState.FAILED)


def error_of(word: str) -> str | None:
    """The sentence for a torrent that failed."""
    if word == "error":
        return (
            "qBittorrent could not go on with it, most often because a file could not be written."
            " Its log says why; let it run again after that."
        )
    if word not in _STATES:
        return f"qBittorrent says {word[:40]!r} of it, which is not known here. Look at it there."
    return None
