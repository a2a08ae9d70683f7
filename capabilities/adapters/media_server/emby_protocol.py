"""The protocol that Emby and Jellyfin share, a fork of it: libraries, media updates and items.

https://api.jellyfin.org and https://dev.emby.media/reference/RestAPI.html. A file is looked for by
its path among the items of its library, newest first, since no question by path is common to both.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar
from urllib.parse import urlencode

from pydantic import Field, TypeAdapter

from capabilities.adapters.media_server.asking import (
    PAGE,
    Told,
    accepted,
    healthy,
    looked_through,
    read,
    same_file,
    system_of,
)
from capabilities.adapters.media_server.port import (
    Seen,
    ServerHealth,
    ServerKind,
    ServerLibrary,
    Sight,
)
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
    path: str | None = Field(default=None, alias="Path")
    ids: dict[str, str | None] | None = Field(default=None, alias="ProviderIds")
    versions: list[_Version] | None = Field(default=None, alias="MediaSources")

    def is_at(self, path: str) -> bool:
        """Whether the item, or one of its versions, is the file at the path."""
        paths = [self.path, *(version.path for version in self.versions or ())]
        return any(same_file(each, path) for each in paths if each)

    def seen(self) -> Seen:
        ids = {name.lower(): value for name, value in (self.ids or {}).items() if value}
        return Seen(self.id, self.name or "", ids)


class _Page(Told):
    items: list[_Item] = Field(alias="Items")


_INFO = TypeAdapter(_Info)
_FOLDERS = TypeAdapter(list[_Folder])
_PAGE = TypeAdapter(_Page)

T = TypeVar("T")


class EmbyProtocol:
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
        """Bind a server.

        Args:
            dialect: which of the two it is.
            name: the owner's name for it.
            address: its base address, with the path that a proxy may put before it.
            key: an API key, made in its dashboard.
            outbound: what carries the requests.
            paths: what it calls our folders.

        Raises:
            DeclinedError: the address is none.
        """
        self._name = name
        self._dialect = dialect
        self._system = system_of(name)
        self._address = address.rstrip("/")
        self._headers = dialect.sign_in(key)
        self._way = outbound.neighbour(self._system, address)
        self._paths = paths or PathMap()

    @property
    def name(self) -> str:
        """The owner's name for it."""
        return self._name

    @property
    def kind(self) -> ServerKind:
        """Which of the two it is."""
        return self._dialect.kind

    async def health(self) -> ServerHealth:
        """By its system information, which only a key that is accepted opens."""
        return await healthy(self._version)

    async def libraries(self) -> list[ServerLibrary]:
        """Its virtual folders, without those for music, books and the like."""
        folders = await self._read("/Library/VirtualFolders", _FOLDERS)
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
        updates = [{"Path": self._paths.to_theirs(path), "UpdateType": "Created"} for path in paths]
        answer = await self._way.send(
            f"{self._address}/Library/Media/Updated",
            json.dumps({"Updates": updates}).encode(),
            "application/json",
            headers=self._headers,
        )
        accepted(self._system, answer)

    async def seen(self, paths: Sequence[str]) -> dict[str, Sight]:
        """The items, or versions of one, that lie at the paths."""
        theirs = {path: self._paths.to_theirs(path) for path in paths}
        return await looked_through(theirs, await self.libraries(), self._page)

    async def _version(self) -> str:
        return (await self._read("/System/Info", _INFO)).version

    async def _page(self, library: ServerLibrary, number: int) -> list[_Item]:
        query: dict[str, Sequence[str]] = {
            "parentId": [library.id],
            "recursive": ["true"],
            "includeItemTypes": _ITEM_TYPES[library.kind],
            "fields": ("Path", "ProviderIds", "MediaSources"),
            "sortBy": ["DateCreated"],
            "sortOrder": ["Descending"],
            "startIndex": [str(number * PAGE)],
            "limit": [str(PAGE)],
        }
        return (await self._read(f"/Items?{self._dialect.listed(query)}", _PAGE)).items

    async def _read(self, path: str, shape: TypeAdapter[T]) -> T:
        answer = await self._way.get(self._address + path, headers=self._headers)
        return read(self._system, answer, shape)
