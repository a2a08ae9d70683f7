"""One torrent of qBittorrent as the port describes it."""

from collections.abc import Callable, Container
from pathlib import Path

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import ClientState, FileProgress, Transfer
from capabilities.adapters.downloader.qbittorrent_answers import Row
from capabilities.adapters.downloader.qbittorrent_notes import Notes
from capabilities.adapters.downloader.qbittorrent_states import STOPPED, error_of, state_of

_ARRIVED = {ClientState.SEEDING, ClientState.COMPLETED}


class Quiet:
    """Since when torrents have neither peers nor progress, by our own clock."""

    def __init__(self, stall_after_s: float, clock: Callable[[], float]) -> None:
        """Call stalled what was quiet for so many seconds."""
        self._stall_after_s = stall_after_s
        self._clock = clock
        self._since: dict[str, tuple[int, float]] = {}

    def is_stalled(self, id_: str, row: Row) -> bool:
        """Take in a reading, and say whether it has been quiet for too long."""
        now = self._clock()
        done, since = self._since.get(id_, (row.completed, now))
        peers = row.num_seeds + row.num_leechs
        if peers or done != row.completed or row.state in STOPPED:
            since = now
        self._since[id_] = row.completed, since
        return now - since >= self._stall_after_s

    def forget(self, id_: str) -> None:
        """It is gone, or begins anew."""
        self._since.pop(id_, None)

    def keep(self, ids: Container[str]) -> None:
        """Forget all but these."""
        self._since = {id_: held for id_, held in self._since.items() if id_ in ids}


def described(
    row: Row,
    hashes: InfoHashes,
    files: tuple[FileProgress, ...],
    *,
    refused: str | None = None,
    stalled: bool = False,
    rechecking: bool = False,
) -> Transfer:
    """The torrent as the port describes it.

    Args:
        row: what qBittorrent says of it.
        hashes: what it is called.
        files: how far each is; none before the metadata.
        refused: the sentence, if its names were refused.
        stalled: whether it has been quiet for too long.
        rechecking: whether a recheck was asked for that qBittorrent does not show yet.
    """
    state = ClientState.FAILED if refused else _state(row, stalled=stalled, rechecking=rechecking)
    wanted = [file for file in files if file.wanted]
    return Transfer(
        hashes=hashes,
        name=row.name if row.has_metadata else hashes.key,
        state=state,
        wanted_bytes=sum(file.size for file in wanted),
        done_bytes=sum(file.done for file in wanted),
        down_rate=row.dlspeed,
        up_rate=row.upspeed,
        peers=row.num_seeds + row.num_leechs,
        save_path=Path(row.save_path),
        category=row.category,
        files=files,
        error=refused or error_of(row.state),
        ratio=row.ratio,
        seeding_s=row.seeding_time,
        stopped_at_limit=_at_limit(row, state),
    )


def described_in_brief(row: Row, hashes: InfoHashes, folder: Path) -> Transfer:
    """The torrent by its row alone, for one that is none of ours: its files are not told.

    Args:
        row: what qBittorrent says of it.
        hashes: what it is called.
        folder: its save path.
    """
    wanted = max(row.size, 0)
    left = min(max(row.amount_left, 0), wanted)
    state = _state(row, stalled=False, rechecking=False)
    return Transfer(
        hashes=hashes,
        name=row.name if row.has_metadata else hashes.key,
        state=state,
        wanted_bytes=wanted,
        done_bytes=wanted - left,
        down_rate=row.dlspeed,
        up_rate=row.upspeed,
        peers=row.num_seeds + row.num_leechs,
        save_path=folder,
        category=row.category,
        error=error_of(row.state),
        ratio=row.ratio,
        seeding_s=row.seeding_time,
        stopped_at_limit=_at_limit(row, state),
    )


def _at_limit(row: Row, state: ClientState) -> bool:
    paused_by_us = Notes.of(row.tags).paused_by_us
    return state is ClientState.COMPLETED and row.at_limit and not paused_by_us


def _state(row: Row, *, stalled: bool, rechecking: bool) -> ClientState:
    notes, state = Notes.of(row.tags), state_of(row.state)
    if rechecking and state is not ClientState.FAILED:
        return ClientState.CHECKING
    if state in _ARRIVED and row.amount_left:
        return ClientState.CHECKING  # it is told of as done before its bytes are counted
    if state is ClientState.PAUSED_BY_OWNER:
        if notes.paused_by_us:
            return ClientState.PAUSED_BY_US
        # Stopped until its names and its choice of files were settled.
        return ClientState.QUEUED if notes.adding and row.has_metadata else state
    if stalled and state in {ClientState.DOWNLOADING, ClientState.METADATA}:
        return ClientState.STALLED
    return state
