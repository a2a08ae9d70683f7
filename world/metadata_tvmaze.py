"""A metadata server in TVmaze's shapes, on loopback: two shows, one of which TMDB's double has too.

It answers without a key, and errs when it is told to.
"""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from world.metadata_door import Door
from world.serving import serving


class LoopbackTvmaze(Door):
    """The server, its shows and its journal."""

    def __init__(self) -> None:
        """Use `serving_tvmaze`, which also listens."""
        super().__init__()
        self.shows: Sequence[dict[str, Any]] = json.loads(
            files("world").joinpath("shows.json").read_text("utf-8")
        )

    def routes(self) -> list[Route]:
        """What it answers."""
        return [
            Route("/search/shows", self._search),
            Route("/lookup/shows", self._lookup),
            Route("/shows/{id:int}", self._show),
            Route("/shows/{id:int}/episodes", self._episodes),
        ]

    async def _search(self, request: Request) -> Response:
        wanted = request.query_params.get("q", "").casefold()
        found = [show for show in self.shows if _is_called(show, wanted)]
        return JSONResponse([{"score": 0.9, "show": _plain(show)} for show in found])

    async def _lookup(self, request: Request) -> Response:
        """A redirect to the show, as TVmaze has it, or 404 with nothing in it."""
        for show in self.shows:
            for source, number in show["externals"].items():
                if number is not None and request.query_params.get(source) == str(number):
                    return RedirectResponse(f"{self.address}/shows/{show['id']}", 301)
        return JSONResponse(None, 404)

    async def _show(self, request: Request) -> Response:
        show = self._known(request)
        if show is None:
            return _unknown()
        wanted = request.query_params.getlist("embed[]")
        parts = {name: part for name, part in show["parts"].items() if name in wanted}
        return JSONResponse({**_plain(show), **({"_embedded": parts} if parts else {})})

    async def _episodes(self, request: Request) -> Response:
        show = self._known(request)
        return _unknown() if show is None else JSONResponse(show["episodes"])

    def _known(self, request: Request) -> dict[str, Any] | None:
        number = request.path_params["id"]
        return next((show for show in self.shows if show["id"] == number), None)


@asynccontextmanager
async def serving_tvmaze() -> AsyncGenerator[LoopbackTvmaze]:
    """Serve the shows until the block ends."""
    tvmaze = LoopbackTvmaze()
    async with serving(tvmaze.application(*tvmaze.routes())) as address:
        tvmaze.address = address
        yield tvmaze


def _is_called(show: dict[str, Any], wanted: str) -> bool:
    names = [show["name"], *(aka["name"] for aka in show["parts"]["akas"])]
    return bool(wanted) and any(wanted in name.casefold() for name in names)


def _plain(show: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in show.items() if name not in {"parts", "episodes"}}


def _unknown() -> Response:
    return JSONResponse({"name": "Not Found", "message": "", "code": 0, "status": 404}, 404)
