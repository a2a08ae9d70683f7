"""What qBittorrent has, kept up to date by asking for no more than what changed."""

from typing import Any

from capabilities.adapters.downloader.info_hashes import InfoHashes, named_by, normal_hash
from capabilities.adapters.downloader.qbittorrent_answers import (
    News,
    Row,
    ServerState,
    UnreadableError,
    hashes_of,
    read_as,
)

_TELLING = ("state", "completed", "amount_left", "size", "tags", "category", "save_path", "name")


class Mirror:
    """All torrents by their id, as of the last answer.

    One row that cannot be read hides no other: it is there, and raises when it is looked at.
    """

    def __init__(self, system: str) -> None:
        """Begin empty; an answer to request 0 holds everything."""
        self._system = system
        self._held: dict[str, dict[str, Any]] = {}
        self._rows: dict[str, Row] = {}
        self.rid = 0
        self.categories: set[str] = set()
        self.server: dict[str, Any] = {}

    def take(self, news: News) -> list[str]:
        """Take in what changed; the keys of the torrents of which readers want to hear."""
        gone = set(news.torrents_removed)
        if news.full_update:
            gone |= set(self._held) - set(news.torrents)
        before = {id_: _telling(self._held.get(id_)) for id_ in news.torrents}
        names = [self.key(id_) for id_ in gone if id_ in self._held]
        if news.full_update:
            self._held, self.categories, self.server = {}, set(), {}
            self._rows.clear()
        for id_ in gone:
            self._held.pop(id_, None)
            self._rows.pop(id_, None)
        for id_, changed in news.torrents.items():
            self._held[id_] = {**self._held.get(id_, {}), **changed}
            self._rows.pop(id_, None)
        self.categories = (self.categories | set(news.categories)) - set(news.categories_removed)
        self.server |= news.server_state
        self.rid = news.rid
        changed = [id_ for id_ in news.torrents if before[id_] != _telling(self._held.get(id_))]
        return [*names, *map(self.key, changed)]

    def ids(self) -> list[str]:
        """Every torrent's id, in the order in which they were added."""
        return sorted(self._held, key=self._order)

    def row(self, id_: str) -> Row | None:
        """A torrent, or None if there is none of that id.

        Raises:
            UnreadableError: what was told of it cannot be read.
        """
        if id_ in self._held and id_ not in self._rows:
            self._rows[id_] = read_as(Row, self._system, self._held[id_])
        return self._rows.get(id_)

    def hashes(self, id_: str) -> InfoHashes | None:
        """What it is called; None where its id is no hash."""
        try:
            row = self.row(id_)
        except UnreadableError:
            row = None
        return named_by(id_) if row is None else hashes_of(id_, row)

    def key(self, id_: str) -> str:
        """What it is filed under."""
        hashes = self.hashes(id_)
        return id_ if hashes is None else hashes.key

    def named(self, info_hash: str) -> str | None:
        """The id of the torrent with that hash in any spelling."""
        normal = normal_hash(info_hash)
        if normal is None:
            return None
        if normal in self._held:
            return normal
        return next((id_ for id_ in self._held if normal in self._names(id_)), None)

    def same_as(self, hashes: InfoHashes) -> str | None:
        """The id of the torrent that is also called so."""
        for name in hashes.names():
            if (id_ := self.named(name)) is not None:
                return id_
        return None

    def server_state(self) -> ServerState:
        """How the program as a whole is."""
        return read_as(ServerState, self._system, self.server)

    def _names(self, id_: str) -> frozenset[str]:
        hashes = self.hashes(id_)
        return frozenset({id_}) if hashes is None else hashes.names()

    def _order(self, id_: str) -> tuple[int, int, str]:
        try:
            row = self.row(id_)
        except UnreadableError:
            row = None
        return (0, 0, id_) if row is None else (row.added_on, row.priority, id_)


def _telling(held: dict[str, Any] | None) -> tuple[object, ...]:
    return () if held is None else tuple(held.get(name) for name in _TELLING)
