"""Kodi, by JSON-RPC over its web server.

https://kodi.wiki/view/JSON-RPC_API/v12. Kodi sees a file once the file's folder lies in a source
with a content type and a scan has found it there.
"""

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Generic, TypeVar

from pydantic import Field, TypeAdapter

from capabilities.adapters.media_server.asking import (
    NOWHERE,
    Told,
    healthy,
    library_of,
    read,
    same_file,
    system_of,
)
from capabilities.adapters.media_server.port import (
    NotSeen,
    Seen,
    ServerHealth,
    ServerKind,
    ServerLibrary,
    Sight,
)
from capabilities.adapters.outbound import Outbound
from capabilities.kernel.faults import DeclinedError, ThrottledError, UnreachableError
from capabilities.rules.path_mapping import PathMap, below_folder, is_windows

_WANTED: Final = ("title", "file", "uniqueid")
_SCANNING: Final = "Library.IsScanningVideo"
_A_SCAN_S: Final = 5.0

T = TypeVar("T")


class _Version(Told):
    major: int
    minor: int


class _Application(Told):
    version: _Version


class _Source(Told):
    label: str = ""
    file: str


class _Sources(Told):
    sources: list[_Source] = Field(default_factory=list[_Source])


class _Film(Told):
    id: int = Field(alias="movieid")
    title: str = ""
    file: str
    ids: dict[str, str] = Field(default_factory=dict[str, str], alias="uniqueid")


class _Episode(_Film):
    id: int = Field(alias="episodeid")


class _Films(Told):
    found: list[_Film] = Field(default_factory=list[_Film], alias="movies")


class _Episodes(Told):
    found: list[_Episode] = Field(default_factory=list[_Episode], alias="episodes")


class _Answered(Told, Generic[T]):
    result: T | None = None


_VERSION = TypeAdapter(_Answered[_Application])
_SOURCES = TypeAdapter(_Answered[_Sources])
_FILMS = TypeAdapter(_Answered[_Films])
_EPISODES = TypeAdapter(_Answered[_Episodes])
_TRUTHS = TypeAdapter(_Answered[dict[str, bool]])
_WORD = TypeAdapter(_Answered[str])


class Kodi:
    """A Kodi at work; see `capabilities.adapters.media_server.port` for the promises."""

    def __init__(
        self,
        name: str,
        address: str,
        user: str,
        key: str,
        *,
        outbound: Outbound,
        paths: PathMap | None = None,
    ) -> None:
        """Bind a server.

        Args:
            name: the owner's name for it.
            address: of its web server.
            user: the web server's user.
            key: that user's password; without one no credentials are sent.
            outbound: what carries the requests.
            paths: what it calls our folders.

        Raises:
            DeclinedError: the address is none.
        """
        self._name = name
        self._system = system_of(name)
        self._address = f"{address.rstrip('/')}/jsonrpc"
        self._headers = _signed(user, key)
        self._way = outbound.neighbour(self._system, address)
        self._paths = paths or PathMap()

    @property
    def name(self) -> str:
        """The owner's name for it."""
        return self._name

    @property
    def kind(self) -> ServerKind:
        """It is Kodi."""
        return ServerKind.KODI

    async def health(self) -> ServerHealth:
        """By its version."""
        return await healthy(self._version)

    async def libraries(self) -> list[ServerLibrary]:
        """Its video sources; Kodi does not tell what kind of works they hold."""
        told = await self._ask("Files.GetSources", {"media": "video"}, _SOURCES)
        return [
            ServerLibrary(source.file, source.label, None, (source.file,))
            for source in told.sources
        ]

    async def refresh(self, paths: Sequence[str]) -> None:
        """Have the work's folder scanned, the one right below the source; all for several works.

        Raises:
            ThrottledError: also while it scans; asked for a scan then, it would end that one.
        """
        folders = await self._folders_of(paths)
        if (await self._ask("XBMC.GetInfoBooleans", {"booleans": [_SCANNING]}, _TRUTHS))[_SCANNING]:
            raise ThrottledError(
                self._system, "It is scanning its library already.", retry_after_s=_A_SCAN_S
            )
        only = {"directory": folders.pop()} if len(folders) == 1 else {}
        answer = await self._way.send(
            self._address,
            _question("VideoLibrary.Scan", {**only, "showdialogs": False}),
            "application/json",
            headers=self._headers,
        )
        self._result(read(self._system, answer, _WORD))

    async def _folders_of(self, paths: Sequence[str]) -> set[str]:
        sources = await self.libraries()
        folders: set[str] = set()
        for path in paths:
            theirs = self._paths.to_theirs(path)
            source = library_of(sources, theirs)
            if source is None:
                raise DeclinedError(self._system, NOWHERE.why)
            folders.add(_top_folder(theirs, source.id))
        return folders

    async def seen(self, paths: Sequence[str]) -> dict[str, Sight]:
        """The films or episodes whose files they are."""
        sources = await self.libraries()
        return {path: await self._sight(self._paths.to_theirs(path), sources) for path in paths}

    async def _sight(self, theirs: str, sources: Sequence[ServerLibrary]) -> Sight:
        cut = max(theirs.rfind("/"), theirs.rfind("\\")) + 1
        asked = {
            "properties": _WANTED,
            "filter": {
                "and": [
                    {"field": "path", "operator": "is", "value": theirs[:cut]},
                    {"field": "filename", "operator": "is", "value": theirs[cut:]},
                ]
            },
        }
        films = await self._ask("VideoLibrary.GetMovies", asked, _FILMS)
        episodes = await self._ask("VideoLibrary.GetEpisodes", asked, _EPISODES)
        for kind, found in (("movie", films.found), ("episode", episodes.found)):
            for item in found:
                if same_file(item.file, theirs):
                    return Seen(f"{kind}:{item.id}", item.title, item.ids)
        return NOWHERE if library_of(sources, theirs) is None else NotSeen()

    async def _version(self) -> str:
        asked = {"properties": ["version"]}
        version = (await self._ask("Application.GetProperties", asked, _VERSION)).version
        return f"{version.major}.{version.minor}"

    async def _ask(
        self, method: str, given: Mapping[str, Any], shape: TypeAdapter[_Answered[T]]
    ) -> T:
        answer = await self._way.post_query(
            self._address, _question(method, given), headers=self._headers
        )
        return self._result(read(self._system, answer, shape))

    def _result(self, answered: _Answered[T]) -> T:
        if answered.result is None:
            raise UnreachableError(
                self._system, "It answered with an error of its own. It may be too old a Kodi."
            )
        return answered.result


def _question(method: str, given: Mapping[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": given}).encode()


def _signed(user: str, key: str) -> Mapping[str, str]:
    if not key:
        return {}
    credentials = base64.b64encode(f"{user}:{key}".encode()).decode("ascii")
    return {"Authorization": f"Basic {credentials}"}


def _top_folder(path: str, source: str) -> str:
    """The folder right below a source that ``path`` lies in, or the source, with a final slash."""
    slash = "\\" if is_windows(source) else "/"
    below = below_folder(path, source) or []
    return slash.join([source.rstrip("/\\"), *below[: min(1, len(below) - 1)], ""])
