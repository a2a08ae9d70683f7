"""What Transmission says of one torrent at one moment.

https://github.com/transmission/transmission/blob/4.0.6/docs/rpc-spec.md, section 3.3
"""

import base64
import binascii
from enum import IntEnum
from functools import cached_property
from typing import Annotated, Final

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from capabilities.adapters.downloader.transmission_labels import Labels, read_labels
from capabilities.adapters.downloader.transmission_rpc import Shape

_LARGEST: Final = 10**18
_LOCAL_ERROR: Final = 3
_GONE: Final = "No data found"
_PAD_FOLDER: Final = ".pad"

Bytes = Annotated[int, Field(ge=0, le=_LARGEST)]


class Status(IntEnum):
    """`tr_torrent_activity` of libtransmission/transmission.h."""

    STOPPED = 0
    WAITS_TO_CHECK = 1
    CHECKS = 2
    WAITS_TO_FETCH = 3
    FETCHES = 4
    WAITS_TO_SEED = 5
    SEEDS = 6


class _Named(Shape):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class FileRow(_Named):
    """One file; the place in the list is its index."""

    name: str
    length: Bytes

    @property
    def pad(self) -> bool:
        """Whether it is filling between files (BEP 47), which Transmission takes for a file."""
        return _PAD_FOLDER in self.name.split("/")[:-1]


class FileStats(_Named):
    """What is to become of a file."""

    wanted: bool


class Row(_Named):
    """One torrent without its files; bytes, bytes per second, seconds."""

    id: int
    hash_string: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
    name: str
    status: Status
    error: int = 0
    error_string: str = ""
    labels: list[str] = Field(default_factory=list[str])
    metadata_percent_complete: float = 1.0
    have_valid: Bytes = 0
    size_when_done: Bytes = 0
    left_until_done: Bytes = 0
    downloaded_ever: Bytes = 0
    uploaded_ever: Bytes = 0
    rate_download: Bytes = 0
    rate_upload: Bytes = 0
    peers_connected: Bytes = 0
    seconds_seeding: Bytes = 0
    is_finished: bool = False
    added_date: int = 0
    start_date: int = 0
    queue_position: int = 0
    download_dir: str

    @cached_property
    def notes(self) -> Labels:
        """What its labels say."""
        return read_labels(self.labels)

    @property
    def has_metadata(self) -> bool:
        """Whether its files are known."""
        return self.metadata_percent_complete >= 1

    @property
    def stopped(self) -> bool:
        """Whether it neither runs, nor waits to, nor is checked."""
        return self.status is Status.STOPPED

    @property
    def checking(self) -> bool:
        """Whether it is being checked, or waits for it."""
        return self.status in {Status.WAITS_TO_CHECK, Status.CHECKS}

    @property
    def missing(self) -> bool:
        """Whether Transmission found none of its files, though there was data in them.

        It says so until the torrent runs again, also of one that is being checked.
        """
        return self.broken and self.error_string.startswith(_GONE)

    @property
    def broken(self) -> bool:
        """Whether something on its machine is wrong; what a tracker says is no such thing."""
        return self.error == _LOCAL_ERROR

    @property
    def complete(self) -> bool:
        """Whether all that is wanted passed its hash; nothing wanted is never complete."""
        return self.has_metadata and self.size_when_done > 0 and self.left_until_done == 0

    @property
    def paused_by_hand(self) -> bool:
        """Whether its owner stopped it, or it reached its seeding goal: nobody asked us to."""
        notes = self.notes
        free = notes.paused_by is None and not notes.adding and not notes.refused
        return self.stopped and not self.broken and free

    @property
    def unfinished(self) -> bool:
        """Whether it looks like one that was added stopped, and then nothing more was done."""
        return not self.labels and not self.start_date and (self.stopped or self.checking)

    @property
    def order(self) -> tuple[int, int, int]:
        """Torrents are listed by it; when they were added is known to the second."""
        return self.added_date, self.queue_position, self.id

    @property
    def mark(self) -> tuple[object, ...]:
        """Two looks with the same mark have nothing between them that is worth telling."""
        return (
            self.status,
            self.error_string,
            tuple(self.labels),
            self.metadata_percent_complete,
            self.have_valid,
            self.size_when_done,
            self.left_until_done,
            self.rate_download,
            self.rate_upload,
            self.peers_connected,
            self.download_dir,
        )


class FullRow(Row):
    """One torrent with its files."""

    files: list[FileRow] = Field(default_factory=list[FileRow])
    file_stats: list[FileStats] = Field(default_factory=list[FileStats])
    pieces: str = ""
    piece_size: Bytes = 0

    @property
    def wanted(self) -> frozenset[int]:
        """Indexes of the files that it was told to fetch, pad files included."""
        return frozenset(index for index, file in enumerate(self.file_stats) if file.wanted)

    @property
    def paths(self) -> list[str]:
        """Where its files lie below the save path, pad files left out."""
        return [file.name for file in self.files if not file.pad]

    def done(self) -> list[int]:
        """Bytes of each file that passed their hash: what Transmission counts itself did not yet.

        Of a torrent that is complete, that is each wanted file whole.
        """
        try:
            have = base64.b64decode(self.pieces, validate=True)
        except binascii.Error:
            have = b""
        counts: list[int] = []
        start = 0
        wanted = self.wanted if self.complete else frozenset[int]()
        for index, file in enumerate(self.files):
            end = start + file.length
            whole = index in wanted
            counts.append(file.length if whole else _within(start, end, self.piece_size, have))
            start = end
        return counts


def field_names(shape: type[Row]) -> list[str]:
    """What to ask for to fill such a row."""
    return [field.alias or name for name, field in shape.model_fields.items()]


def _within(start: int, end: int, piece: int, have: bytes) -> int:
    """Bytes from ``start`` to ``end`` that lie in pieces of a bit field (BEP 3)."""
    if not piece:
        return 0
    there = 0
    for index in range(start // piece, -(-end // piece)):
        if index // 8 < len(have) and have[index // 8] & (0x80 >> index % 8):
            there += min(end, (index + 1) * piece) - max(start, index * piece)
    return there
