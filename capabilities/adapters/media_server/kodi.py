"""Kodi, by JSON-RPC over its web server.

https://kodi.wiki/view/JSON-RPC_API/v12. Kodi sees a file once the file's folder lies in a source
with a content type and a scan has found it there.
"""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Generic, TypeVar

from pydantic import Field, TypeAdapter

from capabilities.adapters.media_server.asking import (
    NOWHERE,
    Told,
    healthy,
    library_of,
    read,
    same_file,
)
from capabilities.adapters.media_server.configured import Configured
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
from capabilities.rules.works import WorkKind

_WANTED: Final = ("title", "file", "uniqueid")
_SCANNING: Final = "Library.IsScanningVideo"
_A_SCAN_S: Final = 5.0
FILES_AT_ONCE: Final = 25
"""Of one question: each is a condition of its own."""

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

    def seen(self) -> Seen:
        return Seen(f"movie:{self.id}", self.title, self.ids, WorkKind.FILM)


class _Episode(_Film):
    id: int = Field(alias="episodeid")

    def seen(self) -> Seen:
        return Seen(f"episode:{self.id}", self.title, self.ids, WorkKind.SERIES)


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


class Kodi(Configured):
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
        """Bind a server by its web server's user and password; else as `Configured`.

        Without a password no credentials are sent.
        """
        signed = _signed(user, key)
        super().__init__(ServerKind.KODI, name, address, signed, outbound=outbound, paths=paths)
        self._questions = f"{self.address}/jsonrpc"

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
        """Have the work's folder scanned, the one right below the source.

        Kodi scans one folder at a time: for several works it is their source, or all of them.

        Raises:
            ThrottledError: also while it scans; asked for a scan then, it would end that one.
        """
        folder = await self._folder_above(paths)
        if (await self._ask("XBMC.GetInfoBooleans", {"booleans": [_SCANNING]}, _TRUTHS))[_SCANNING]:
            raise ThrottledError(
                self.system, "It is scanning its library already.", retry_after_s=_A_SCAN_S
            )
        only = {} if folder is None else {"directory": folder}
        answer = await self.way.send(
            self._questions,
            _question("VideoLibrary.Scan", {**only, "showdialogs": False}),
            "application/json",
            headers=self.headers,
        )
        self._result(read(self.system, answer, _WORD))

    async def _folder_above(self, paths: Sequence[str]) -> str | None:
        """The smallest folder to scan for these files; None where several sources hold them."""
        sources = await self.libraries()
        folders, holding = set[str](), set[str]()
        for path in paths:
            theirs = self.paths.to_theirs(path)
            source = library_of(sources, theirs)
            if source is None:
                raise DeclinedError(self.system, NOWHERE.why)
            folders.add(_top_folder(theirs, source.id))
            holding.add(source.id)
        smallest = folders if len(folders) == 1 else holding
        return smallest.pop() if len(smallest) == 1 else None

    async def seen(self, paths: Sequence[str]) -> dict[str, Sight]:
        """The films or episodes whose files they are, asked for by path."""
        sources = await self.libraries()
        theirs = {path: self.paths.to_theirs(path) for path in paths}
        sights: dict[str, Sight] = {
            path: NOWHERE if library_of(sources, there) is None else NotSeen()
            for path, there in theirs.items()
        }
        files = list(theirs.items())
        for first in range(0, len(files), FILES_AT_ONCE):
            sights |= dict(await self._found(dict(files[first : first + FILES_AT_ONCE])))
        return sights

    async def _found(self, theirs: Mapping[str, str]) -> list[tuple[str, Seen]]:
        asked = {"properties": _WANTED, "filter": _any_of([_lies_at(at) for at in theirs.values()])}
        films = await self._ask("VideoLibrary.GetMovies", asked, _FILMS)
        found = list(_matching(films.found, theirs))
        if len(found) < len(theirs):
            episodes = await self._ask("VideoLibrary.GetEpisodes", asked, _EPISODES)
            found += _matching(episodes.found, theirs)
        return found

    async def _version(self) -> str:
        asked = {"properties": ["version"]}
        version = (await self._ask("Application.GetProperties", asked, _VERSION)).version
        return f"{version.major}.{version.minor}"

    async def _ask(
        self, method: str, given: Mapping[str, Any], shape: TypeAdapter[_Answered[T]]
    ) -> T:
        answer = await self.way.post_query(
            self._questions, _question(method, given), headers=self.headers
        )
        return self._result(read(self.system, answer, shape))

    def _result(self, answered: _Answered[T]) -> T:
        if answered.result is None:
            raise UnreachableError(
                self.system, "It answered with an error of its own. It may be too old a Kodi."
            )
        return answered.result


def _question(method: str, given: Mapping[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": given}).encode()


def _lies_at(path: str) -> dict[str, Any]:
    cut = max(path.rfind("/"), path.rfind("\\")) + 1
    return {
        "and": [
            {"field": "path", "operator": "is", "value": path[:cut]},
            {"field": "filename", "operator": "is", "value": path[cut:]},
        ]
    }


def _any_of(conditions: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return conditions[0] if len(conditions) == 1 else {"or": list(conditions)}


def _matching(items: Sequence[_Film], theirs: Mapping[str, str]) -> Iterator[tuple[str, Seen]]:
    for path, there in theirs.items():
        item = next((item for item in items if same_file(item.file, there)), None)
        if item is not None:
            yield path, item.seen()


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
