"""What libtorrent says about one torrent at one moment, as plain values."""

import errno
from dataclasses import dataclass
from enum import StrEnum

import libtorrent as lt


class Phase(StrEnum):
    """libtorrent's own states; it has none for paused, stalled, failed or missing."""

    STARTING = "starting"
    CHECKING = "checking"
    METADATA = "metadata"
    DOWNLOADING = "downloading"
    FINISHED = "finished"


# `errors::duplicate_torrent` of libtorrent/error_code.hpp.
_DUPLICATE = 19
_PHASES: dict[int, Phase] = {
    lt.torrent_status.queued_for_checking: Phase.CHECKING,
    lt.torrent_status.checking_files: Phase.CHECKING,
    lt.torrent_status.downloading_metadata: Phase.METADATA,
    lt.torrent_status.downloading: Phase.DOWNLOADING,
    lt.torrent_status.finished: Phase.FINISHED,
    lt.torrent_status.seeding: Phase.FINISHED,
    lt.torrent_status.checking_resume_data: Phase.STARTING,
}


@dataclass(frozen=True, slots=True)
class Reading:
    """One look at a torrent; bytes, bytes per second, seconds.

    ``received`` and ``given`` count payload over all sessions; ``had`` is everything on disk.
    A finished one wants nothing more, which is also true of one that never wanted anything.
    """

    phase: Phase
    has_metadata: bool
    wanted: int
    done: int
    had: int
    received: int
    given: int
    down_rate: int
    up_rate: int
    peers: int
    seeding_s: int
    fault: str | None

    @property
    def finished(self) -> bool:
        """Whether every wanted byte passed its hash (it may not be on the disk yet)."""
        return self.phase is Phase.FINISHED and 0 < self.wanted <= self.done

    @property
    def mark(self) -> tuple[int, int]:
        """Two readings with the same mark have nothing between them that is worth keeping."""
        return self.had, self.given


UNREAD = Reading(
    phase=Phase.STARTING,
    has_metadata=False,
    wanted=0,
    done=0,
    had=0,
    received=0,
    given=0,
    down_rate=0,
    up_rate=0,
    peers=0,
    seeding_s=0,
    fault=None,
)
"""Before the first look."""


def read_status(status: lt.torrent_status) -> Reading:
    """Copy what is needed; the status may be freed afterwards."""
    return Reading(
        phase=_PHASES.get(int(status.state), Phase.STARTING),
        has_metadata=status.has_metadata,
        wanted=status.total_wanted,
        done=status.total_wanted_done,
        had=status.total_done,
        received=status.all_time_download,
        given=status.all_time_upload,
        down_rate=status.download_payload_rate,
        up_rate=status.upload_payload_rate,
        peers=status.num_peers,
        seeding_s=int(status.seeding_duration.total_seconds()),
        fault=_sentence(status.errc) if status.errc.value() else None,
    )


def _sentence(error: lt.error_code) -> str:
    if error.category().name() != "libtorrent":
        is_full = error.value() in {errno.ENOSPC, errno.EDQUOT}
        cure = "Free some space" if is_full else "Check the download folder"
        return (
            f"The files could not be written or read ({error.message()}). {cure}, then resume it."
        )
    if error.value() == _DUPLICATE:
        return (
            "It turned out to be a torrent that is here already under its other hash."
            " Remove one of the two, then resume the other."
        )
    return f"libtorrent stopped it ({error.message()}). Resume it, or look for another release."
