"""A server with a memory over real folders, and an adapter of ours that asks it."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from capabilities.adapters.media_server.emby_protocol import EmbyProtocol
from capabilities.adapters.media_server.port import Sight
from capabilities.rules.path_mapping import PathMap, SameFolder
from tests.capabilities.adapters.outbound_bench import Pauses, outbound
from tests.capabilities.watch import Watch
from world.jellyfin_double import KEY, JellyfinDouble, Library, serving_jellyfin

FILM = "Sintel (2010) {tmdb-45745}/Sintel (2010) - [Bluray-1080p].mkv"
EPISODE = "Lantern Street (2019)/Season 01/Lantern Street - S01E01.mkv"
THERE = "/media/films"
Making = Callable[..., EmbyProtocol]


@dataclass(frozen=True)
class Bench:
    """The double calls ``films`` by the name `THERE`, and ``series`` as we do."""

    double: JellyfinDouble
    server: EmbyProtocol
    films: Path
    series: Path
    watch: Watch

    async def sight(self, path: str) -> Sight:
        """What the adapter says of one file."""
        return (await self.server.seen([path]))[path]

    def film(self, relative: str = FILM) -> str:
        """A file that stands among the films; its path."""
        return _placed(self.films / relative)

    def episode(self, relative: str = EPISODE) -> str:
        """A file that stands among the series; its path."""
        return _placed(self.series / relative)


@asynccontextmanager
async def at_work(folder: Path, making: Making, *, key: str = KEY) -> AsyncGenerator[Bench]:
    """The bench for the time of the block; waiting between attempts takes no time."""
    films, series, watch = folder / "films", folder / "series", Watch()
    films.mkdir()
    series.mkdir()
    libraries = [Library("Films", "movies", films, THERE), Library("Shows", "tvshows", series)]
    paths = PathMap([SameFolder(str(films), THERE)])
    async with (
        serving_jellyfin(*libraries, now=watch.monotonic) as double,
        outbound(Pauses()) as out,
    ):
        server = making("den", double.address, key, outbound=out, paths=paths)
        yield Bench(double, server, films, series, watch)


def remove(path: str) -> None:
    """Take a placed file away."""
    Path(path).unlink()


def _placed(file: Path) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"video")
    return str(file)
