"""A qBittorrent 5 on 127.0.0.1 that moves no byte: it keeps what it is told, and can misbehave.

It speaks the Web API 2.11 as far as a download client of ours uses it: what version 4 calls
paused is called stopped, and the calls ``pause`` and ``resume`` do not exist any more.
https://github.com/qbittorrent/qBittorrent/wiki/WebUI-API-(qBittorrent-5.0)
"""

import secrets
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from urllib.parse import urlsplit

import anyio
from starlette.applications import Starlette
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from world.qbittorrent_double_news import NewsDesk
from world.qbittorrent_double_torrents import Held, magnet_of, torrent_of
from world.serving import serving

USER, PASSWORD = "admin", "a pass of the double"
WRONG_PASSWORDS = 5
_ADDED_ON = 1_700_000_000
_OK = PlainTextResponse("Ok.")
_FAILS = PlainTextResponse("Fails.")


class Mishap(StrEnum):
    """What goes wrong with one call.

    ``GARBAGE``: a page of somebody else. ``SLOW``: no answer before the end of it all. ``BROKEN``:
    an error of its own, and nothing is done. ``LOST``: it is done, and no answer comes of it.
    """

    GARBAGE = "garbage"
    SLOW = "slow"
    BROKEN = "broken"
    LOST = "lost"


@dataclass(slots=True)
class QbittorrentDouble:
    """The server and everything it holds.

    Attributes:
        mishaps: what goes wrong, by the last part of a call's path.
        calls: how often each was called, by the same.
        trusting: it lets everybody in, and gives whoever has none a session of their own.
        deaf: it takes choices of files and forgets them.
        refuses: it takes no torrent, and says no more than that.
        idle: it answers and does nothing.
        hides: it does what it is told and shows the state from before.
        before_add: what happens just before a torrent is added.
        before_news: what happens just before it says what changed.
        preferences: what its owner set.
        fakes: what is answered instead, by the last part of a call's path.
    """

    address: str = ""
    version: str = "v5.0.4"
    api: str = "2.11.4"
    torrents: dict[str, Held] = field(default_factory=dict[str, Held])
    categories: set[str] = field(default_factory=set[str])
    mishaps: dict[str, Mishap] = field(default_factory=dict[str, Mishap])
    calls: Counter[str] = field(default_factory=Counter[str])
    trusting: bool = False
    deaf: bool = False
    refuses: bool = False
    idle: bool = False
    hides: bool = False
    before_add: Callable[[], object] = lambda: None
    before_news: Callable[[], object] = lambda: None
    fakes: dict[str, Response] = field(default_factory=dict[str, Response])
    wrong: int = 0
    preferences: dict[str, object] = field(default_factory=dict[str, object])
    desk: NewsDesk = field(default_factory=NewsDesk)
    sessions: set[str] = field(default_factory=set[str])
    over: anyio.Event = field(default_factory=anyio.Event)

    def routes(self) -> list[Route]:
        """What it answers to."""
        calls: dict[str, Callable[[Request], Awaitable[Response]]] = {
            "auth/login": self._login,
            "app/version": self._version,
            "app/webapiVersion": self._api_version,
            "app/preferences": self._preferences,
            "sync/maindata": self._maindata,
            "torrents/add": self._add,
            "torrents/files": self._files,
            "torrents/export": self._export,
            "torrents/filePrio": self._choose,
            "torrents/createCategory": self._create_category,
        }
        acts = ("stop", "start", "recheck", "delete", "addTags", "removeTags", "deleteTags")
        routes = {**calls, **{f"torrents/{name}": self._act for name in acts}}
        return [
            Route(f"/api/v2/{path}", self._behind_the_door(path, call), methods=["GET", "POST"])
            for path, call in routes.items()
        ]

    def _behind_the_door(
        self, path: str, call: Callable[[Request], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            name = path.rpartition("/")[2]
            self.calls[name] += 1
            if not self._is_own_page(request):
                return PlainTextResponse("Unauthorized", HTTPStatus.UNAUTHORIZED)
            if path != "auth/login" and request.cookies.get("SID") not in self.sessions:
                if not self.trusting:
                    return PlainTextResponse("Forbidden", HTTPStatus.FORBIDDEN)
                answered = await call(request)
                answered.headers["Set-Cookie"] = self._session()
                return answered
            match self.mishaps.get(name):
                case Mishap.GARBAGE:
                    return PlainTextResponse("<html><title>A router</title></html>")
                case Mishap.BROKEN:
                    return PlainTextResponse("", HTTPStatus.INTERNAL_SERVER_ERROR)
                case Mishap.SLOW:
                    await self.over.wait()
                case Mishap.LOST:
                    await call(request)
                    await self.over.wait()
                case None:
                    pass
            return self.fakes[name] if name in self.fakes else await call(request)

        return answer

    def _is_own_page(self, request: Request) -> bool:
        """Its guard against forged requests: what names another site is refused."""
        named = request.headers.get("origin") or request.headers.get("referer")
        return named is None or urlsplit(named).netloc == request.headers.get("host")

    async def _login(self, request: Request) -> Response:
        if self.wrong >= WRONG_PASSWORDS:
            return PlainTextResponse("Your IP address has been banned", HTTPStatus.FORBIDDEN)
        form = await request.form()
        if (form.get("username"), form.get("password")) != (USER, PASSWORD):
            self.wrong += 1
            return _FAILS
        return PlainTextResponse("Ok.", headers={"Set-Cookie": self._session()})

    def _session(self) -> str:
        session = secrets.token_hex(16)
        self.sessions.add(session)
        return f"SID={session}; HttpOnly; SameSite=Strict; path=/"

    async def _version(self, request: Request) -> Response:
        del request
        return PlainTextResponse(self.version)

    async def _api_version(self, request: Request) -> Response:
        del request
        return PlainTextResponse(self.api)

    async def _preferences(self, request: Request) -> Response:
        del request
        return JSONResponse(self.preferences)

    async def _maindata(self, request: Request) -> Response:
        self.before_news()
        rows = {id_: held.row for id_, held in self.torrents.items()}
        return JSONResponse(
            {
                **self.desk.since(int(request.query_params.get("rid", "0")), rows),
                "categories": {name: {"name": name} for name in self.categories},
                "server_state": {
                    "free_space_on_disk": 10**12,
                    "connection_status": "connected",
                    "refresh_interval": 50,
                },
            }
        )

    async def _add(self, request: Request) -> Response:
        async with request.form() as form:
            return await self._added(form)

    async def _added(self, form: FormData) -> Response:
        held = await self._made(form)
        if held is None:
            return PlainTextResponse("", HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        self.before_add()
        if self.refuses or held.row["hash"] in self.torrents:
            return _FAILS
        held.row |= {
            "save_path": form.get("savepath", ""),
            "category": form.get("category", ""),
            "tags": form.get("tags", ""),
            "added_on": _ADDED_ON + len(self.torrents),
        }
        if form.get("stopped") == "true":
            held.row["state"] = "stoppedDL"
        self.torrents[held.row.pop("hash")] = held
        return _OK

    async def _made(self, form: FormData) -> Held | None:
        """A torrent as it is added; None for what is no torrent."""
        upload = form.get("torrents")
        if not isinstance(upload, UploadFile):
            return magnet_of(str(form.get("urls", "")))
        return torrent_of(await upload.read())

    async def _files(self, request: Request) -> Response:
        held = self.torrents.get(request.query_params["hash"])
        return _not_there() if held is None else JSONResponse(held.files)

    async def _export(self, request: Request) -> Response:
        held = self.torrents.get(request.query_params["hash"])
        if held is None or not held.raw:
            return _not_there() if held is None else PlainTextResponse("", HTTPStatus.CONFLICT)
        return Response(held.raw, media_type="application/x-bittorrent")

    async def _choose(self, request: Request) -> Response:
        form = await request.form()
        held = self.torrents.get(str(form["hash"]))
        if held is None:
            return _not_there()
        for place in str(form["id"]).split("|"):
            if not self.deaf:
                held.files[int(place)]["priority"] = int(str(form["priority"]))
        return PlainTextResponse("")

    async def _create_category(self, request: Request) -> Response:
        self.categories.add(str((await request.form())["category"]))
        return PlainTextResponse("")

    async def _act(self, request: Request) -> Response:
        form = await request.form()
        named = str(form.get("hashes", "")).split("|")
        for id_ in [id_ for id_ in named if id_ in self.torrents and not self.idle]:
            self._do(request.url.path.rpartition("/")[2], id_, str(form.get("tags", "")))
        return PlainTextResponse("")

    def _do(self, act: str, id_: str, tags: str) -> None:
        held = self.torrents[id_]
        if self.hides and act in {"stop", "start", "recheck"}:
            return
        done = not held.row["amount_left"]
        match act:
            case "stop":
                held.row["state"] = "stoppedUP" if done else "stoppedDL"
            case "start":
                held.row["state"] = "stalledUP" if done else "stalledDL"
            case "recheck":
                held.row["state"] = "checkingUP" if done else "checkingDL"
            case "delete":
                del self.torrents[id_]
            case "addTags":
                held.tags |= set(tags.split(","))
            case "removeTags":
                held.tags -= set(tags.split(","))
            case _:
                pass


@asynccontextmanager
async def qbittorrent_double() -> AsyncGenerator[QbittorrentDouble]:
    """The double for the time of the block, at ``address``."""
    double = QbittorrentDouble()
    async with serving(Starlette(routes=double.routes())) as address:
        double.address = address
        try:
            yield double
        finally:
            double.over.set()


def _not_there() -> Response:
    return PlainTextResponse("Not Found", HTTPStatus.NOT_FOUND)
