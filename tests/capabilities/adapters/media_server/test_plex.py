from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from starlette.responses import JSONResponse, PlainTextResponse, Response

from capabilities.adapters.media_server.asking import NOWHERE
from capabilities.adapters.media_server.plex import Plex
from capabilities.adapters.media_server.port import (
    NotSeen,
    Seen,
    ServerHealth,
    ServerKind,
    ServerLibrary,
    Sight,
)
from capabilities.adapters.media_server.searching import PAGE
from capabilities.kernel.faults import DeclinedError, UnreachableError
from capabilities.rules.path_mapping import PathMap, SameFolder
from capabilities.rules.works import WorkKind
from tests.capabilities.adapters.outbound_bench import outbound
from tests.capabilities.adapters.scripted_neighbour import Neighbour, neighbour

pytestmark = pytest.mark.anyio

PATHS = PathMap([SameFolder("/srv/films", "/media/films"), SameFolder("/srv/tv", "D:\\TV")])
FILM = "/srv/films/Sintel (2010)/Sintel & co.mkv"
EPISODE = "/srv/tv/Show/Season 01/a.mkv"


def container(**held: Any) -> Response:
    return JSONResponse({"MediaContainer": held})


SECTIONS = container(
    Directory=[
        {"key": "1", "title": "Films", "type": "movie", "Location": [{"path": "/media/films"}]},
        {"key": "2", "title": "TV", "type": "show", "Location": [{"path": "D:\\TV"}, {"id": 9}]},
        {"key": "3", "title": "Music", "type": "artist", "Location": [{"path": "/media/music"}]},
    ]
)


def item(file: str, **held: Any) -> dict[str, Any]:
    return {"ratingKey": "7", "Media": [{"Part": [{"file": file}]}], **held}


@dataclass
class Rig:
    plex: Plex
    peer: Neighbour

    async def sight(self, path: str) -> Sight:
        return (await self.plex.seen([path]))[path]

    def asked(self, number: int) -> tuple[str, dict[str, str]]:
        """Path and query of a request."""
        url = self.peer.requests[number].url
        return url.path, dict(self.peer.requests[number].query_params)


@asynccontextmanager
async def plex(*script: Response) -> AsyncGenerator[Rig]:
    async with neighbour(*script) as peer, outbound() as out:
        yield Rig(Plex("den", peer.address, "a-token", outbound=out, paths=PATHS), peer)


async def test_a_film_is_seen_by_the_part_that_lies_at_its_path() -> None:
    found = item("/media/films/Sintel (2010)/Sintel & co.mkv", title="Sintel")
    guids = [{"id": "tmdb://45745"}, {"id": "imdb://tt1727587"}, {"id": "odd"}]
    other = item("/media/films/other.mkv")
    async with plex(SECTIONS, container(Metadata=[other, {**found, "Guid": guids}])) as rig:
        sight = await rig.sight(FILM)
        path, query = rig.asked(1)

    assert sight == Seen("7", "Sintel", {"tmdb": "45745", "imdb": "tt1727587"})
    assert (path, query["type"], query["sort"]) == (
        "/library/sections/1/all",
        "1",
        "addedAt:desc",
    )


async def test_an_episode_is_looked_for_among_episodes_on_a_server_of_windows() -> None:
    found = item("D:\\TV\\Show\\Season 01\\a.mkv", title="Pilot")
    async with plex(SECTIONS, container(Metadata=[found])) as rig:
        sight = await rig.sight(EPISODE)
        path, query = rig.asked(1)

    assert sight == Seen("7", "Pilot")
    assert (path, query["type"]) == ("/library/sections/2/all", "4")


@pytest.mark.parametrize("items", [{}, {"Metadata": []}, {"Metadata": [item("/media/x.mkv")]}])
async def test_what_no_item_has_a_part_of_is_not_seen(items: dict[str, Any]) -> None:
    async with plex(SECTIONS, container(**items)) as rig:
        assert await rig.sight(FILM) == NotSeen()


def full() -> Response:
    """The newest page of a library that has more."""
    return container(Metadata=[item(f"/media/films/{n}.mkv") for n in range(PAGE)])


async def test_a_film_that_is_none_of_the_newest_is_asked_for_by_its_title() -> None:
    found = container(Metadata=[item("/media/films/Sintel (2010)/Sintel & co.mkv")])
    async with plex(SECTIONS, full(), found) as rig:
        sight = await rig.sight(FILM)
        path, query = rig.asked(2)

    assert isinstance(sight, Seen)
    assert (path, query["type"], query["title"]) == ("/library/sections/1/all", "1", "Sintel")


async def test_an_episode_that_is_none_of_the_newest_is_asked_for_by_its_series() -> None:
    found = container(Metadata=[item("D:\\TV\\Show\\Season 01\\a.mkv")])
    async with plex(SECTIONS, full(), full(), found) as rig:
        sight = await rig.sight(EPISODE)
        asked = [rig.asked(number)[1] for number in (2, 3)]

    assert isinstance(sight, Seen)
    assert [(query["show.title"], query["X-Plex-Container-Start"]) for query in asked] == [
        ("Show", "0"),
        ("Show", str(PAGE)),
    ]


async def test_what_no_title_finds_is_looked_for_page_by_page() -> None:
    last = container(Metadata=[item("/media/films/Sintel (2010)/Sintel & co.mkv")])
    async with plex(SECTIONS, full(), container(), last) as rig:
        sight = await rig.sight(FILM)
        _, query = rig.asked(3)

    assert isinstance(sight, Seen)
    assert query["X-Plex-Container-Start"] == str(PAGE)


async def test_each_version_of_a_film_is_seen_as_that_film() -> None:
    media = [
        {"Part": [{"file": "/media/films/Sintel (2010)/other.mkv"}]},
        {"Part": [{"file": "/media/films/Sintel (2010)/Sintel & co.mkv"}]},
    ]
    film = {"ratingKey": "7", "title": "Sintel", "type": "movie", "Media": media}
    async with plex(SECTIONS, container(Metadata=[film])) as rig:
        other = FILM.replace("Sintel & co", "other")
        sights = await rig.plex.seen([FILM, other])

    assert sights == {FILM: Seen("7", "Sintel"), other: Seen("7", "Sintel")}
    assert [one.taken_for for one in sights.values() if isinstance(one, Seen)] == [
        WorkKind.FILM,
        WorkKind.FILM,
    ]


async def test_only_the_files_folders_are_scanned_each_once() -> None:
    async with plex(SECTIONS, Response(), Response()) as rig:
        await rig.plex.refresh([FILM, EPISODE, FILM.replace("Sintel &", "Sintel's &")])
        asked = [rig.asked(1), rig.asked(2)]

    assert asked == [
        ("/library/sections/1/refresh", {"path": "/media/films/Sintel (2010)"}),
        ("/library/sections/2/refresh", {"path": "D:\\TV\\Show\\Season 01"}),
    ]


async def test_a_folder_of_no_library_is_neither_scanned_nor_told_about() -> None:
    async with plex(SECTIONS, SECTIONS) as rig:
        assert await rig.sight("/srv/music/a.mkv") == NOWHERE
        with pytest.raises(DeclinedError, match="None of its libraries"):
            await rig.plex.refresh(["/srv/music/a.mkv"])


async def test_its_libraries_are_those_for_films_and_series() -> None:
    async with plex(SECTIONS) as rig:
        libraries = await rig.plex.libraries()
        token = rig.peer.requests[0].headers["X-Plex-Token"]

    assert token == "a-token"
    assert libraries == [
        ServerLibrary("1", "Films", WorkKind.FILM, ("/media/films",)),
        ServerLibrary("2", "TV", WorkKind.SERIES, ("D:\\TV",)),
    ]


async def test_its_health_is_its_version_once_the_token_opened_its_libraries() -> None:
    version = container(version="1.43.0")
    async with plex(version, SECTIONS, version, Response(status_code=401)) as rig:
        well = await rig.plex.health()
        ill = await rig.plex.health()

    assert (rig.plex.name, rig.plex.kind) == ("den", ServerKind.PLEX)
    assert well == ServerHealth(reachable=True, version="1.43.0")
    assert (ill.reachable, ill.version) == (False, "")
    assert ill.note is not None
    assert "does not accept its key" in ill.note


async def test_xml_is_no_answer() -> None:
    async with plex(PlainTextResponse("<MediaContainer/>")) as rig:
        with pytest.raises(UnreachableError, match="not that of such a server"):
            await rig.plex.libraries()
