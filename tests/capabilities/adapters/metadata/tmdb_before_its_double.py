"""TMDB's client before its double, for tests they share."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from capabilities.adapters.metadata.answer_cache import Validity
from capabilities.adapters.metadata.tmdb import Tmdb
from capabilities.adapters.outbound import Outbound
from capabilities.rules.works import WorkKey, WorkKind
from tests.capabilities.adapters.metadata.sources import Clock, at_once
from world.metadata import LoopbackMetadata, serving_metadata

BUNNY = WorkKey("tmdb", WorkKind.FILM, "10378")
SINTEL = WorkKey("tmdb", WorkKind.FILM, "45745")
OTHER_SINTEL = WorkKey("tmdb", WorkKind.FILM, "900002")
LANTERN = WorkKey("tmdb", WorkKind.SERIES, "900001")


@asynccontextmanager
async def looking(
    *,
    languages: Sequence[str] = ("en-US",),
    page_size: int = 20,
    credential: str | None = None,
    clock: Clock | None = None,
) -> AsyncGenerator[tuple[Tmdb, LoopbackMetadata]]:
    async with (
        serving_metadata(page_size=page_size) as server,
        Outbound(version="0", wait=at_once) as out,
    ):
        yield (
            Tmdb(
                out,
                server.token if credential is None else credential,
                languages=languages,
                address=server.address,
                validity=Validity(search_s=100, work_s=100, nothing_s=10),
                clock=clock or Clock(),
            ),
            server,
        )
