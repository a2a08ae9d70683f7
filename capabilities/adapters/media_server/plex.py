"""Plex Media Server.

https://developer.plex.tv/pms. A file is looked for by its path among the films or episodes of its
library, newest first, since there is no question by path.
"""

import posixpath
from collections.abc import Mapping, Sequence
from typing import Final, Generic, TypeVar
from urllib.parse import quote

from pydantic import Field, TypeAdapter

from capabilities.adapters.media_server.asking import (
    NOWHERE,
    PAGE,
    Told,
    accepted,
    healthy,
    library_of,
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
from capabilities.kernel.faults import DeclinedError
from capabilities.rules.path_mapping import PathMap
from capabilities.rules.works import WorkKind

_KINDS: Final = {"movie": WorkKind.FILM, "show": WorkKind.SERIES}
_LEAVES: Final[Mapping[WorkKind | None, str]] = {WorkKind.FILM: "1", WorkKind.SERIES: "4"}
"""The numbers of films and episodes among Plex's types of items."""


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
    media: list[_Medium] = Field(default_factory=list[_Medium], alias="Media")
    guids: list[_Guid] = Field(default_factory=list[_Guid], alias="Guid")

    def is_at(self, path: str) -> bool:
        """Whether a part of a version of the item is the file at the path."""
        files = [part.file for medium in self.media for part in medium.parts]
        return any(same_file(file, path) for file in files if file)

    def seen(self) -> Seen:
        pairs = [guid.id.split("://", 1) for guid in self.guids if "://" in guid.id]
        return Seen(self.key, self.title, {source.lower(): number for source, number in pairs})


class _Items(Told):
    items: list[_Item] = Field(default_factory=list[_Item], alias="Metadata")


class _Identity(Told):
    version: str


class _Container(Told, Generic[T]):
    container: T = Field(alias="MediaContainer")


_IDENTITY = TypeAdapter(_Container[_Identity])
_SECTIONS = TypeAdapter(_Container[_Sections])
_ITEMS = TypeAdapter(_Container[_Items])


class Plex:
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
        """Bind a server.

        Args:
            name: the owner's name for it.
            address: its base address.
            key: a token of the server's owner.
            outbound: what carries the requests.
            paths: what it calls our folders.

        Raises:
            DeclinedError: the address is none.
        """
        self._name = name
        self._system = system_of(name)
        self._address = address.rstrip("/")
        self._headers = {
            "X-Plex-Token": key,
            "X-Plex-Client-Identifier": "matinee",
            "Accept": "application/json",
        }
        self._way = outbound.neighbour(self._system, address)
        self._paths = paths or PathMap()

    @property
    def name(self) -> str:
        """The owner's name for it."""
        return self._name

    @property
    def kind(self) -> ServerKind:
        """It is Plex."""
        return ServerKind.PLEX

    async def health(self) -> ServerHealth:
        """By its identity, and by its libraries, which only a token that is accepted opens."""
        return await healthy(self._version)

    async def libraries(self) -> list[ServerLibrary]:
        """Its sections for films and series."""
        told = await self._read("/library/sections/all", _SECTIONS)
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
            theirs = self._paths.to_theirs(path)
            library = library_of(libraries, theirs)
            if library is None:
                raise DeclinedError(self._system, NOWHERE.why)
            folders.add((library.id, _folder_of(theirs)))
        for section, folder in sorted(folders):
            answer = await self._way.get(
                f"{self._address}/library/sections/{quote(section, safe='')}/refresh",
                query={"path": folder},
                headers=self._headers,
            )
            accepted(self._system, answer)

    async def seen(self, paths: Sequence[str]) -> dict[str, Sight]:
        """The items of which one part lies at the paths."""
        theirs = {path: self._paths.to_theirs(path) for path in paths}
        return await looked_through(theirs, await self.libraries(), self._page)

    async def _version(self) -> str:
        told = await self._read("/identity", _IDENTITY)
        await self.libraries()
        return told.container.version

    async def _page(self, library: ServerLibrary, number: int) -> list[_Item]:
        told = await self._read(
            f"/library/sections/{quote(library.id, safe='')}/all",
            _ITEMS,
            {
                "type": _LEAVES[library.kind],
                "sort": "addedAt:desc",
                "includeGuids": "1",
                "X-Plex-Container-Start": str(number * PAGE),
                "X-Plex-Container-Size": str(PAGE),
            },
        )
        return told.container.items

    async def _read(
        self, path: str, shape: TypeAdapter[T], query: Mapping[str, str] | None = None
    ) -> T:
        answer = await self._way.get(self._address + path, query=query, headers=self._headers)
        return read(self._system, answer, shape)


def _folder_of(path: str) -> str:
    """The folder of a file, by the server's own kind of slash."""
    cut = max(path.rfind("/"), path.rfind("\\"))
    return path[:cut] if cut > 0 else posixpath.sep
