"""A metadata server in AniList's shapes, on loopback: a few invented anime.

It takes GraphQL by POST as far as our questions go: it looks at their variables and at whether
they are by MyAnimeList's number. It errs when it is told to.
"""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from world.metadata_door import Door
from world.serving import serving


class LoopbackAnilist(Door):
    """The server, its entries and its journal.

    Attributes:
        questions: every question that came, as it was sent.
    """

    def __init__(self) -> None:
        """Use `serving_anilist`, which also listens."""
        super().__init__()
        self.questions: list[dict[str, Any]] = []
        self.entries: Sequence[dict[str, Any]] = json.loads(
            files("world").joinpath("anime.json").read_text("utf-8")
        )

    def complain_next(self, status: int, message: str, retry_after: str | None = None) -> None:
        """Answer the next request with an error, in AniList's words."""
        headers = None if retry_after is None else {"Retry-After": retry_after}
        body = {"data": None, "errors": [{"message": message, "status": status}]}
        self.answer_next(JSONResponse(body, status, headers))

    def routes(self) -> list[Route]:
        """What it answers."""
        return [Route("/", self._answer, methods=["POST"])]

    async def _answer(self, request: Request) -> Response:
        question = await request.json()
        self.questions.append(question)
        given = question["variables"]
        if "search" in given:
            media = [each for each in self.entries if _is_called(each, given["search"])]
            media = [each for each in media if each["format"] in given["formats"]]
        else:
            name = "idMal" if "idMal:" in question["query"] else "id"
            media = [each for each in self.entries if each[name] == given["id"]]
        return JSONResponse({"data": {"Page": {"media": media}}})


@asynccontextmanager
async def serving_anilist() -> AsyncGenerator[LoopbackAnilist]:
    """Serve the entries until the block ends."""
    anilist = LoopbackAnilist()
    async with serving(anilist.application(*anilist.routes())) as address:
        anilist.address = address
        yield anilist


def _is_called(entry: dict[str, Any], wanted: str) -> bool:
    names = [*(title for title in entry["title"].values() if title), *entry["synonyms"]]
    return any(wanted.casefold() in name.casefold() for name in names)
