"""Torrent files and magnet links, read and judged."""

from dataclasses import dataclass, field

import libtorrent as lt

from capabilities.adapters.downloader.info_hashes import InfoHashes, named_by
from capabilities.adapters.downloader.torrent_names import (
    BadTorrentError,
    check_info,
    check_paths,
)

_MAX_MAGNET_CHARACTERS = 16_384
_MAX_ADDRESSES = 20
_ANNOUNCING = ("http://", "https://", "udp://")
_UNREADABLE = "It is not a torrent that can be read. Look for another release."


@dataclass(frozen=True, slots=True)
class TorrentFile:
    """One file of a torrent.

    Attributes:
        index: its place in the torrent, pad files counted.
        path: where it will lie below the save path, with ``/`` between parts.
        size: bytes.
        pad: whether it is filling between files (BEP 47), never written and never shown.
    """

    index: int
    path: str
    size: int
    pad: bool = False


@dataclass(frozen=True, slots=True)
class Torrent:
    """A torrent whose names are safe; sizes in bytes, `size` without pad files."""

    name: str
    files: tuple[TorrentFile, ...]
    hashes: InfoHashes
    size: int
    piece_length: int
    private: bool
    raw: bytes = field(repr=False)

    def shown(self) -> tuple[TorrentFile, ...]:
        """The files without pads."""
        return tuple(file for file in self.files if not file.pad)


@dataclass(frozen=True, slots=True)
class Magnet:
    """A magnet link (BEP 9) or a bare hash made into one.

    Attributes:
        name: what the link claims.
        trackers: addresses of the kinds that announce (BEP 3, BEP 15); whoever wrote the link
            chose them.
        peers: likewise, as (IP, port).
    """

    hashes: InfoHashes
    name: str | None
    uri: str
    trackers: tuple[str, ...] = ()
    peers: tuple[tuple[str, int], ...] = ()

    def without_addresses(self) -> "Magnet":
        """The same torrent, for whoever is to follow nobody's word about where to look."""
        return Magnet(self.hashes, self.name, bare_uri(self.hashes))


def read_torrent(raw: bytes) -> Torrent:
    """Read a torrent file of either version and judge its names; blocking, pure computing.

    Raises:
        BadTorrentError: it is no torrent, too large to read, or its names are refused (see
            `torrent_names.check_info`).
    """
    try:
        params = lt.load_torrent_buffer(raw)
    except RuntimeError as error:
        # libtorrent gives up on some bad names before anyone can judge them.
        raise BadTorrentError(_UNREADABLE) from error
    if params.ti is None:
        raise BadTorrentError(_UNREADABLE)
    return described(params.ti, raw)


def described(info: lt.torrent_info, raw: bytes = b"") -> Torrent:
    """The same for metadata that libtorrent has already read, however it came.

    Raises:
        BadTorrentError: its names are refused.
    """
    check_info(info.info_section())
    layout = info.layout()
    files = tuple(
        TorrentFile(
            index,
            layout.file_path(index),
            layout.file_size(index),
            bool(layout.file_flags(index) & lt.file_storage.flag_pad_file),
        )
        for index in range(layout.num_files())
    )
    shown = [file for file in files if not file.pad]
    # What is written is libtorrent's reading of the names, so that is judged as well.
    check_paths(tuple(part.encode() for part in file.path.split("/")) for file in shown)
    return Torrent(
        name=info.name(),
        files=files,
        hashes=hashes_of(info.info_hashes()),
        size=sum(file.size for file in shown),
        piece_length=info.piece_length(),
        private=info.priv(),
        raw=raw,
    )


_NEITHER = "It is neither a magnet link nor an info-hash."
_NO_HASH = (
    "The magnet link names no torrent: an info-hash has 40 or 64 hexadecimal digits, or 32 letters "
    "of base32."
)


def parse_magnet(text: str) -> Magnet:
    """Read a magnet link or a bare info-hash in any usual spelling.

    Raises:
        BadTorrentError: it is neither.
    """
    text = text.strip()
    bare = named_by(text)
    if bare is not None:
        return Magnet(bare, None, bare_uri(bare))
    if len(text) > _MAX_MAGNET_CHARACTERS:
        raise BadTorrentError("It is too long for a magnet link.")
    try:
        params = lt.parse_magnet_uri(text)
        hashes = hashes_of(params.info_hashes)
    except (RuntimeError, ValueError) as error:
        is_link = text.lower().startswith("magnet:")
        raise BadTorrentError(_NO_HASH if is_link else _NEITHER) from error
    trackers = (url for url in params.trackers if url.lower().startswith(_ANNOUNCING))
    return Magnet(
        hashes=hashes,
        name=params.name or None,
        uri=text,
        trackers=tuple(dict.fromkeys(trackers))[:_MAX_ADDRESSES],
        peers=tuple(params.peers[:_MAX_ADDRESSES]),
    )


def hashes_of(hashes: lt.info_hash_t) -> InfoHashes:
    """Our spelling of what libtorrent knows.

    Raises:
        ValueError: it knows none.
    """
    return InfoHashes(
        v1=str(hashes.v1) if hashes.has_v1() else None,
        v2=str(hashes.v2) if hashes.has_v2() else None,
    )


def bare_uri(hashes: InfoHashes) -> str:
    """A magnet link that says the hashes and nothing else."""
    v1 = [] if hashes.v1 is None else [f"xt=urn:btih:{hashes.v1}"]
    # BEP 9 writes v2 hashes as multihashes: 12 is SHA-256, 20 its length.
    v2 = [] if hashes.v2 is None else [f"xt=urn:btmh:1220{hashes.v2}"]
    return f"magnet:?{'&'.join(v1 + v2)}"
