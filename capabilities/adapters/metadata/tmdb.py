"""Films and series as TMDB knows them (https://developer.themoviedb.org/reference, version 3)."""

import re
import time
from collections.abc import Callable, Iterable, Sequence

from capabilities.adapters.metadata.answer_cache import Validity
from capabilities.adapters.metadata.tmdb_answers import (
    Details,
    FindAnswer,
    Row,
    SearchPage,
    SeasonDetails,
)
from capabilities.adapters.metadata.tmdb_api import TmdbApi
from capabilities.adapters.metadata.tmdb_works import (
    SOURCE,
    season_from,
    work_from_details,
    work_from_row,
)
from capabilities.adapters.outbound import Outbound
from capabilities.rules.works import Season, Work, WorkKey, WorkKind

ADDRESS = "https://api.themoviedb.org/3"
_APPENDED = "alternative_titles,translations,external_ids"
_MAX_PAGES = 5
_NUMBER = re.compile(r"[0-9]{1,18}")
_IMDB_ID = re.compile(r"tt[0-9]{7,12}")
_PATHS = {WorkKind.FILM: "movie", WorkKind.SERIES: "tv"}
_KINDS = {path: kind for kind, path in _PATHS.items()}
_YEAR_PARAMETERS = {WorkKind.FILM: "year", WorkKind.SERIES: "first_air_date_year"}


class Tmdb:
    """A client of TMDB.

    Answers are kept in memory for some hours, those that say "nothing" for some minutes; faults
    are never kept. Every method raises DeclinedError when the key is refused, UnreachableError
    when no readable answer comes, and ThrottledError when TMDB asks to slow down.
    """

    def __init__(
        self,
        outbound: Outbound,
        credential: str,
        *,
        languages: Sequence[str] = ("en-US",),
        address: str = ADDRESS,
        validity: Validity | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare a client; nothing is sent yet.

        Args:
            outbound: what carries the requests.
            credential: a version 3 API key or a version 4 access token.
            languages: BCP 47 tags in order of preference, at least one.
            address: the API up to and including its version.
            validity: how long answers stand.
            clock: monotonic seconds.
        """
        self._languages = tuple(languages)
        self._api = TmdbApi(
            outbound,
            credential,
            address=address,
            language=self._languages[0],
            validity=validity,
            clock=clock,
        )

    async def search(
        self,
        query: str,
        *,
        kind: WorkKind | None = None,
        year: int | None = None,
        limit: int = 20,
    ) -> list[Work]:
        """Works that match a title, best first, without seasons and further titles.

        Args:
            query: a title or a part of one, in any language.
            kind: None looks for both kinds.
            year: prefers works of that year; when there are none, those of any year come.
            limit: at most this many works, 100 at most.
        """
        if year is not None:
            narrowed = await self._search(query, kind, year, limit)
            if narrowed:
                return narrowed
        return await self._search(query, kind, None, limit)

    async def work(self, key: WorkKey) -> Work | None:
        """A work with all titles, its seasons (without episodes) and its ids elsewhere.

        None when TMDB knows no such number. The key's source must be ``tmdb``.
        """
        if key.source != SOURCE or not _NUMBER.fullmatch(key.id):
            return None
        path = f"/{_PATHS[key.kind]}/{key.id}"
        details = await self._api.ask(path, {"append_to_response": _APPENDED}, Details)
        return None if details is None else work_from_details(details, key.kind, self._languages)

    async def season(self, key: WorkKey, number: int) -> Season | None:
        """A season with its episodes and their air dates; None when there is no such season."""
        if key.source != SOURCE or key.kind is not WorkKind.SERIES or not _NUMBER.fullmatch(key.id):
            return None
        details = await self._api.ask(f"/tv/{key.id}/season/{number:d}", {}, SeasonDetails)
        return None if details is None else season_from(details)

    async def find(self, imdb_id: str) -> list[Work]:
        """The works under an IMDb id such as ``tt1727587``; none for what is no such id."""
        if not _IMDB_ID.fullmatch(imdb_id):
            return []
        answer = await self._api.ask(f"/find/{imdb_id}", {"external_source": "imdb_id"}, FindAnswer)
        if answer is None:
            return []
        rows = [
            *_of_known_kind(answer.movie_results, "movie"),
            *_of_known_kind(answer.tv_results, "tv"),
        ]
        return [work_from_row(row, kind) for row, kind in rows]

    async def _search(
        self, query: str, kind: WorkKind | None, year: int | None, limit: int
    ) -> list[Work]:
        if kind is not None:
            rows = await self._rows(_PATHS[kind], _search_query(query, kind, year), limit)
        elif year is None:
            rows = await self._rows("multi", {"query": query}, limit)
        else:
            rows = await self._both_kinds(query, year, limit)
        return [work_from_row(row, kind) for row, kind in rows[:limit]]

    async def _both_kinds(self, query: str, year: int, limit: int) -> list[tuple[Row, WorkKind]]:
        """Both kinds, one after the other: TMDB's mixed search takes no year."""
        found: list[tuple[Row, WorkKind]] = []
        for kind in WorkKind:
            found += await self._rows(_PATHS[kind], _search_query(query, kind, year), limit)
        return sorted(found, key=lambda pair: -pair[0].popularity)

    async def _rows(
        self, what: str, query: dict[str, str], limit: int
    ) -> list[tuple[Row, WorkKind]]:
        rows: list[tuple[Row, WorkKind]] = []
        for number in range(1, _MAX_PAGES + 1):
            page = await self._api.ask(
                f"/search/{what}", {**query, "page": str(number)}, SearchPage
            )
            if page is None:
                break
            rows.extend(_of_known_kind(page.results, what))
            if len(rows) >= limit or number >= page.total_pages:
                break
        return rows


def _search_query(query: str, kind: WorkKind, year: int | None) -> dict[str, str]:
    return {"query": query} | ({} if year is None else {_YEAR_PARAMETERS[kind]: str(year)})


def _of_known_kind(rows: Iterable[Row], what: str) -> Iterable[tuple[Row, WorkKind]]:
    """Rows with their kind, the list's or their own; people, others and the untitled drop out."""
    for row in rows:
        kind = _KINDS.get(what) or _KINDS.get(row.media_type or "")
        if kind is not None and row.title:
            yield row, kind
