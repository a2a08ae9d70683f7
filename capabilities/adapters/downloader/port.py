"""What a download client is to us: the embedded one, qBittorrent and Transmission alike.

One shared set of promises is tested against all of them. Every call answers from the client's
state at the time of the call, and fails with one of `capabilities.kernel.faults`.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from capabilities.adapters.downloader.client_health import ClientHealth
from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.kernel.faults import ElsewhereError, UnreachableError, WorldFaultError
from capabilities.rules.path_mapping import is_windows

CATEGORY = "matinee"


class ClientState(StrEnum):
    """What a client is doing with a torrent, in one vocabulary.

    ``COMPLETED`` and ``SEEDING`` promise that every wanted byte passed its hash and is on the
    disk; a completed one gives nothing to others, whoever paused it. ``MISSING_FILES`` is held
    until the owner has it rechecked. ``REMOVED`` is what our records say of a torrent that the
    client no longer has; a client answers None for it.
    """

    QUEUED = "queued"
    METADATA = "metadata"
    DOWNLOADING = "downloading"
    STALLED = "stalled"
    PAUSED_BY_US = "paused_by_us"
    PAUSED_BY_OWNER = "paused_by_owner"
    CHECKING = "checking"
    COMPLETED = "completed"
    SEEDING = "seeding"
    MISSING_FILES = "missing_files"
    FAILED = "failed"
    REMOVED = "removed"


class Pauser(StrEnum):
    """Who pauses or resumes: the owner by hand, or we, for want of disk space."""

    US = "us"
    OWNER = "owner"


@dataclass(frozen=True, slots=True)
class FileProgress:
    """One file of a torrent, pad files left out.

    Attributes:
        index: its place in the torrent, pad files counted; what `AddRequest.wanted` names.
        path: where it lies below the save path, with ``/`` between parts.
        size: bytes.
        done: bytes that passed their hash. They are surely on the disk when the transfer is
            complete, not before.
        wanted: whether the client was told to fetch it.
    """

    index: int
    path: str
    size: int
    done: int
    wanted: bool


@dataclass(frozen=True, slots=True)
class Transfer:
    """One torrent in one client.

    Attributes:
        hashes: what is known of them; a magnet's other hash comes with its metadata.
        name: the torrent's own, text from outside; its hash until the metadata is there.
        wanted_bytes, done_bytes: of the wanted files, pad files left out; 0 before the metadata.
        down_rate, up_rate: payload, bytes per second.
        peers: connected ones.
        save_path: absolute; as we call it where the client's folders are mapped, else as the
            client does.
        client_path: the same in the client's own words, where those are others.
        files: empty before the metadata, and where `Downloader.transfers` leaves them out.
        error: a sentence when the state is ``FAILED``.
        ratio: bytes given over bytes taken (or had, where nothing was taken).
        seeding_s: seconds for which it was complete and running.
        stopped_at_limit: the client stopped it by itself, at its own ratio, time or idle limit.
    """

    hashes: InfoHashes
    name: str
    state: ClientState
    wanted_bytes: int
    done_bytes: int
    down_rate: int
    up_rate: int
    peers: int
    save_path: Path
    category: str
    files: tuple[FileProgress, ...] = ()
    error: str | None = None
    ratio: float = 0.0
    seeding_s: int = 0
    client_path: Path | None = None
    stopped_at_limit: bool = False

    @property
    def reported_path(self) -> Path:
        """Where it lies in the client's own words."""
        return self.client_path or self.save_path

    @property
    def complete(self) -> bool:
        """Whether all that was wanted is there; nothing wanted is never complete."""
        there = self.state in {ClientState.COMPLETED, ClientState.SEEDING}
        return there and 0 < self.wanted_bytes <= self.done_bytes


@dataclass(frozen=True, slots=True)
class AddRequest:
    """A torrent to fetch.

    Attributes:
        source: the bytes of a torrent file, a magnet link, or a bare info-hash; never an address.
        save_path: absolute, as the client sees it.
        wanted: indexes of the files to fetch; None for all. Pad files are never named.
        peers: addresses known beforehand, as (IP, port).

    Raises:
        ValueError: the save path is not absolute.
    """

    source: bytes | str
    save_path: Path
    wanted: tuple[int, ...] | None = None
    category: str = CATEGORY
    peers: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        """Refuse a path that would depend on where a process was started."""
        if not self.save_path.is_absolute() and not is_windows(str(self.save_path)):
            raise ValueError("a save path is absolute")


class Downloader(Protocol):
    """One download client. Hashes are taken in any spelling of `InfoHashes.names`, any case."""

    @property
    def name(self) -> str:
        """What the owner calls it; unique among the clients."""
        ...

    @property
    def kind(self) -> str:
        """The adapter: ``embedded``, ``qbittorrent``, ``transmission``."""
        ...

    async def add(self, request: AddRequest) -> InfoHashes:
        """Fetch a torrent; afterwards it survives a crash of the client.

        A torrent that the client already has is adopted as it stands and not added again.

        Raises:
            DeclinedError: the source or its file names are refused, a wanted index does not
                exist, or the client did not accept the selection; nothing is kept.
        """
        ...

    async def transfer(self, info_hash: str) -> Transfer | None:
        """The torrent of that hash, or None if the client answered that it has none."""
        ...

    async def transfers(self) -> Sequence[Transfer]:
        """All torrents of the client, in the order in which they were added.

        Of one that is not ours, that is has neither our category nor a note of ours and was not
        asked for here, the files may be left out: an owner may have many thousands.
        """
        ...

    async def pause(self, info_hash: str, *, by: Pauser) -> None:
        """Stop it and remember who did; the owner's pause is not weakened by ours.

        Raises:
            DeclinedError: the client has no such torrent.
        """
        ...

    async def resume(self, info_hash: str, *, by: Pauser) -> None:
        """Let it run again, after an error too.

        Raises:
            DeclinedError: the client has no such torrent, it is held for missing files or unsafe
                names, or the owner paused it and it is not the owner who resumes.
        """
        ...

    async def recheck(self, info_hash: str) -> None:
        """Hash everything on disk anew, and let go what was held for missing files.

        What is not there afterwards is fetched again, unless the torrent is paused.

        Raises:
            DeclinedError: the client has no such torrent, no metadata of it, or refused its names.
        """
        ...

    async def remove(self, info_hash: str, *, delete_data: bool) -> None:
        """Forget a torrent, and delete its files if told to; none of that hash is no error.

        Raises:
            LostAnswerError: it was forgotten, but some files would not go.
        """
        ...

    def changes(self) -> AbstractAsyncContextManager[AsyncIterator[str]]:
        """The keys (`InfoHashes.key`) of torrents that changed since the block began.

        Changes of torrents that are not ours (see `transfers`) may be left out.
        A slow reader gets a key once for many changes, so it looks at `transfer` for the state.
        The iteration ends when the client is closed.
        """
        ...

    async def health(self) -> ClientHealth:
        """How it is; a client that cannot be reached answers so instead of raising."""
        ...

    async def aclose(self) -> None:
        """Let go of the client; calling it twice is fine."""
        ...


@dataclass(frozen=True, slots=True)
class Downloaders:
    """All clients of this home, and the one that new downloads go to.

    Raises:
        ValueError: two clients share a name, or the default is none of them.
    """

    clients: tuple[Downloader, ...]
    default_name: str

    def __post_init__(self) -> None:
        """Refuse a set in which a name does not lead to one client."""
        names = [client.name for client in self.clients]
        if len(set(names)) != len(names):
            raise ValueError("two download clients have one name")
        if self.default_name not in names:
            raise ValueError("the default download client does not exist")

    @property
    def default(self) -> Downloader:
        """Where new downloads go."""
        return self.named(self.default_name)

    def named(self, name: str) -> Downloader:
        """The client of that name.

        Raises:
            LookupError: there is none.
        """
        for client in self.clients:
            if client.name == name:
                return client
        raise LookupError(f"there is no download client named {name!r}")

    async def find(self, info_hash: str) -> tuple[Downloader, Transfer] | None:
        """The first client that has the torrent; None when all were asked and none has it.

        Raises:
            ElsewhereError: none of those that are here has it, and one is not here.
            UnreachableError: none of those that answered has it, and some did not answer.
        """
        silent: list[str] = []
        elsewhere: ElsewhereError | None = None
        for client in self.clients:
            try:
                transfer = await client.transfer(info_hash)
            except ElsewhereError as fault:
                elsewhere = fault
            except WorldFaultError:
                silent.append(client.name)
            else:
                if transfer is not None:
                    return client, transfer
        if elsewhere is not None:
            raise elsewhere
        if silent:
            raise UnreachableError(
                "the download clients",
                f"{', '.join(silent)} did not answer, so where the torrent is stays open."
                " Try again when all of them can be reached.",
            )
        return None
