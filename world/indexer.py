"""A Torznab indexer on loopback, with releases of the caller's choice.

It is strict where real ones are lax: a parameter that its capabilities do not list is an error.
The order of its items is shuffled by a seed, so that nobody comes to rely on it.
"""

import random
import re
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

import anyio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from world.indexer_feed import Offer, caps, feed, torznab_error
from world.serving import serving

FILM_PARAMS = ("q", "imdbid", "tmdbid")
SERIES_PARAMS = ("q", "season", "ep", "tmdbid", "imdbid", "tvdbid")
_COMMON = frozenset({"t", "apikey", "cat", "offset", "limit", "extended", "attrs"})
_WRONG_KEY, _WRONG_PARAMETER, _NO_FUNCTION = 100, 201, 202
_WORD = re.compile(r"\w+")
_CATEGORY_SPAN = 1000


class LoopbackIndexer:
    """The indexer and its journal.

    Attributes:
        address: the endpoint that takes `t=`.
        api_key: what it wants as `apikey`, for torrent files too.
        seed: what the order of items was shuffled with.
        requests: every request that came, oldest first.
    """

    def __init__(
        self,
        releases: Sequence[Offer],
        *,
        api_key: str,
        seed: int,
        page_size: int,
        film_params: Sequence[str],
        series_params: Sequence[str],
        complete: bool,
    ) -> None:
        """Use `serving_indexer`, which also listens."""
        self.address = ""
        self.api_key = api_key
        self.seed = seed
        self.requests: list[Request] = []
        self._releases = list(releases)
        random.Random(seed).shuffle(self._releases)  # noqa: S311  an order, not a secret
        self._page_size = page_size
        self._params = {
            "search": frozenset({"q"}),
            "movie": frozenset(film_params),
            "tvsearch": frozenset(series_params),
        }
        self._complete = complete
        self._instead: deque[Response] = deque()
        self._gate: anyio.Event | None = None

    def fail_next(self, *responses: Response) -> None:
        """Answer the next requests of the endpoint with these (see `torznab_error`)."""
        self._instead.extend(responses)

    def hold(self) -> anyio.Event:
        """Let every search from now on wait until the event is set."""
        self._gate = anyio.Event()
        return self._gate

    def application(self) -> Starlette:
        """The server as an ASGI application."""
        return Starlette(
            routes=[Route("/api", self._api), Route("/torrents/{number:int}", self._torrent)]
        )

    async def _api(self, request: Request) -> Response:
        self.requests.append(request)
        query = request.query_params
        function = query.get("t", "")
        if self._instead:
            return self._instead.popleft()
        if query.get("apikey") != self.api_key:
            return torznab_error(_WRONG_KEY, f"Invalid API key {query.get('apikey')}")
        if function == "caps":
            return caps(
                film_params=self._params["movie"],
                series_params=self._params["tvsearch"],
                page_size=self._page_size,
                complete=self._complete,
            )
        if function not in self._params or not self._params[function]:
            return torznab_error(_NO_FUNCTION)
        if set(query) - _COMMON - self._params[function]:
            return torznab_error(_WRONG_PARAMETER)
        if self._gate is not None:
            await self._gate.wait()
        return self._page(request)

    async def _torrent(self, request: Request) -> Response:
        self.requests.append(request)
        number: int = request.path_params["number"]
        if request.query_params.get("apikey") != self.api_key:
            return Response(status_code=403)
        offer = self._releases[number] if number < len(self._releases) else None
        if offer is not None and offer.redirect is not None:
            return Response(status_code=302, headers={"Location": offer.redirect})
        if offer is None or offer.torrent is None:
            return Response(status_code=404)
        return Response(offer.torrent, media_type="application/x-bittorrent")

    def _page(self, request: Request) -> Response:
        query = request.query_params
        offset = int(query.get("offset", "0"))
        limit = min(int(query.get("limit", self._page_size)), self._page_size)
        base = f"{request.url.scheme}://{request.url.netloc}"
        found = [
            (f"{base}/torrents/{number}?apikey={self.api_key}" if offer.has_link else None, offer)
            for number, offer in enumerate(self._releases)
            if _matches(offer, request)
        ]
        total = len(found) if self._complete else None
        return feed(found[offset : offset + limit], offset=offset, total=total)


@asynccontextmanager
async def serving_indexer(
    releases: Sequence[Offer],
    *,
    api_key: str = "loopback-indexer-key",
    seed: int | None = None,
    page_size: int = 100,
    film_params: Sequence[str] = FILM_PARAMS,
    series_params: Sequence[str] = SERIES_PARAMS,
    complete: bool = True,
) -> AsyncGenerator[LoopbackIndexer]:
    """Serve the releases until the block ends.

    Args:
        releases: what there is to find.
        api_key: what it wants.
        seed: of the items' order; drawn anew for each start unless given.
        page_size: most items in one answer.
        film_params: what a search for films understands; empty for none such; likewise for series.
        series_params: see above.
        complete: whether it tells limits, categories, modes and totals, or only what it must.
    """
    indexer = LoopbackIndexer(
        releases,
        api_key=api_key,
        seed=random.SystemRandom().randrange(2**32) if seed is None else seed,
        page_size=page_size,
        film_params=film_params,
        series_params=series_params,
        complete=complete,
    )
    async with serving(indexer.application()) as address:
        indexer.address = f"{address}/api"
        yield indexer


def _matches(offer: Offer, request: Request) -> bool:
    query = request.query_params
    words = set(_WORD.findall(offer.title.casefold()))
    asked = _WORD.findall(query.get("q", "").casefold())
    wanted = {
        "imdbid": (offer.imdb_id or "").removeprefix("tt"),
        "tmdbid": str(offer.tmdb_id),
        "tvdbid": str(offer.tvdb_id),
        "season": str(offer.season),
        "ep": str(offer.episode),
    }
    same = all(query.get(name, value).removeprefix("tt") == value for name, value in wanted.items())
    return same and all(word in words for word in asked) and _in_category(offer, query.get("cat"))


def _in_category(offer: Offer, asked: str | None) -> bool:
    """A whole thousand stands for all its subcategories."""
    if asked is None:
        return True
    numbers = {int(text) for text in asked.split(",")}
    own = set(offer.categories)
    return bool(numbers & (own | {number - number % _CATEGORY_SPAN for number in own}))
