"""Series as TVmaze knows them (https://www.tvmaze.com/api); it takes no key."""

import re
import time
from collections.abc import Callable, Mapping
from typing import Final

from capabilities.adapters.metadata.answer_cache import Topic, Validity
from capabilities.adapters.metadata.http_source import HttpSource, Service
from capabilities.adapters.metadata.request_limit import Rate
from capabilities.adapters.metadata.tvmaze_answers import Complaint, Episodes, Hits, Show
from capabilities.adapters.metadata.tvmaze_works import SOURCE, season_from, work_from_show
from capabilities.adapters.outbound import Outbound
from capabilities.rules.episode_orders import EpisodeOrder
from capabilities.rules.works import Collection, CollectionRef, Season, Work, WorkKey, WorkKind

ADDRESS: Final = "https://api.tvmaze.com"
RATE: Final = Rate(questions=20, within_s=10.0)
"""https://www.tvmaze.com/api#rate-limiting: at least 20 calls every 10 seconds an address."""
_SERVICE: Final = Service("TVmaze", RATE, Complaint, bare=b"null")
"""A lookup that finds nothing is 404 with the body "null"."""
_NUMBER = re.compile(r"[0-9]{1,18}")
_ELSEWHERE: Final = {
    "tvdb": ("thetvdb", re.compile(r"[0-9]{1,12}")),
    "imdb": ("imdb", re.compile(r"tt[0-9]{7,12}")),
}


class Tvmaze:
    """TVmaze as a source; it knows series only."""

    name = SOURCE
    label = _SERVICE.label
    kinds = frozenset({WorkKind.SERIES})
    thorough = kinds

    def __init__(
        self,
        outbound: Outbound,
        *,
        address: str = ADDRESS,
        validity: Validity | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare a client; nothing is sent yet.

        Args:
            outbound: what carries the requests.
            address: the API without a path.
            validity: how long answers stand.
            clock: monotonic seconds.
        """
        self._asked = HttpSource(
            _SERVICE, outbound, address=address, validity=validity, clock=clock
        )

    async def search(
        self,
        query: str,
        *,
        kind: WorkKind | None = None,
        year: int | None = None,
        limit: int = 20,
    ) -> list[Work]:
        """Series that match a title; TVmaze gives ten at most and takes no year."""
        if kind is WorkKind.FILM:
            return []
        hits = await self._asked.get("/search/shows", {"q": query}, Hits, Topic.SEARCH)
        found = [] if hits is None else [work_from_show(hit.show) for hit in hits.items]
        of_year = [work for work in found if year is not None and work.year == year]
        return (of_year or found)[:limit]

    async def work(self, key: WorkKey) -> Work | None:
        """A series in full; see `port.Source`."""
        if not _is_ours(key):
            return None
        path = f"/shows/{key.id}?embed[]=seasons&embed[]=akas"
        show = await self._asked.get(path, {}, Show, Topic.WORK)
        return None if show is None else work_from_show(show)

    async def season(self, key: WorkKey, number: int) -> Season | None:
        """A season with its episodes; there is none of the specials, which have no numbers."""
        if not _is_ours(key):
            return None
        episodes = await self._asked.get(f"/shows/{key.id}/episodes", {}, Episodes, Topic.SEASON)
        return None if episodes is None else season_from(episodes, number)

    async def find(self, ids: Mapping[str, str], kind: WorkKind | None = None) -> list[Work]:
        """The series under a number of TheTVDB or an IMDb id."""
        if kind is WorkKind.FILM:
            return []
        for source, (parameter, form) in _ELSEWHERE.items():
            number = ids.get(source, "")
            if form.fullmatch(number):
                query = {parameter: number}
                show = await self._asked.get("/lookup/shows", query, Show, Topic.SEARCH)
                if show is not None:
                    return [work_from_show(show)]
        return []

    async def orders(self, key: WorkKey) -> list[EpisodeOrder]:
        """None: TVmaze's alternate lists are not read."""
        del key
        return []

    async def collection(self, ref: CollectionRef) -> Collection | None:
        """None: TVmaze knows no films."""
        del ref


def _is_ours(key: WorkKey) -> bool:
    series = key.source == SOURCE and key.kind is WorkKind.SERIES
    return series and _NUMBER.fullmatch(key.id) is not None
