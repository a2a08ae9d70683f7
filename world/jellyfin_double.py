"""A media server in Jellyfin's shapes, on loopback, over real folders, with a memory.

It sees a file only after it was told of it and its delay is over, as the real one does, and never
sees what it is told to be blind to. Files of one name in a film's folder are versions of one item.
It takes Jellyfin's way of signing in and Emby's, commas in
lists and repeated parameters. Shapes: https://api.jellyfin.org.
"""

import re
import time
import uuid
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from world.metadata_door import Door
from world.serving import serving

KEY = "0f0e0d0c0b0a09080706050403020100"
VERSION = "12.0.0"
_VIDEOS = frozenset({".mkv", ".mp4", ".avi"})
_ID = re.compile(r"[\[{](tmdb|imdb|tvdb)(?:id)?-([a-z0-9]+)[\]}]", re.IGNORECASE)
_TYPES = {"movies": "Movie", "tvshows": "Episode"}


@dataclass(frozen=True, slots=True)
class Library:
    """One library: its kind (``movies`` or ``tvshows``), and its folder on this machine.

    ``seen_as``: what the server calls the folder; the same, unless it is told otherwise.
    """

    name: str
    kind: str
    folder: Path
    seen_as: str = ""

    @property
    def location(self) -> str:
        """The folder as the server calls it."""
        return self.seen_as or str(self.folder)

    @property
    def id(self) -> str:
        """Of its root item."""
        return _id(self.location)

    def above(self, path: str) -> list[str]:
        """The ids of what holds an item: the library, and the series of an episode."""
        folder, inside, _ = path[len(self.location) + 1 :].partition("/")
        series = self.kind == "tvshows" and bool(inside)
        return [self.id, _id(f"{self.location}/{folder}")] if series else [self.id]

    def real(self, path: str) -> Path | None:
        """The file on this machine behind a path of the server's; None outside the folder."""
        inside = path.startswith(f"{self.location}/")
        return self.folder / path[len(self.location) + 1 :] if inside else None


@dataclass(frozen=True, slots=True)
class _Told:
    path: str
    due: float


@dataclass(slots=True)
class _Memory:
    told: list[_Told] = field(default_factory=list[_Told])
    items: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    crowds: dict[str, int] = field(default_factory=dict[str, int])


class JellyfinDouble(Door):
    """The server.

    Attributes:
        delay_s: seconds between being told of a path and looking at it.
        blind_to: names of files that it never sees.
    """

    def __init__(
        self, libraries: Sequence[Library], *, now: Callable[[], float] = time.monotonic
    ) -> None:
        """Use `serving_jellyfin`, which also listens; ``now`` gives monotonic seconds."""
        super().__init__()
        self.delay_s = 0.0
        self.blind_to: set[str] = set()
        self._libraries = libraries
        self._now = now
        self._memory = _Memory()

    def pretends_to_hold(self, many: int, folder: Path) -> None:
        """Show so many files that came later than all it was told of, in a library's folder."""
        library = next(one for one in self._libraries if one.folder == folder)
        self._memory.crowds[library.id] = many

    @property
    def told(self) -> list[str]:
        """Paths that it was told of and has not looked at."""
        self._look()
        return [each.path for each in self._memory.told]

    def routes(self) -> list[Route]:
        """What it answers."""
        return [
            Route("/System/Info", self._info),
            Route("/Library/VirtualFolders", self._folders),
            Route("/Library/Media/Updated", self._updated, methods=["POST"]),
            Route("/Items", self._page),
        ]

    async def _info(self, request: Request) -> Response:
        shown = {"Version": VERSION, "ServerName": "double", "ProductName": "Jellyfin Server"}
        return JSONResponse(shown) if _signed(request) else _stranger()

    async def _folders(self, request: Request) -> Response:
        if not _signed(request):
            return _stranger()
        return JSONResponse(
            [
                {
                    "Name": library.name,
                    "Locations": [library.location],
                    "CollectionType": library.kind,
                    "ItemId": library.id,
                }
                for library in self._libraries
            ]
        )

    async def _updated(self, request: Request) -> Response:
        if not _signed(request):
            return _stranger()
        due = self._now() + self.delay_s
        for update in (await request.json())["Updates"]:
            self._memory.told.append(_Told(update["Path"], due))
        return Response(status_code=204)

    async def _page(self, request: Request) -> Response:
        if not _signed(request):
            return _stranger()
        self._look()
        query = request.query_params
        types, words = _listed(request, "includeItemTypes"), query.get("searchTerm", "").casefold()
        shown = [
            item
            for item in reversed(self._shown())  # newest first
            if query["parentId"] in item["Above"]
            and item["Type"] in types
            and words in item["Name"].casefold()
        ]
        crowd = 0 if words else self._memory.crowds.get(query["parentId"], 0)
        start = int(query.get("startIndex", "0"))
        end = start + int(query.get("limit", "100"))
        page = [_one_of_many(number) for number in range(start, min(end, crowd))]
        page += shown[max(start - crowd, 0) : max(end - crowd, 0)]
        fields = {"Id", "Name", "Type", *_listed(request, "fields")}
        bare = [{name: value for name, value in item.items() if name in fields} for item in page]
        return JSONResponse(
            {"Items": bare, "TotalRecordCount": crowd + len(shown), "StartIndex": start}
        )

    def _shown(self) -> list[dict[str, Any]]:
        """The items as it tells of them: a film once for all of its versions, and each series."""
        shown: dict[str, dict[str, Any]] = {}
        for path, item in self._memory.items.items():
            series = item["Above"][1:]
            if series:
                above = {"Id": series[0], "Name": _name(item["Series"]), "Type": "Series"}
                shown.setdefault(series[0], {**above, "Above": item["Above"][:1]})
            same = f"{path.rpartition('/')[0]}/{item['Name']}"
            known = shown.get(same) if item["Type"] == "Movie" else None
            if known is None:
                shown[same if item["Type"] == "Movie" else path] = dict(item)
            else:
                known["MediaSources"] = [*known["MediaSources"], *item["MediaSources"]]
        return list(shown.values())

    def _look(self) -> None:
        """Look at what is due: what is there becomes an item, what is gone ceases to be one."""
        memory, now = self._memory, self._now()
        due = [each.path for each in memory.told if each.due <= now]
        memory.told = [each for each in memory.told if each.due > now]
        for path in due:
            for library in self._libraries:
                real = library.real(path)
                if real is not None:
                    self._scan(library, path, real)

    def _scan(self, library: Library, path: str, real: Path) -> None:
        self._memory.items.pop(path, None)
        if real.is_dir():
            for inside in sorted(real.iterdir()):
                self._scan(library, f"{path}/{inside.name}", inside)
        elif real.is_file() and real.suffix in _VIDEOS and real.name not in self.blind_to:
            self._memory.items[path] = {
                "Id": _id(path),
                "Name": _name(real.stem),
                "Type": _TYPES[library.kind],
                "Path": path,
                "Above": library.above(path),
                "Series": path[len(library.location) + 1 :].partition("/")[0],
                "ProviderIds": {source.title(): number for source, number in _ID.findall(path)},
                "MediaSources": [{"Id": _id(path), "Path": path}],
            }


@asynccontextmanager
async def serving_jellyfin(
    *libraries: Library, now: Callable[[], float] = time.monotonic
) -> AsyncGenerator[JellyfinDouble]:
    """Serve the libraries until the block ends."""
    double = JellyfinDouble(libraries, now=now)
    async with serving(double.application(*double.routes())) as address:
        double.address = address
        yield double


def _signed(request: Request) -> bool:
    given = request.headers
    signed = given.get("Authorization") == f'MediaBrowser Token="{KEY}"'
    return signed or given.get("X-Emby-Token") == KEY


def _stranger() -> Response:
    return Response(status_code=401)


def _listed(request: Request, name: str) -> set[str]:
    return {part for each in request.query_params.getlist(name) for part in each.split(",")}


def _one_of_many(number: int) -> dict[str, Any]:
    return {"Id": str(number), "Name": str(number), "Path": f"/many/{number}.mkv"}


def _name(written: str) -> str:
    return re.split(r" [\[({]| - \[", written)[0]


def _id(path: str) -> str:
    return uuid.uuid5(uuid.NAMESPACE_URL, path).hex
