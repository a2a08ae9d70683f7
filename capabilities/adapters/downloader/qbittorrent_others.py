"""Torrents in qBittorrent that are none of ours: told of by what its list says, and no more.

An owner may have many thousands of them. To look into each would take two calls a torrent.
"""

from pathlib import Path

from capabilities.adapters.downloader.port import Transfer
from capabilities.adapters.downloader.qbittorrent_answers import hashes_of
from capabilities.adapters.downloader.qbittorrent_mirror import Mirror
from capabilities.adapters.downloader.qbittorrent_view import described_in_brief


class Others:
    """Descriptions of them, each made anew only when something new is told of the torrent."""

    def __init__(self, mirror: Mirror) -> None:
        """Describe what is in this mirror."""
        self._mirror = mirror
        self._known: dict[str, tuple[object, Transfer]] = {}
        self._folders: dict[str, Path] = {}

    def described(self, id_: str) -> Transfer | None:
        """A torrent without its files; None if there is none, or its id is no hash.

        Raises:
            UnreadableError: what was told of it cannot be read.
        """
        mark = self._mirror.mark(id_)
        known = self._known.get(id_)
        if known is not None and known[0] is mark:
            return known[1]
        row = self._mirror.row(id_)
        hashes = None if row is None else hashes_of(id_, row)
        if row is None or hashes is None:
            return None
        folder = self._folders.setdefault(row.save_path, Path(row.save_path))
        transfer = described_in_brief(row, hashes, folder)
        self._known[id_] = mark, transfer
        return transfer

    def forget_all_but(self, ids: set[str]) -> None:
        """The others are gone, or ours by now."""
        for id_ in self._known.keys() - ids:
            del self._known[id_]
