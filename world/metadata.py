"""A metadata server in TMDB's shapes, on loopback.

It wants its token or key, knows the works of `works.json`, marks every answer with an ETag, and
errs when it is told to.
"""

from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from math import ceil

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from world.metadata_parts import Json
from world.metadata_works import Known, KnownFilm, KnownSeries, load_works
from world.serving import serving

_PAGE_SIZE = 20
_DEFAULT_LANGUAGE = "en-US"


class LoopbackMetadata:
    """The server and its journal.

    Attributes:
        address: up to and including the version.
        token: what it takes as `Authorization: Bearer`.
        api_key: what it takes as the query parameter `api_key`.
        requests: every request that came, oldest first.
    """

    def __init__(self, *, token: str, api_key: str, page_size: int) -> None:
        """Use `serving_metadata`, which also listens."""
        self.address = ""
        self.token = token
        self.api_key = api_key
        self.requests: list[Request] = []
        self._works = load_works()
        self._page_size = page_size
        self._instead: deque[Response] = deque()

    def know(self, *works: KnownFilm | KnownSeries) -> None:
        """Know these too, from now on."""
        films = [work for work in works if isinstance(work, KnownFilm)]
        series = [work for work in works if isinstance(work, KnownSeries)]
        more = {
            "films": (*self._works.films, *films),
            "series": (*self._works.series, *series),
        }
        self._works = self._works.model_copy(update=more)

    def answer_next(self, *responses: Response) -> None:
        """Answer the next requests with these, whatever they ask and whoever they are."""
        self._instead.extend(responses)

    def throttle_next(self, *, retry_after: str | None = None, times: int = 1) -> None:
        """Answer the next requests with 429, in TMDB's words."""
        headers = {"Retry-After": retry_after} if retry_after is not None else None
        body = _complaint(25, "Your request count is over the allowed limit.")
        self.answer_next(*(JSONResponse(body, 429, headers) for _ in range(times)))

    def application(self) -> Starlette:
        """The server as an ASGI application."""
        return Starlette(
            routes=[
                Route("/3/search/{what}", self._search),
                Route("/3/find/{external_id}", self._find),
                Route("/3/tv/{id:int}/season/{number:int}", self._season),
                Route("/3/tv/{id:int}/episode_groups", self._episode_groups),
                Route("/3/tv/episode_group/{id}", self._episode_group),
                Route("/3/collection/{id:int}", self._collection),
                Route("/3/{media_type}/{id:int}", self._details),
                Route("/{rest:path}", _unknown),
            ],
            middleware=[Middleware(BaseHTTPMiddleware, dispatch=self._at_the_door)],
        )

    async def _at_the_door(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        self.requests.append(request)
        if self._instead:
            return self._instead.popleft()
        bearer = request.headers.get("authorization") == f"Bearer {self.token}"
        if bearer or request.query_params.get("api_key") == self.api_key:
            return await call_next(request)
        body = _complaint(7, "Invalid API key: You must be granted a valid key.")
        return JSONResponse({**body, "success": False}, 401)

    async def _search(self, request: Request) -> Response:
        what = request.path_params["what"]
        query = request.query_params.get("query", "")
        if what not in {"movie", "tv", "multi"}:
            return await _unknown(request)
        media_types = ("movie", "tv") if what == "multi" else (what,)
        found = [
            (media_type, work)
            for media_type in media_types
            for work in self._works.of(media_type)
            if work.matches(query) and _of_year(work, request, media_type)
        ]
        found.sort(key=lambda pair: -pair[1].popularity)
        language = _language(request)
        rows = [
            {**work.row(language), **({"media_type": media_type} if what == "multi" else {})}
            for media_type, work in found
        ]
        return _marked(request, self._page(rows, int(request.query_params.get("page", "1"))))

    async def _details(self, request: Request) -> Response:
        media_type = request.path_params["media_type"]
        work = self._known(media_type, request.path_params["id"])
        if work is None:
            return await _unknown(request)
        wanted = request.query_params.get("append_to_response", "").split(",")
        appended = {name: part for name, part in work.appended().items() if name in wanted}
        details = {**work.details(_language(request)), **appended}
        if media_type == "movie":
            details["belongs_to_collection"] = self._works.collection_of(work.id)
        return _marked(request, details)

    async def _episode_groups(self, request: Request) -> Response:
        work = self._known("tv", request.path_params["id"])
        if not isinstance(work, KnownSeries):
            return await _unknown(request)
        rows = [order.row() for order in work.episode_groups]
        return _marked(request, {"id": work.id, "results": rows})

    async def _episode_group(self, request: Request) -> Response:
        order = self._works.order(request.path_params["id"])
        return await _unknown(request) if order is None else _marked(request, order.details())

    async def _collection(self, request: Request) -> Response:
        found = self._works.collection(request.path_params["id"], _language(request))
        return await _unknown(request) if found is None else _marked(request, found)

    async def _season(self, request: Request) -> Response:
        work = self._known("tv", request.path_params["id"])
        number = request.path_params["number"]
        season = work.season(number) if isinstance(work, KnownSeries) else None
        return await _unknown(request) if season is None else _marked(request, season)

    async def _find(self, request: Request) -> Response:
        wanted = request.path_params["external_id"]
        source = request.query_params.get("external_source", "")
        found = {
            f"{media_type}_results": [
                {**work.row(_language(request)), "media_type": media_type}
                for work in self._works.of(media_type)
                if work.elsewhere().get(source) == wanted
            ]
            for media_type in ("movie", "tv")
        }
        others = ("person_results", "tv_episode_results", "tv_season_results")
        return _marked(request, found | {name: [] for name in others})

    def _known(self, media_type: str, number: int) -> Known | None:
        known = self._works.of(media_type) if media_type in {"movie", "tv"} else ()
        return next((work for work in known if work.id == number), None)

    def _page(self, rows: Sequence[Json], number: int) -> Json:
        first = (number - 1) * self._page_size
        return {
            "page": number,
            "results": rows[first : first + self._page_size],
            "total_pages": ceil(len(rows) / self._page_size),
            "total_results": len(rows),
        }


@asynccontextmanager
async def serving_metadata(
    *,
    token: str = "loopback.metadata.token",  # noqa: S107  opens nothing but this server
    api_key: str = "00112233445566778899aabbccddeeff",
    page_size: int = _PAGE_SIZE,
) -> AsyncGenerator[LoopbackMetadata]:
    """Serve the metadata until the block ends."""
    metadata = LoopbackMetadata(token=token, api_key=api_key, page_size=page_size)
    async with serving(metadata.application()) as address:
        metadata.address = f"{address}/3"
        yield metadata


def _marked(request: Request, content: Json) -> Response:
    """The answer with its mark, or only that it is still the one that was asked about."""
    response = JSONResponse(content)
    etag = f'W/"{sha256(response.body).hexdigest()[:32]}"'
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers={"ETag": etag})
    response.headers["ETag"] = etag
    return response


async def _unknown(_request: Request) -> Response:
    return JSONResponse(_complaint(34, "The resource you requested could not be found."), 404)


def _complaint(code: int, message: str) -> dict[str, object]:
    return {"success": False, "status_code": code, "status_message": message}


def _language(request: Request) -> str:
    return request.query_params.get("language", _DEFAULT_LANGUAGE)


def _of_year(work: Known, request: Request, media_type: str) -> bool:
    name = "year" if media_type == "movie" else "first_air_date_year"
    year = request.query_params.get(name)
    return year is None or work.date.startswith(year)
