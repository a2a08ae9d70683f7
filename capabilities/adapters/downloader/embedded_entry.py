"""What goes into the session: one door for torrent files, magnets, late metadata and restarts."""

from dataclasses import dataclass, replace
from pathlib import Path

import libtorrent as lt

from capabilities.adapters.downloader.embedded_kept import Intent, Kept
from capabilities.adapters.downloader.embedded_presence import link_in_the_way, lost_files
from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import AddRequest
from capabilities.adapters.downloader.torrent_file import (
    Torrent,
    TorrentFile,
    described,
    hashes_of,
    parse_magnet,
    read_torrent,
)
from capabilities.adapters.downloader.torrent_names import BadTorrentError

_FETCH = 4
_LEAVE = 0
_OURS_TO_SAY = (
    lt.torrent_flags.auto_managed
    | lt.torrent_flags.paused
    | lt.torrent_flags.default_dont_download
    | lt.torrent_flags.seed_mode
    | lt.torrent_flags.share_mode
    | lt.torrent_flags.stop_when_ready
    | lt.torrent_flags.upload_mode
)
_ALWAYS = lt.torrent_flags.update_subscribe | lt.torrent_flags.duplicate_is_error


@dataclass(frozen=True, slots=True)
class Entry:
    """A torrent ready for the session.

    Attributes:
        params: what libtorrent is given; its flags are set by `flagged`.
        key: what it is written down under.
        name: the torrent's, or what a magnet claims, or the hash.
        files: without pads; empty before the metadata, or if the names were refused.
        refused: the sentence, if its names were refused; then no byte of it may be fetched.
    """

    params: lt.add_torrent_params
    key: str
    name: str
    hashes: InfoHashes
    intent: Intent
    files: tuple[TorrentFile, ...] = ()
    refused: str | None = None

    def kept(self) -> Kept:
        """The same as it is written down."""
        return Kept(self.key, self.intent, lt.write_resume_data_buf(self.params))

    def flagged(self, extra: int, *, held: bool) -> lt.add_torrent_params:
        """The parameters with our flags; a held torrent neither fetches nor gives anything.

        Without metadata nothing may be fetched but the metadata, so that its names can be judged
        before there is a single file.
        """
        flags = (self.params.flags & ~_OURS_TO_SAY) | _ALWAYS | extra
        if held:
            flags |= lt.torrent_flags.paused
        if not self.files:
            flags |= lt.torrent_flags.default_dont_download
        self.params.flags = flags
        return self.params


def requested(request: AddRequest, order: int) -> Entry:
    """What was asked for; blocking.

    Raises:
        BadTorrentError: the source or its names are refused, a symbolic link stands in the way,
            or a wanted file does not exist.
    """
    intent = Intent(order=order, category=request.category, wanted=request.wanted)
    if isinstance(request.source, bytes):
        torrent = read_torrent(request.source)
        params = lt.load_torrent_buffer(request.source)
        hashes = torrent.hashes
    else:
        torrent = None
        magnet = parse_magnet(request.source)
        params = lt.parse_magnet_uri(magnet.uri)
        # A link may choose files too (BEP 53), which would be fetched before they were judged.
        params.file_priorities = []
        hashes = magnet.hashes
    params.save_path = str(request.save_path)
    params.peers = [*params.peers, *request.peers]
    if torrent is None:
        return Entry(params, hashes.key, params.name or hashes.key, hashes, intent)
    return _ready(params, torrent, intent)


def learned(resume: bytes, intent: Intent) -> Entry:
    """A torrent whose metadata came from a peer, from the top again; blocking.

    Raises:
        BadTorrentError: as in `requested`.
    """
    params = lt.read_resume_data(resume)
    if params.ti is None:
        raise BadTorrentError("Its metadata could not be read. Look for another release.")
    # Without metadata nothing was wanted, and that is not what is meant from here on.
    params.piece_priorities = []
    params.file_priorities = []
    return _ready(params, described(params.ti), intent)


def restored(kept: Kept) -> Entry:
    """A torrent after a restart, held if it must not run; blocking."""
    params = kept.params()
    hashes = hashes_of(params.info_hashes)
    entry = Entry(params, kept.key, params.name or hashes.key, hashes, kept.intent)
    if params.ti is None:
        return entry
    try:
        torrent = described(params.ti)
        selection(kept.intent, torrent.shown())
    except BadTorrentError as error:
        return replace(entry, refused=error.sentence)
    missing = kept.intent.missing or bool(lost_files(params))
    intent = kept.intent.model_copy(update={"missing": missing})
    return replace(entry, name=torrent.name, intent=intent, files=torrent.shown())


def selection(intent: Intent, files: tuple[TorrentFile, ...]) -> frozenset[int]:
    """Indexes of the files that are to be fetched.

    Raises:
        BadTorrentError: an index is no file's, or there are none.
    """
    every = frozenset(file.index for file in files)
    if intent.wanted is None:
        return every
    chosen = frozenset(intent.wanted)
    if not chosen or not chosen <= every:
        raise BadTorrentError(
            "It does not have the files that were chosen, so nothing of it is downloaded."
            " Look at its files and choose again."
        )
    return chosen


def _ready(params: lt.add_torrent_params, torrent: Torrent, intent: Intent) -> Entry:
    chosen = selection(intent, torrent.files if intent.wanted is None else torrent.shown())
    params.file_priorities = [_FETCH if file.index in chosen else _LEAVE for file in torrent.files]
    # libtorrent renames a file whose name it takes for another's; then ours is not the one used.
    if params.renamed_files:
        raise BadTorrentError("Two of its files have one name. Look for another release.")
    if link_in_the_way(Path(params.save_path), (file.path for file in torrent.shown())):
        raise BadTorrentError(
            "A symbolic link stands where it would be written, and links are not followed."
            " Remove the link from the download folder."
        )
    hashes = torrent.hashes
    return Entry(params, hashes.key, torrent.name, hashes, intent, torrent.shown())
