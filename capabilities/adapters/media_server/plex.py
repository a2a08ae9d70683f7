"""Plex Media Server.

https://developer.plex.tv/pms. There is no question by path, so a file is looked for among the films
or episodes as `capabilities.adapters.media_server.searching` says.
"""

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Generic, TypeVar
from urllib.parse import quote

from pydantic import Field, TypeAdapter

from capabilities.adapters.media_server.asking import (
    NOWHERE,
    Told,
    accepted,
    healthy,
    library_of,
)
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
from capabilities.kernel.faults import DeclinedError
from capabilities.rules.path_mapping import PathMap
from capabilities.rules.works import WorkKind

_KINDS: Final = {"movie": WorkKind.FILM, "show": WorkKind.SERIES}
_LEAVES: Final[Mapping[WorkKind | None, str]] = {WorkKind.FILM: "1", WorkKind.SERIES: "4"}
"""The numbers of films and episodes among Plex's types of items."""
_TITLES: Final[Mapping[WorkKind | None, str]] = {
    WorkKind.FILM: "title",
    WorkKind.SERIES: "show.title",
}
"""The fields of media queries that hold the title of the work."""
_TAKEN_FOR: Final = {"movie": WorkKind.FILM, "episode": WorkKind.SERIES}
NAMED_PAGES: Final = 5

T = TypeVar("T")


class _Location(Told):
    path: str | None = None


class _Section(Told):
    key: str
    title: str = ""
    type: str
    locations: list[_Location] = Field(default_factory=list[_Location], alias="Location")


class _Sections(Told):
    directories: list[_Section] = Field(default_factory=list[_Section], alias="Directory")


class _Part(Told):
    file: str | None = None


class _Medium(Told):
    parts: list[_Part] = Field(default_factory=list[_Part], alias="Part")


class _Guid(Told):
    id: str


class _Item(Told):
    key: str = Field(alias="ratingKey")
    title: str = ""
    type: str = ""
    media: list[_Medium] = Field(default_factory=list[_Medium], alias="Media")
    guids: list[_Guid] = Field(default_factory=list[_Guid], alias="Guid")

    @property
    def files(self) -> Iterator[str]:
        """Where it lies: every part of every version of it."""
        for medium in self.media:
            yield from (part.file for part in medium.parts if part.file)

    def seen(self) -> Seen:
        pairs = [guid.id.split("://", 1) for guid in self.guids if "://" in guid.id]
        ids = {source.lower(): number for source, number in pairs}
        return Seen(self.key, self.title, ids, _TAKEN_FOR.get(self.type))


class _Items(Told):
    items: list[_Item] = Field(default_factory=list[_Item], alias="Metadata")


class _Identity(Told):
    version: str


class _Container(Told, Generic[T]):
    container: T = Field(alias="MediaContainer")


_IDENTITY = TypeAdapter(_Container[_Identity])
_SECTIONS = TypeAdapter(_Container[_Sections])
_ITEMS = TypeAdapter(_Container[_Items])


class Plex(Configured):
    """A Plex server; see `capabilities.adapters.media_server.port` for the promises."""

    def __init__(
        self,
        name: str,
        address: str,
        key: str,
        *,
        outbound: Outbound,
        paths: PathMap | None = None,
    ) -> None:
        """Bind a server by a token of its owner; else as `Configured`."""
        signed = {
            "X-Plex-Token": key,
            "X-Plex-Client-Identifier": "matinee",
            "Accept": "application/json",
        }
        super().__init__(ServerKind.PLEX, name, address, signed, outbound=outbound, paths=paths)
        self._search = LibrarySearch(self._page, self._named)

    async def health(self) -> ServerHealth:
        """By its identity, and by its libraries, which only a token that is accepted opens."""
        return await healthy(self._version)

    async def libraries(self) -> list[ServerLibrary]:
        """Its sections for films and series."""
        told = await self.fetched("/library/sections/all", _SECTIONS)
        return [
            ServerLibrary(
                section.key,
                section.title,
                _KINDS[section.type],
                tuple(location.path for location in section.locations if location.path),
            )
            for section in told.container.directories
            if section.type in _KINDS
        ]

    async def refresh(self, paths: Sequence[str]) -> None:
        """Have the files' folders scanned, and nothing else."""
        libraries = await self.libraries()
        folders: set[tuple[str, str]] = set()
        for path in paths:
            theirs = self.paths.to_theirs(path)
            library = library_of(libraries, theirs)
            if library is None:
                raise DeclinedError(self.system, NOWHERE.why)
            folders.add((library.id, _folder_of(theirs)))
        for section, folder in sorted(folders):
            answer = await self.way.get(
                f"{self.address}/library/sections/{quote(section, safe='')}/refresh",
                query={"path": folder},
                headers=self.headers,
            )
            accepted(self.system, answer)

    async def seen(self, paths: Sequence[str]) -> dict[str, Sight]:
        """The items of which one part lies at the paths."""
        theirs = {path: self.paths.to_theirs(path) for path in paths}
        return await self._search.look(theirs, await self.libraries())

    async def _version(self) -> str:
        told = await self.fetched("/identity", _IDENTITY)
        await self.libraries()
        return told.container.version

    async def _page(self, library: ServerLibrary, number: int) -> list[_Item]:
        return await self._items(library, number)

    async def _named(self, library: ServerLibrary, title: str) -> list[_Item]:
        found: list[_Item] = []
        for number in range(NAMED_PAGES):
            items = await self._items(library, number, **{_TITLES[library.kind]: title})
            found += items
            if len(items) < PAGE:
                break
        return found

    async def _items(self, library: ServerLibrary, number: int, **also: str) -> list[_Item]:
        told = await self.fetched(
            f"/library/sections/{quote(library.id, safe='')}/all",
            _ITEMS,
            {
                "type": _LEAVES[library.kind],
                "sort": "addedAt:desc",
                "includeGuids": "1",
                "X-Plex-Container-Start": str(number * PAGE),
                "X-Plex-Container-Size": str(PAGE),
                **also,
            },
        )
        return told.container.items


def _folder_of(path: str) -> str:
    """The folder of a file, by the server's own kind of slash."""
    cut = max(path.rfind("/"), path.rfind("\\"))
    return path[:cut] if cut > 0 else posixpath.sep
