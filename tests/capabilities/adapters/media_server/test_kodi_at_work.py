"""Our client against a Kodi that nobody here wrote: a real scanner on real files."""

from pathlib import Path

import anyio
import pytest

from capabilities.adapters.media_server.asking import NOWHERE
from capabilities.adapters.media_server.kodi import Kodi
from capabilities.adapters.media_server.port import NotSeen, Seen, Sight
from capabilities.adapters.outbound import Outbound
from capabilities.kernel.faults import ThrottledError
from tests.capabilities.adapters.media_server.kodi_at_work import (
    FILMS,
    SERIES,
    USER,
    kodi_at_work,
)
from world.samples import Sample, original

pytestmark = [pytest.mark.anyio, pytest.mark.proof]

SEEN_S = 60.0
FILM = "Sintel (2010) {tmdb-45745}/Sintel (2010).mkv"
EPISODE = "Lantern Street (2019)/Season 01/Lantern Street - S01E01.mkv"


def placed(file: Path, sample: Sample, nfo: str) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(original(sample).read_bytes())
    file.with_suffix(".nfo").write_text(nfo)
    return str(file)


def film(folder: Path) -> str:
    number = '<uniqueid type="tmdb" default="true">45745</uniqueid>'
    nfo = f"<movie><title>Sintel</title><year>2010</year>{number}</movie>"
    return placed(folder / FILM, Sample.FILM_1080P, nfo)


def episode(folder: Path) -> str:
    show = folder / EPISODE.partition("/")[0]
    show.mkdir(parents=True)
    (show / "tvshow.nfo").write_text("<tvshow><title>Lantern Street</title></tvshow>")
    nfo = (
        "<episodedetails><title>The First Lamp</title><season>1</season><episode>1</episode>"
        "</episodedetails>"
    )
    return placed(folder / EPISODE, Sample.EPISODE_720P, nfo)


async def tell(server: Kodi, path: str) -> None:
    """Once it is done with what it was told of before."""
    with anyio.fail_after(SEEN_S):
        while True:
            try:
                return await server.refresh([path])
            except ThrottledError:
                await anyio.sleep(0.5)


async def seen_by(server: Kodi, path: str) -> Sight:
    return (await server.seen([path]))[path]


async def until_seen(server: Kodi, path: str) -> Sight:
    sight = await seen_by(server, path)
    with anyio.move_on_after(SEEN_S):
        while sight == NotSeen():
            await anyio.sleep(0.5)
            sight = await seen_by(server, path)
    return sight


@pytest.mark.timeout(240)
async def test_kodi_sees_what_it_was_told_of_and_nothing_else(tmp_path: Path) -> None:
    home, films, series = tmp_path / "home", tmp_path / "films", tmp_path / "series"
    for folder in (home, films, series):
        folder.mkdir()
    async with (
        kodi_at_work(home, {films: FILMS, series: SERIES}) as running,
        Outbound(version="0") as out,
    ):
        server = Kodi("den", running.address, USER, running.password, outbound=out)
        stranger = Kodi("den", running.address, USER, "wrong", outbound=out)
        health = await server.health()
        sources = [library.folders for library in await server.libraries()]
        a_film, an_episode = film(films), episode(series)
        before = [await seen_by(server, path) for path in (a_film, an_episode)]
        elsewhere = await seen_by(server, str(tmp_path / "elsewhere.mkv"))
        for path in (a_film, an_episode):
            await tell(server, path)
        seen = [await until_seen(server, path) for path in (a_film, an_episode)]
        refused = await stranger.health()

    assert health.reachable
    assert health.version.split(".")[0].isdecimal()
    assert sources == [(f"{films}/",), (f"{series}/",)]
    assert (before, elsewhere) == ([NotSeen(), NotSeen()], NOWHERE)
    assert [sight.title for sight in seen if isinstance(sight, Seen)] == [
        "Sintel",
        "The First Lamp",
    ]
    assert isinstance(seen[0], Seen)
    assert seen[0].ids["tmdb"] == "45745"
    assert not refused.reachable
