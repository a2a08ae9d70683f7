"""What is given to Transmission: judged before anything is sent."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import quote

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import AddRequest
from capabilities.adapters.downloader.torrent_file import Magnet, parse_magnet, read_torrent
from capabilities.adapters.downloader.torrent_names import BadTorrentError
from capabilities.adapters.downloader.transmission_labels import Labels, category_label

_SECOND_ONLY = (
    "It is a torrent of version 2, and Transmission takes version 1 only. Look for another"
    " release, or let another download client fetch it."
)
_HYBRID = (
    "It is a torrent of both versions, and this Transmission takes version 1 only; 4.0 and later"
    " take such torrents. Look for another release, or let another download client fetch it."
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A torrent as it is to be in Transmission.

    Attributes:
        hashes: with a v1 hash among them.
        source: a torrent file, or a magnet link that names the hash, a name and trackers only.
        save_path: as Transmission sees it.
        labels: until it runs.
        wanted: indexes of the files to fetch; None while they are not known.
        files: how many there are, pad files counted; 0 while they are not known.
    """

    hashes: InfoHashes
    source: bytes | str
    save_path: str
    labels: Labels
    wanted: frozenset[int] | None = None
    files: int = 0

    @property
    def key(self) -> str:
        """What Transmission knows it by."""
        return self.hashes.key

    @property
    def unwanted(self) -> frozenset[int]:
        """Indexes of the files to leave out, pad files among them."""
        return frozenset(range(self.files)) - (self.wanted or frozenset())


def requested(request: AddRequest, *, takes_hybrids: bool) -> Entry:
    """What was asked for; blocking, pure computing.

    Addresses of peers are left out: Transmission takes none.

    Raises:
        BadTorrentError: the source or its names are refused, Transmission cannot take its
            version, or a wanted file does not exist.
    """
    category = category_label(request.category)
    labels = Labels((category,) if category else (), adding=True)
    save_path = str(request.save_path)
    if isinstance(request.source, bytes):
        torrent = read_torrent(request.source)
        hashes = _taken(torrent.hashes, takes_hybrids=takes_hybrids)
        shown = (file.index for file in torrent.shown())
        wanted = chosen(request.wanted, shown)
        if request.wanted is not None:
            labels = replace(labels, wanted=wanted)
        return Entry(hashes, request.source, save_path, labels, wanted, len(torrent.files))
    magnet = parse_magnet(request.source)
    hashes = _taken(magnet.hashes, takes_hybrids=takes_hybrids)
    later = None if request.wanted is None else frozenset(request.wanted)
    if later is not None and not later:
        raise _no_such_files()
    labels = replace(labels, unread=True, wanted=later)
    return Entry(hashes, _link(magnet, hashes), save_path, labels)


def chosen(wanted: Iterable[int] | None, shown: Iterable[int]) -> frozenset[int]:
    """Indexes of the files that are to be fetched, of those that are no pads.

    Raises:
        BadTorrentError: an index is no file's, or there are none.
    """
    every = frozenset(shown)
    if wanted is None:
        return every
    choice = frozenset(wanted)
    if not choice or not choice <= every:
        raise _no_such_files()
    return choice


def _no_such_files() -> BadTorrentError:
    return BadTorrentError(
        "It does not have the files that were chosen, so nothing of it is downloaded. Look at its"
        " files and choose again."
    )


def _taken(hashes: InfoHashes, *, takes_hybrids: bool) -> InfoHashes:
    if hashes.v1 is None:
        raise BadTorrentError(_SECOND_ONLY)
    if hashes.v2 is not None and not takes_hybrids:
        raise BadTorrentError(_HYBRID)
    return hashes


def _link(magnet: Magnet, hashes: InfoHashes) -> str:
    """A link without what Transmission would follow beside trackers, such as web seeds."""
    name = f"&dn={quote(magnet.name, safe='')}" if magnet.name else ""
    trackers = "".join(f"&tr={quote(tracker, safe='')}" for tracker in magnet.trackers)
    return f"magnet:?xt=urn:btih:{hashes.v1}{name}{trackers}"
