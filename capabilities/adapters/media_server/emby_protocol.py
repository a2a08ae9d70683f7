"""The protocol that Emby and Jellyfin share, a fork of it: libraries, media updates and items.

https://api.jellyfin.org and https://dev.emby.media/reference/RestAPI.html. No question by path is
common to both, so a file is looked for as `capabilities.adapters.media_server.searching` says.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from pydantic import Field, TypeAdapter

from capabilities.adapters.media_server.asking import Told, accepted, healthy
from capabilities.adapters.media_server.configured import Configured
from capabilities.adapters.media_server.port import (
    Seen,
    ServerHealth,
    ServerKind,
    ServerLibrary,
    Sight,
)
from capabilities.adapters.media_server.searching import PAGE, LibrarySearch
from capabilities.adapters.outbound import Outbound
from capabilities.rules.path_mapping import PathMap
from capabilities.rules.works import WorkKind

_KINDS: Final = {"movies": WorkKind.FILM, "tvshows": WorkKind.SERIES}
_OTHER: Final = {"music", "musicvideos", "books", "boxsets", "photos", "playlists", "livetv"}
_ITEM_TYPES: Final[Mapping[WorkKind | None, tuple[str, ...]]] = {
    WorkKind.FILM: ("Movie", "Video"),
    WorkKind.SERIES: ("Episode",),
    None: ("Movie", "Video", "Episode"),
}
_WORKS: Final[Mapping[WorkKind | None, tuple[str, ...]]] = {
    WorkKind.FILM: ("Movie", "Video"),
    WorkKind.SERIES: ("Series",),
    None: ("Movie", "Video", "Series"),
}
_SERIES: Final = "Series"
_TAKEN_FOR: Final = {"Movie": WorkKind.FILM, "Episode": WorkKind.SERIES}
_FIELDS: Final = ("Path", "ProviderIds", "MediaSources")
_NEWEST_FIRST: Final[Mapping[str, Sequence[str]]] = {
    "sortBy": ["DateCreated"],
    "sortOrder": ["Descending"],
}
SERIES_OF_A_TITLE: Final = 3
EPISODE_PAGES: Final = 5


@dataclass(frozen=True, slots=True)
class Dialect:
    """In what the two differ.

    Attributes:
        sign_in: the header that carries a key.
        listed: a query with lists as this server takes them.
    """

    kind: ServerKind
    sign_in: Callable[[str], Mapping[str, str]]
    listed: Callable[[Mapping[str, Sequence[str]]], str]


def repeated(query: Mapping[str, Sequence[str]]) -> str:
    """``fields=Path&fields=ProviderIds``."""
    return urlencode(query, doseq=True)


def by_commas(query: Mapping[str, Sequence[str]]) -> str:
    """``fields=Path,ProviderIds``."""
    return urlencode({name: ",".join(values) for name, values in query.items()}, safe=",")


class _Info(Told):
    version: str = Field(alias="Version")


class _Folder(Told):
    id: str = Field(alias="ItemId")
    name: str | None = Field(default=None, alias="Name")
    type: str | None = Field(default=None, alias="CollectionType")
    locations: list[str] | None = Field(default=None, alias="Locations")


class _Version(Told):
    path: str | None = Field(default=None, alias="Path")


class _Item(Told):
    id: str = Field(alias="Id")
    name: str | None = Field(default=None, alias="Name")
    type: str | None = Field(default=None, alias="Type")
    path: str | None = Field(default=None, alias="Path")
    ids: dict[str, str | None] | None = Field(default=None, alias="ProviderIds")
    versions: list[_Version] | None = Field(default=None, alias="MediaSources")

    @property
    def files(self) -> Iterator[str]:
        """Where it lies: every version of it, of which the item's own path is one."""
        paths = (self.path, *(version.path for version in self.versions or ()))
        yield from (path for path in paths if path)

    def seen(self) -> Seen:
        ids = {name.lower(): value for name, value in (self.ids or {}).items() if value}
        return Seen(self.id, self.name or "", ids, _TAKEN_FOR.get(self.type or ""))


class _Page(Told):
    items: list[_Item] = Field(alias="Items")


_INFO = TypeAdapter(_Info)
_FOLDERS = TypeAdapter(list[_Folder])
_PAGE = TypeAdapter(_Page)


class EmbyProtocol(Configured):
    """A server that speaks it; see `capabilities.adapters.media_server.port` for the promises."""

    def __init__(
        self,
        dialect: Dialect,
        name: str,
        address: str,
        key: str,
        *,
        outbound: Outbound,
        paths: PathMap | None = None,
    ) -> None:
        """Bind a server by an API key that was made in its dashboard; else as `Configured`."""
        signed = dialect.sign_in(key)
        super().__init__(dialect.kind, name, address, signed, outbound=outbound, paths=paths)
        self._dialect = dialect
        self._search = LibrarySearch(self._page, self._named)

    async def health(self) -> ServerHealth:
        """By its system information, which only a key that is accepted opens."""
        return await healthy(self._version)

    async def libraries(self) -> list[ServerLibrary]:
        """Its virtual folders, without those for music, books and the like."""
        folders = await self.fetched("/Library/VirtualFolders", _FOLDERS)
        return [
            ServerLibrary(
                folder.id,
                folder.name or "",
                _KINDS.get(folder.type or ""),
                tuple(folder.locations or ()),
            )
            for folder in folders
            if folder.type not in _OTHER
        ]

    async def refresh(self, paths: Sequence[str]) -> None:
        """Report the files as new; the server looks after a while of its own choosing."""
        updates = [{"Path": self.paths.to_theirs(path), "UpdateType": "Created"} for path in paths]
        answer = await self.way.send(
            f"{self.address}/Library/Media/Updated",
            json.dumps({"Updates": updates}).encode(),
            "application/json",
            headers=self.headers,
        )
        accepted(self.system, answer)

    async def seen(self, paths: Sequence[str]) -> dict[str, Sight]:
        """The items, or versions of one, that lie at the paths."""
        theirs = {path: self.paths.to_theirs(path) for path in paths}
        return await self._search.look(theirs, await self.libraries())

    async def _version(self) -> str:
        return (await self.fetched("/System/Info", _INFO)).version

    async def _page(self, library: ServerLibrary, number: int) -> list[_Item]:
        return await self._items(library.id, _ITEM_TYPES[library.kind], number)

    async def _named(self, library: ServerLibrary, title: str) -> list[_Item]:
        works = await self._items(library.id, _WORKS[library.kind], 0, searchTerm=[title])
        found = [work for work in works if work.type != _SERIES]
        series = [work for work in works if work.type == _SERIES]
        for work in series[:SERIES_OF_A_TITLE]:
            for number in range(EPISODE_PAGES):
                items = await self._items(work.id, _ITEM_TYPES[WorkKind.SERIES], number)
                found += items
                if len(items) < PAGE:
                    break
        return found

    async def _items(
        self, parent: str, types: Sequence[str], number: int, **also: Sequence[str]
    ) -> list[_Item]:
        query: dict[str, Sequence[str]] = {
            "parentId": [parent],
            "recursive": ["true"],
            "includeItemTypes": types,
            "fields": _FIELDS,
            **_NEWEST_FIRST,
            "startIndex": [str(number * PAGE)],
            "limit": [str(PAGE)],
            **also,
        }
        return (await self.fetched(f"/Items?{self._dialect.listed(query)}", _PAGE)).items
