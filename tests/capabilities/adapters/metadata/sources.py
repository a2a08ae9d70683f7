"""Each metadata source before its double, and what the double knows, for tests they share."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from anyio.lowlevel import checkpoint
from starlette.responses import JSONResponse, Response

from capabilities.adapters.metadata.anilist import Anilist
from capabilities.adapters.metadata.answer_cache import Validity
from capabilities.adapters.metadata.port import Source
from capabilities.adapters.metadata.tmdb import Tmdb
from capabilities.adapters.metadata.tvmaze import Tvmaze
from capabilities.adapters.outbound import Outbound
from capabilities.rules.works import WorkKey, WorkKind
from world.metadata import LoopbackMetadata, serving_metadata
from world.metadata_anilist import serving_anilist
from world.metadata_door import Door
from world.metadata_tvmaze import serving_tvmaze

VALIDITY = Validity(search_s=100, work_s=100, season_s=100, nothing_s=10)


class Clock:
    """Monotonic seconds that a test moves on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def at_once(_seconds: float) -> None:
    await checkpoint()


@dataclass(frozen=True, slots=True)
class Meeting:
    """A source that has met its double.

    Attributes:
        title: one of the series that both know.
        year: of that series.
        key: of that series, which has a season 1.
        elsewhere: a number of that series at another source.
        too_many: the double's way to say 429, for so many seconds.
    """

    source: Source
    double: Door | LoopbackMetadata
    clock: Clock
    title: str
    year: int
    key: WorkKey
    elsewhere: dict[str, str]
    too_many: Callable[[str], Response]


Meet = Callable[[], AbstractAsyncContextManager[Meeting]]


def _too_many(seconds: str) -> Response:
    body = {"status_code": 25, "status": 429, "errors": [{"status": 429}]}
    return JSONResponse(body, 429, {"Retry-After": seconds})


@asynccontextmanager
async def tmdb() -> AsyncGenerator[Meeting]:
    clock = Clock()
    async with serving_metadata() as double, Outbound(version="0", wait=at_once) as out:
        source = Tmdb(out, double.token, address=double.address, validity=VALIDITY, clock=clock)
        key = WorkKey("tmdb", WorkKind.SERIES, "900001")
        yield Meeting(
            source, double, clock, "Lantern Street", 2019, key, {"tvdb": "990001"}, _too_many
        )


@asynccontextmanager
async def tvmaze() -> AsyncGenerator[Meeting]:
    clock = Clock()
    async with serving_tvmaze() as double, Outbound(version="0", wait=at_once) as out:
        source = Tvmaze(out, address=double.address, validity=VALIDITY, clock=clock)
        key = WorkKey("tvmaze", WorkKind.SERIES, "910001")
        yield Meeting(
            source, double, clock, "Lantern Street", 2019, key, {"tvdb": "990001"}, _too_many
        )


@asynccontextmanager
async def anilist() -> AsyncGenerator[Meeting]:
    clock = Clock()
    async with serving_anilist() as double, Outbound(version="0", wait=at_once) as out:
        source = Anilist(out, address=double.address, validity=VALIDITY, clock=clock)
        key = WorkKey("anilist", WorkKind.SERIES, "920004")
        yield Meeting(
            source, double, clock, "Lantern Street", 2019, key, {"mal": "930004"}, _too_many
        )


EVERY: tuple[Meet, ...] = (tmdb, tvmaze, anilist)
