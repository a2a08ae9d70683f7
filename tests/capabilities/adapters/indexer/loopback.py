"""A Torznab client and the loopback indexer that it talks to."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from capabilities.adapters.address_guard import AddressGuard
from capabilities.adapters.indexer.torznab import Torznab
from capabilities.adapters.outbound import Outbound
from world.indexer import FILM_PARAMS, SERIES_PARAMS, LoopbackIndexer, serving_indexer
from world.indexer_feed import Offer


class Clock:
    """Monotonic seconds that stand until they are moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def at_once(_seconds: float) -> None:
    """Takes the place of waiting."""


@asynccontextmanager
async def searching(
    offers: Sequence[Offer] = (),
    *,
    page_size: int = 100,
    film_params: Sequence[str] = FILM_PARAMS,
    series_params: Sequence[str] = SERIES_PARAMS,
    complete: bool = True,
    api_key: str | None = None,
    clock: Clock | None = None,
    guard: AddressGuard | None = None,
) -> AsyncGenerator[tuple[Torznab, LoopbackIndexer]]:
    """A client of an indexer with these offers."""
    async with (
        serving_indexer(
            offers,
            page_size=page_size,
            film_params=film_params,
            series_params=series_params,
            complete=complete,
        ) as server,
        Outbound(version="0", wait=at_once, guard=guard) as out,
    ):
        key = server.api_key if api_key is None else api_key
        yield (
            Torznab("loopback", server.address, key, outbound=out, clock=clock or Clock()),
            server,
        )
