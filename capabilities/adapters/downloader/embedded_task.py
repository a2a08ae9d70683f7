"""One torrent of the embedded client: what we want of it, and what libtorrent last said."""

from dataclasses import dataclass, field
from pathlib import Path

import anyio
import libtorrent as lt

from capabilities.adapters.downloader.embedded_kept import Intent
from capabilities.adapters.downloader.embedded_reading import UNREAD, Phase, Reading
from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import ClientState, FileProgress, Pauser, Transfer
from capabilities.adapters.downloader.torrent_file import TorrentFile

_WANTING = {Phase.METADATA: ClientState.METADATA, Phase.DOWNLOADING: ClientState.DOWNLOADING}
_PAUSED = {Pauser.US: ClientState.PAUSED_BY_US, Pauser.OWNER: ClientState.PAUSED_BY_OWNER}


@dataclass(slots=True, eq=False)
class Task:
    """A torrent in the session.

    Attributes:
        files: without pads; empty before the metadata, or if the names were refused.
        chosen: indexes of the files that are fetched.
        refused: the sentence, if its names were refused.
        starting: it was restored and has not been let go yet.
        claimed: it was restored with resume data that promises pieces.
        settled: all that is wanted is on the disk, and written down as such.
        rechecking: a recheck has begun and its end was not seen yet.
        busy: something is being done about the last reading already.
        gone: it was removed while somebody waited for a turn.
        progress, progress_at: bytes of each file that passed their hash, pads too, and the
            ``had`` of the reading that this was asked for at.
        turn: held by whoever asks the session about it.
        kept: the mark of the reading that was last written down.
        told: what readers of the changes last heard of it.
    """

    handle: lt.torrent_handle
    key: str
    hashes: InfoHashes
    intent: Intent
    name: str
    save_path: Path
    quiet_since: float
    files: tuple[TorrentFile, ...] = ()
    chosen: frozenset[int] = frozenset()
    reading: Reading = UNREAD
    refused: str | None = None
    starting: bool = False
    claimed: bool = False
    settled: bool = False
    rechecking: bool = False
    busy: bool = False
    gone: bool = False
    turn: anyio.Lock = field(default_factory=anyio.Lock)
    kept: tuple[int, int] | None = None
    told: tuple[object, ...] | None = None
    progress: list[int] = field(default_factory=list[int])
    progress_at: int | None = None

    @property
    def held(self) -> bool:
        """Whether it must not run."""
        intent = self.intent
        return intent.missing or self.refused is not None or intent.paused_by is not None

    def observe(self, reading: Reading, now: float) -> None:
        """Take in a new reading; `now` is seconds on a monotonic clock."""
        if reading.peers or reading.had != self.reading.had:
            self.quiet_since = now
        self.reading = reading

    def state(self, now: float, stall_after_s: float) -> ClientState:
        """The one word for it."""
        reading, intent = self.reading, self.intent
        if self.refused is not None or reading.fault is not None:
            return ClientState.FAILED
        if intent.missing:
            return ClientState.MISSING_FILES
        if reading.phase is Phase.CHECKING or intent.recheck:
            return ClientState.CHECKING
        if reading.finished and self.settled:
            return ClientState.COMPLETED if intent.paused_by else ClientState.SEEDING
        if intent.paused_by is not None:
            return _PAUSED[intent.paused_by]
        if self.starting or reading.phase is Phase.STARTING:
            return ClientState.QUEUED
        if not reading.finished and now - self.quiet_since >= stall_after_s:
            return ClientState.STALLED
        return _WANTING.get(reading.phase, ClientState.DOWNLOADING)

    def transfer(self, now: float, stall_after_s: float) -> Transfer:
        """It as the port describes it."""
        reading = self.reading
        files = self._file_progress()
        taken = max(reading.received, reading.had)
        return Transfer(
            hashes=self.hashes,
            name=self.name,
            state=self.state(now, stall_after_s),
            wanted_bytes=sum(file.size for file in files if file.wanted),
            done_bytes=sum(file.done for file in files if file.wanted),
            down_rate=reading.down_rate,
            up_rate=reading.up_rate,
            peers=reading.peers,
            save_path=self.save_path,
            category=self.intent.category,
            files=files,
            error=self.refused or reading.fault,
            ratio=reading.given / taken if taken else 0.0,
            seeding_s=reading.seeding_s,
        )

    def _file_progress(self) -> tuple[FileProgress, ...]:
        return tuple(
            FileProgress(
                index=file.index,
                path=file.path,
                size=file.size,
                done=self.progress[file.index] if self.progress else 0,
                wanted=file.index in self.chosen,
            )
            for file in self.files
        )
