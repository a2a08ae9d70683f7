import base64
import json
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from capabilities.adapters.media_server.asking import NOWHERE
from capabilities.adapters.media_server.kodi import FILES_AT_ONCE, Kodi
from capabilities.adapters.media_server.port import (
    NotSeen,
    Seen,
    ServerHealth,
    ServerKind,
    ServerLibrary,
    Sight,
)
from capabilities.kernel.faults import (
    DeclinedError,
    LostAnswerError,
    ThrottledError,
    UnreachableError,
)
from capabilities.rules.path_mapping import PathMap, SameFolder
from capabilities.rules.works import WorkKind
from tests.capabilities.adapters.outbound_bench import outbound
from world.serving import serving

pytestmark = pytest.mark.anyio

SCAN = "VideoLibrary.Scan"
PATHS = PathMap([SameFolder("/srv/films", "smb://nas/films"), SameFolder("/srv/tv", "D:\\TV")])
FILM = "/srv/films/Sintel (2010)/Sintel.mkv"
EPISODE = "/srv/tv/Show/Season 01/a.mkv"
SOURCES = {
    "sources": [{"label": "Films", "file": "smb://nas/films/"}, {"label": "TV", "file": "D:\\TV\\"}]
}


@dataclass
class Peer:
    """Answers each method by its name; keeps what it was asked."""

    answers: dict[str, Any]
    instead: deque[Response] = field(default_factory=deque[Response])
    asked: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    signed: list[str | None] = field(default_factory=list[str | None])

    async def __call__(self, request: Request) -> Response:
        asked = await request.json()
        self.asked.append(asked)
        self.signed.append(request.headers.get("Authorization"))
        if self.instead:
            return self.instead.popleft()
        if asked["method"] not in self.answers:
            return JSONResponse({"id": 1, "jsonrpc": "2.0", "error": {"code": -32601}})
        return JSONResponse({"id": 1, "jsonrpc": "2.0", "result": self.answers[asked["method"]]})


@asynccontextmanager
async def kodi(*, key: str = "a-word", **answers: Any) -> AsyncGenerator[tuple[Kodi, Peer]]:
    peer = Peer({name.replace("_", "."): answer for name, answer in answers.items()})
    app = Starlette(routes=[Route("/jsonrpc", peer.__call__, methods=["POST"])])
    async with serving(app) as address, outbound() as out:
        yield Kodi("den", address, "kodi", key, outbound=out, paths=PATHS), peer


async def seen(server: Kodi, path: str) -> Sight:
    return (await server.seen([path]))[path]


async def test_a_film_is_seen_by_its_file() -> None:
    movie = {
        "movieid": 3,
        "title": "Sintel",
        "file": "smb://nas/films/Sintel (2010)/Sintel.mkv",
        "uniqueid": {"tmdb": "45745"},
    }
    async with kodi(
        VideoLibrary_GetMovies={"movies": [movie], "limits": {}},
        VideoLibrary_GetEpisodes={},
        Files_GetSources={},
    ) as (server, peer):
        sight = await seen(server, FILM)

    assert sight == Seen("movie:3", "Sintel", {"tmdb": "45745"})
    asked = {one["field"]: one["value"] for one in peer.asked[1]["params"]["filter"]["and"]}
    assert asked == {"path": "smb://nas/films/Sintel (2010)/", "filename": "Sintel.mkv"}


async def test_an_episode_is_seen_by_its_file_on_a_kodi_of_windows() -> None:
    episode = {"episodeid": 9, "title": "Pilot", "file": "D:\\TV\\Show\\Season 01\\a.mkv"}
    async with kodi(
        VideoLibrary_GetMovies={},
        VideoLibrary_GetEpisodes={"episodes": [episode]},
        Files_GetSources=SOURCES,
    ) as (server, _):
        assert await seen(server, EPISODE) == Seen("episode:9", "Pilot")


async def test_what_is_in_a_source_and_not_in_the_library_is_not_seen() -> None:
    near = {"movieid": 4, "title": "x", "file": "smb://nas/films/Sintel (2010)/sintel.mkv"}
    async with kodi(
        VideoLibrary_GetMovies={"movies": [near]},
        VideoLibrary_GetEpisodes={},
        Files_GetSources=SOURCES,
    ) as (server, _):
        assert await seen(server, FILM) == NotSeen()
        assert await seen(server, "/srv/elsewhere/a.mkv") == NOWHERE


async def test_many_files_are_asked_for_in_few_questions() -> None:
    films = [f"/srv/films/{n} (2010)/{n}.mkv" for n in range(FILES_AT_ONCE + 1)]
    async with kodi(
        VideoLibrary_GetMovies={}, VideoLibrary_GetEpisodes={}, Files_GetSources=SOURCES
    ) as (server, peer):
        sights = await server.seen(films)
        asked = [one["params"]["filter"] for one in peer.asked[1:]]

    assert set(sights) == set(films)
    assert [len(one.get("or", [one])) for one in asked] == [FILES_AT_ONCE, FILES_AT_ONCE, 1, 1]


async def test_what_it_takes_for_an_episode_is_told_apart_from_a_film() -> None:
    episode = {"episodeid": 9, "file": "smb://nas/films/Sintel (2010)/Sintel.mkv"}
    async with kodi(
        VideoLibrary_GetMovies={},
        VideoLibrary_GetEpisodes={"episodes": [episode]},
        Files_GetSources=SOURCES,
    ) as (server, _):
        sight = await seen(server, FILM)

    assert isinstance(sight, Seen)
    assert sight.taken_for is WorkKind.SERIES


async def test_several_works_of_one_source_are_scanned_with_that_source() -> None:
    async with kodi(
        Files_GetSources=SOURCES, XBMC_GetInfoBooleans=idle(), VideoLibrary_Scan="OK"
    ) as (server, peer):
        await server.refresh([FILM, "/srv/films/Other (2011)/a.mkv"])

    assert peer.asked[-1]["params"]["directory"] == "smb://nas/films/"


def idle(*, scanning: bool = False) -> dict[str, bool]:
    return {"Library.IsScanningVideo": scanning}


async def test_the_works_folder_is_scanned() -> None:
    async with kodi(
        Files_GetSources=SOURCES, XBMC_GetInfoBooleans=idle(), VideoLibrary_Scan="OK"
    ) as (server, peer):
        for path in (FILM, EPISODE, "/srv/films/loose.mkv"):
            await server.refresh([path])
        await server.refresh([FILM, EPISODE])
        scans = [one["params"].get("directory") for one in peer.asked if one["method"] == SCAN]
        with pytest.raises(DeclinedError, match="None of its libraries"):
            await server.refresh(["/srv/elsewhere/a.mkv"])

    assert scans == ["smb://nas/films/Sintel (2010)/", "D:\\TV\\Show\\", "smb://nas/films/", None]


async def test_a_scan_under_way_is_not_ended_by_asking_for_another() -> None:
    async with kodi(
        Files_GetSources=SOURCES, XBMC_GetInfoBooleans=idle(scanning=True), VideoLibrary_Scan="OK"
    ) as (server, peer):
        with pytest.raises(ThrottledError) as raised:
            await server.refresh([FILM])

    assert raised.value.retry_after_s == 5
    assert SCAN not in [one["method"] for one in peer.asked]


async def test_its_libraries_are_its_sources() -> None:
    async with kodi(Files_GetSources=SOURCES) as (server, _):
        assert await server.libraries() == [
            ServerLibrary("smb://nas/films/", "Films", None, ("smb://nas/films/",)),
            ServerLibrary("D:\\TV\\", "TV", None, ("D:\\TV\\",)),
        ]


@pytest.mark.parametrize(
    ("key", "signed"),
    [("a-word", f"Basic {base64.b64encode(b'kodi:a-word').decode()}"), ("", None)],
)
async def test_its_health_is_its_version_and_the_password_is_sent_where_there_is_one(
    key: str, signed: str | None
) -> None:
    version = {"version": {"major": 20, "minor": 1, "tag": "stable"}}
    async with kodi(key=key, Application_GetProperties=version) as (server, peer):
        assert await server.health() == ServerHealth(reachable=True, version="20.1")
        assert (server.name, server.kind) == ("den", ServerKind.KODI)
        assert peer.signed == [signed]
        peer.instead.append(Response(status_code=401))
        ill = await server.health()

    assert not ill.reachable
    assert ill.note is not None
    assert "does not accept its key" in ill.note


async def test_an_error_of_its_own_is_no_sight() -> None:
    async with kodi() as (server, _):
        with pytest.raises(UnreachableError, match="an error of its own"):
            await seen(server, FILM)


async def test_a_scan_that_was_not_answered_may_have_begun() -> None:
    async with kodi() as (server, peer):
        answers = [SOURCES, idle()]
        peer.instead.extend(JSONResponse({"id": 1, "result": answer}) for answer in answers)
        peer.instead.append(Response(status_code=500))
        with pytest.raises(LostAnswerError):
            await server.refresh([FILM])


async def test_a_question_is_asked_again_when_the_answer_was_lost() -> None:
    async with kodi(Files_GetSources=SOURCES) as (server, peer):
        peer.instead.append(Response(status_code=500))
        assert len(await server.libraries()) == 2
        assert json.dumps(peer.asked[0]) == json.dumps(peer.asked[1])
