"""What qBittorrent has, kept up to date by asking for no more than what changed."""

from typing import Any

from capabilities.adapters.downloader.info_hashes import (
    V1_DIGITS,
    InfoHashes,
    named_by,
    normal_hash,
)
from capabilities.adapters.downloader.port import CATEGORY
from capabilities.adapters.downloader.qbittorrent_answers import (
    News,
    Row,
    ServerState,
    UnreadableError,
    hashes_of,
    read_as,
)
from capabilities.adapters.downloader.qbittorrent_notes import PREFIX

_TELLING = ("state", "completed", "amount_left", "size", "tags", "category", "save_path", "name")
_NAMES = ("infohash_v1", "infohash_v2")


class Mirror:
    """All torrents by their id, as of the last answer.

    One row that cannot be read hides no other: it is there, and raises when it is looked at. Of
    the many torrents that an owner may have besides ours, no more is done than to keep what is
    told of them.
    """

    def __init__(self, system: str) -> None:
        """Begin empty; an answer to request 0 holds everything."""
        self._system = system
        self._held: dict[str, dict[str, Any]] = {}
        self._rows: dict[str, Row] = {}
        self._ids: dict[str, str] = {}
        self._ours: set[str] = set()
        self._asked: set[str] = set()
        self.rid = 0
        self.categories: set[str] = set()
        self.server: dict[str, Any] = {}

    def take(self, news: News) -> list[str]:
        """Take in what changed; the keys of the torrents of ours that readers want to hear of."""
        gone = set(news.torrents_removed)
        if news.full_update:
            gone |= self._held.keys() - news.torrents.keys()
        heard = [self.key(id_) for id_ in gone if self.is_ours(id_)]
        if news.full_update:
            self.categories, self.server = set(), {}
        for id_ in gone:
            self._forget(id_)
        for id_, changed in news.torrents.items():
            before = None if news.full_update else self._held.get(id_)
            told = _telling(self._held.get(id_))
            self._put(id_, changed if before is None else {**before, **changed})
            if self.is_ours(id_) and told != _telling(self._held[id_]):
                heard.append(self.key(id_))
        self.categories = (self.categories | set(news.categories)) - set(news.categories_removed)
        self.server |= news.server_state
        self.rid = news.rid
        return heard

    def ids(self) -> list[str]:
        """Every torrent's id, in the order in which they were added."""
        return sorted(self._held, key=self._order)

    def ours(self) -> list[str]:
        """The ids of those that are ours, see `is_ours`, in the same order."""
        return sorted((self._ours | self._asked) & self._held.keys(), key=self._order)

    def is_ours(self, id_: str) -> bool:
        """Whether it is a torrent of this house: by category, by a note of ours, or asked for."""
        return id_ in self._held and (id_ in self._ours or id_ in self._asked)

    def ask_for(self, id_: str) -> None:
        """Count a torrent among ours from now on: somebody here wants to know of it."""
        self._asked.add(id_)

    def mark(self, id_: str) -> object:
        """What is another object as soon as something new is told of it."""
        return self._held.get(id_)

    def row(self, id_: str) -> Row | None:
        """A torrent, or None if there is none of that id.

        Raises:
            UnreadableError: what was told of it cannot be read.
        """
        held = self._held.get(id_)
        if held is None or id_ in self._rows:
            return self._rows.get(id_)
        row = read_as(Row, self._system, held)
        if self.is_ours(id_):
            self._rows[id_] = row
        return row

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
        return normal if normal in self._held else self._ids.get(normal)

    def same_as(self, hashes: InfoHashes) -> str | None:
        """The id of the torrent that is also called so."""
        for name in hashes.names():
            if (id_ := self.named(name)) is not None:
                return id_
        return None

    def server_state(self) -> ServerState:
        """How the program as a whole is."""
        return read_as(ServerState, self._system, self.server)

    def _put(self, id_: str, held: dict[str, Any]) -> None:
        self._held[id_] = held
        self._rows.pop(id_, None)
        for name in _names(held):
            self._ids[name] = id_
        if held.get("category") == CATEGORY or PREFIX in str(held.get("tags", "")):
            self._ours.add(id_)
        else:
            self._ours.discard(id_)

    def _forget(self, id_: str) -> None:
        for name in _names(self._held.pop(id_, {})):
            self._ids.pop(name, None)
        self._rows.pop(id_, None)
        self._ours.discard(id_)
        self._asked.discard(id_)

    def _order(self, id_: str) -> tuple[int, int, str]:
        held = self._held[id_]
        added, priority = held.get("added_on"), held.get("priority")
        if isinstance(added, int) and isinstance(priority, int):
            return added, priority, id_
        return 0, 0, id_


def _names(held: dict[str, Any]) -> list[str]:
    """Its other names: a hybrid's id is one hash cut short, and it has two."""
    names = [name for each in _NAMES if isinstance(name := held.get(each), str) and name]
    return [*names, *(name[:V1_DIGITS] for name in names if len(name) > V1_DIGITS)]


def _telling(held: dict[str, Any] | None) -> tuple[object, ...]:
    return () if held is None else tuple(held.get(name) for name in _TELLING)
