"""Films and series as TMDB knows them (https://developer.themoviedb.org/reference, version 3)."""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from capabilities.adapters.metadata.answer_cache import Topic, Validity
from capabilities.adapters.metadata.tmdb_answers import (
    CollectionDetails,
    Details,
    EpisodeGroupDetails,
    EpisodeGroups,
    FindAnswer,
    Row,
    SearchPage,
    SeasonDetails,
)
from capabilities.adapters.metadata.tmdb_api import SYSTEM, TmdbApi
from capabilities.adapters.metadata.tmdb_orders import KINDS, order_from
from capabilities.adapters.metadata.tmdb_works import (
    SOURCE,
    season_from,
    work_from_details,
    work_from_row,
)
from capabilities.adapters.outbound import Outbound
from capabilities.rules.episode_orders import EpisodeOrder
from capabilities.rules.works import Collection, CollectionRef, Season, Work, WorkKey, WorkKind

ADDRESS = "https://api.themoviedb.org/3"
_APPENDED = "alternative_titles,translations,external_ids"
_MAX_PAGES = 5
_NUMBER = re.compile(r"[0-9]{1,18}")
_ELSEWHERE: Final = {
    "imdb": ("imdb_id", re.compile(r"tt[0-9]{7,12}")),
    "tvdb": ("tvdb_id", re.compile(r"[0-9]{1,12}")),
}
_MOST_ORDERS = 8
_PATHS = {WorkKind.FILM: "movie", WorkKind.SERIES: "tv"}
_KINDS = {path: kind for kind, path in _PATHS.items()}
_YEAR_PARAMETERS = {WorkKind.FILM: "year", WorkKind.SERIES: "first_air_date_year"}


class Tmdb:
    """TMDB as a source; DeclinedError is raised when the key is refused."""

    name = SOURCE
    label = SYSTEM
    kinds = frozenset(WorkKind)
    thorough = kinds

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
        """Works that match a title, 100 at most; see `port.Source`."""
        if year is not None:
            narrowed = await self._search(query, kind, year, limit)
            if narrowed:
                return narrowed
        return await self._search(query, kind, None, limit)

    async def work(self, key: WorkKey) -> Work | None:
        """A work in full; see `port.Source`."""
        if not _is_ours(key):
            return None
        path = f"/{_PATHS[key.kind]}/{key.id}"
        query = {"append_to_response": _APPENDED}
        details = await self._api.ask(path, query, Details, Topic.WORK)
        return None if details is None else work_from_details(details, key.kind, self._languages)

    async def season(self, key: WorkKey, number: int) -> Season | None:
        """A season with its episodes and their air dates; None when there is no such season."""
        if not _is_ours(key) or key.kind is not WorkKind.SERIES:
            return None
        path = f"/tv/{key.id}/season/{number:d}"
        details = await self._api.ask(path, {}, SeasonDetails, Topic.SEASON)
        return None if details is None else season_from(details)

    async def find(self, ids: Mapping[str, str], kind: WorkKind | None = None) -> list[Work]:
        """The works under an IMDb id such as ``tt1727587``, or a number of TheTVDB."""
        for source, (parameter, form) in _ELSEWHERE.items():
            number = ids.get(source, "")
            if form.fullmatch(number):
                found = await self._find(number, parameter)
                return [work for work in found if kind in {None, work.key.kind}]
        return []

    async def orders(self, key: WorkKey) -> list[EpisodeOrder]:
        """The episode groups of a series, eight at most."""
        if not _is_ours(key) or key.kind is not WorkKind.SERIES:
            return []
        listed = await self._api.ask(f"/tv/{key.id}/episode_groups", {}, EpisodeGroups, Topic.ORDER)
        rows = () if listed is None else listed.results
        orders: list[EpisodeOrder] = []
        for row in [row for row in rows if row.type in KINDS][:_MOST_ORDERS]:
            path = f"/tv/episode_group/{row.id}"
            details = await self._api.ask(path, {}, EpisodeGroupDetails, Topic.ORDER)
            if details is not None and details.type in KINDS:
                orders.append(order_from(details))
        return orders

    async def collection(self, ref: CollectionRef) -> Collection | None:
        """A collection with its films, the oldest first."""
        if ref.source != SOURCE or not _NUMBER.fullmatch(ref.id):
            return None
        path = f"/collection/{ref.id}"
        details = await self._api.ask(path, {}, CollectionDetails, Topic.COLLECTION)
        if details is None:
            return None
        films = [work_from_row(row, kind) for row, kind in _of_known_kind(details.parts, "movie")]
        films.sort(key=lambda film: (film.year is None, film.year or 0))
        return Collection(CollectionRef(SOURCE, ref.id, details.name), tuple(films))

    async def _find(self, number: str, parameter: str) -> list[Work]:
        path, query = f"/find/{number}", {"external_source": parameter}
        answer = await self._api.ask(path, query, FindAnswer, Topic.SEARCH)
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
                f"/search/{what}", {**query, "page": str(number)}, SearchPage, Topic.SEARCH
            )
            if page is None:
                break
            rows.extend(_of_known_kind(page.results, what))
            if len(rows) >= limit or number >= page.total_pages:
                break
        return rows


def _is_ours(key: WorkKey) -> bool:
    return key.source == SOURCE and _NUMBER.fullmatch(key.id) is not None


def _search_query(query: str, kind: WorkKind, year: int | None) -> dict[str, str]:
    return {"query": query} | ({} if year is None else {_YEAR_PARAMETERS[kind]: str(year)})


def _of_known_kind(rows: Iterable[Row], what: str) -> Iterable[tuple[Row, WorkKind]]:
    """Rows with their kind, the list's or their own; people, others and the untitled drop out."""
    for row in rows:
        kind = _KINDS.get(what) or _KINDS.get(row.media_type or "")
        if kind is not None and row.title:
            yield row, kind
