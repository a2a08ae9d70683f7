"""Anime as AniList knows it (https://docs.anilist.co, GraphQL); it takes no key."""

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from pydantic import JsonValue

from capabilities.adapters.metadata.anilist_answers import Complaint, MediaPage, Reply
from capabilities.adapters.metadata.anilist_works import FORMATS, SOURCE, work_from_media
from capabilities.adapters.metadata.answer_cache import Topic, Validity
from capabilities.adapters.metadata.http_source import HttpSource, Service
from capabilities.adapters.metadata.outside_answer import NothingKnown
from capabilities.adapters.metadata.request_limit import Rate
from capabilities.adapters.outbound import Outbound
from capabilities.adapters.upstream import Answer
from capabilities.kernel.faults import UnreachableError
from capabilities.rules.episode_orders import EpisodeOrder
from capabilities.rules.works import (
    Collection,
    CollectionRef,
    Episode,
    Season,
    Work,
    WorkKey,
    WorkKind,
)

ADDRESS: Final = "https://graphql.anilist.co"
RATE: Final = Rate(questions=25, within_s=60.0, at_once=2)
"""https://docs.anilist.co/guide/rate-limiting: 90 a minute, 30 while it is degraded as now."""
_SERVICE: Final = Service("AniList", RATE, Complaint, unknown=None)
_NUMBER = re.compile(r"[0-9]{1,9}")
_MOST: Final = 50
_FIELDS: Final = """
  id idMal format episodes duration seasonYear countryOfOrigin synonyms
  startDate { year }
  title { romaji english native }
  description(asHtml: false)
  relations { edges { relationType(version: 2) node { id type format } } }
"""
_SEARCH: Final = f"""
query ($search: String, $formats: [MediaFormat], $most: Int) {{
  Page(page: 1, perPage: $most) {{
    media(search: $search, format_in: $formats, type: ANIME, sort: SEARCH_MATCH) {{ {_FIELDS} }}
  }}
}}
"""
_BY_ID: Final = f"""
query ($id: Int) {{ Page(page: 1, perPage: 1) {{ media(id: $id, type: ANIME) {{ {_FIELDS} }} }} }}
"""
_BY_MAL: Final = _BY_ID.replace("media(id:", "media(idMal:")


class Anilist:
    """AniList as a source: of films and series it knows anime only, each season by itself."""

    name = SOURCE
    label = _SERVICE.label
    kinds = frozenset(WorkKind)
    thorough: frozenset[WorkKind] = frozenset()

    def __init__(
        self,
        outbound: Outbound,
        *,
        languages: Sequence[str] = ("en-US",),
        address: str = ADDRESS,
        validity: Validity | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare a client; nothing is sent yet.

        Args:
            outbound: what carries the requests.
            languages: BCP 47 tags in order of preference.
            address: of the GraphQL endpoint.
            validity: how long answers stand.
            clock: monotonic seconds.
        """
        self._languages = tuple(languages)
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
        """Anime that matches a title, in full; 50 at most."""
        kinds = tuple(WorkKind) if kind is None else (kind,)
        formats = [format_ for each in kinds for format_ in FORMATS[each]]
        variables: dict[str, JsonValue] = {
            "search": query,
            "formats": list[JsonValue](formats),
            "most": _MOST,
        }
        page = await self._ask(_SEARCH, variables, Topic.SEARCH)
        for media in page.media:
            alone = MediaPage(media=(media,))
            self._asked.learn(_key(_BY_ID, {"id": media.id}), Topic.WORK, alone)
        found = self._works(page)
        of_year = [work for work in found if year is not None and work.year == year]
        return (of_year or found)[:limit]

    async def work(self, key: WorkKey) -> Work | None:
        """An entry in full; see `port.Source`."""
        if key.source != SOURCE or not _NUMBER.fullmatch(key.id):
            return None
        page = await self._ask(_BY_ID, {"id": int(key.id)}, Topic.WORK)
        return next((work for work in self._works(page) if work.key == key), None)

    async def season(self, key: WorkKey, number: int) -> Season | None:
        """The episodes of a first season by number alone: AniList names and dates none."""
        work = await self.work(key)
        if work is None:
            return None
        season = next((each for each in work.seasons if each.number == number), None)
        if season is None:
            return None
        episodes = tuple(Episode(count + 1) for count in range(min(season.episode_count, 5_000)))
        return Season(number, season.year, season.episode_count, episodes)

    async def find(self, ids: Mapping[str, str], kind: WorkKind | None = None) -> list[Work]:
        """The entry under a number of MyAnimeList, or under AniList's own."""
        for source, question in ((SOURCE, _BY_ID), ("mal", _BY_MAL)):
            number = ids.get(source, "")
            if _NUMBER.fullmatch(number):
                found = self._works(await self._ask(question, {"id": int(number)}, Topic.WORK))
                return [work for work in found if kind in {None, work.key.kind}]
        return []

    async def orders(self, key: WorkKey) -> list[EpisodeOrder]:
        """None: AniList has one order only."""
        del key
        return []

    async def collection(self, ref: CollectionRef) -> Collection | None:
        """None: AniList relates works to one another and names no collections."""
        del ref

    def _works(self, page: MediaPage) -> list[Work]:
        works = (work_from_media(media, self._languages) for media in page.media)
        return [work for work in works if work is not None]

    async def _ask(
        self, question: str, variables: Mapping[str, JsonValue], topic: Topic
    ) -> MediaPage:
        body = json.dumps({"query": question, "variables": dict(variables)}).encode()
        page = await self._asked.post(_key(question, variables), body, topic, self._read)
        return MediaPage(media=()) if page is None else page

    def _read(self, answer: Answer) -> MediaPage | NothingKnown:
        reply = self._asked.read(answer, Reply)
        if isinstance(reply, NothingKnown):
            return reply
        if reply.errors:
            sentence = "It answered in part only, with errors of its own."
            raise UnreachableError(_SERVICE.label, sentence)
        return reply.data.page


def _key(question: str, variables: Mapping[str, JsonValue]) -> tuple[str, str]:
    return question, json.dumps(dict(variables), sort_keys=True)
