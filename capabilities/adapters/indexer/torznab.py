"""A Torznab indexer (Torznab 1.1 as torznab/torznab-docs has it, on top of the Newznab API)."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from xml.etree.ElementTree import Element

from capabilities.adapters.indexer.queries import FilmQuery, Query, SeriesQuery, TextQuery
from capabilities.adapters.indexer.torrent_fetch import Magnet, fetch_torrent
from capabilities.adapters.indexer.torznab_caps import Caps, read_caps
from capabilities.adapters.indexer.torznab_document import read_document, refused_credentials
from capabilities.adapters.indexer.torznab_feed import Page, read_page
from capabilities.adapters.indexer.torznab_request import Params, requests_for
from capabilities.adapters.indexer.torznab_secret import with_key, without_key
from capabilities.adapters.outbound import Outbound
from capabilities.kernel.faults import DeclinedError
from capabilities.rules.found import Found

_CAPS_STAND_S = 12 * 3600.0
_MAX_PAGES = 10
_DEFAULT_PRIORITY = 25


@dataclass(slots=True)
class Harvest:
    """What a search has yielded so far; what is in it stays when the search is cut short.

    Attributes:
        found: offers in the indexer's order, each once.
        broken: items that could not be used.
    """

    found: list[Found] = field(default_factory=list[Found])
    broken: int = 0

    def take(self, page: Page) -> bool:
        """Add a page; whether going on is worth it: it held something new, or nothing usable."""
        known = {found.guid for found in self.found}
        fresh = [found for found in page.found if found.guid not in known]
        self.found += fresh
        self.broken += page.broken
        return bool(fresh) or (page.broken > 0 and not page.found)


class Torznab:
    """A client of one indexer.

    Every method raises DeclinedError when the indexer refuses, UnreachableError when no readable
    answer comes, and ThrottledError when it asks to slow down.

    Attributes:
        name: what the owner calls it.
        priority: smaller is preferred.
    """

    def __init__(
        self,
        name: str,
        address: str,
        api_key: str,
        *,
        outbound: Outbound,
        priority: int = _DEFAULT_PRIORITY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare a client; nothing is sent yet.

        Args:
            name: what the owner calls it.
            address: the endpoint that takes `t=`, exactly as the indexer gives it out.
            api_key: may be empty for indexers that want none.
            outbound: what carries the requests.
            priority: smaller is preferred.
            clock: monotonic seconds.

        Raises:
            DeclinedError: the address cannot be one.
        """
        self.name = name
        self.priority = priority
        self._address = address
        self._key = api_key.strip()
        self._secret_query = {"apikey": self._key} if self._key else {}
        self._system = f'the indexer "{name}"'
        self._own = outbound.neighbour(self._system, address)
        self._public = outbound.public(self._system)
        self._clock = clock
        self._caps: tuple[float, Caps] | None = None

    async def caps(self) -> Caps:
        """What the indexer can do; asked for once in twelve hours."""
        if self._caps is None or self._clock() >= self._caps[0]:
            caps = read_caps(self._system, await self._ask({"t": "caps"}))
            self._caps = (self._clock() + _CAPS_STAND_S, caps)
        return self._caps[1]

    async def search(self, text: str) -> Harvest:
        """Offers whose names contain the words."""
        return await self._harvest(TextQuery(text))

    async def movie(
        self,
        title: str,
        *,
        year: int | None = None,
        external_ids: Mapping[str, str] | None = None,
    ) -> Harvest:
        """Offers of a film: by an id that the indexer takes, else by title and year."""
        return await self._harvest(FilmQuery(title, year, external_ids or {}))

    async def tv(
        self,
        title: str,
        *,
        season: int | None = None,
        episode: int | None = None,
        external_ids: Mapping[str, str] | None = None,
    ) -> Harvest:
        """Offers of a series, a season or an episode: by id where possible, else by title."""
        return await self._harvest(SeriesQuery(title, season, episode, external_ids or {}))

    async def collect(self, query: Query, harvest: Harvest) -> None:
        """Search and put into `harvest` page after page what is found.

        Pages are turned until the indexer's total is reached, a page brings nothing new, or ten
        pages are read.
        """
        caps = await self.caps()
        searches = requests_for(query, caps)
        if not searches:
            raise DeclinedError(self._system, "It offers no search that fits the question.")
        for search in searches:
            await self._turn_pages(search, caps.limit, harvest)
            if harvest.found:
                return

    async def fetch_torrent(self, found: Found) -> bytes | Magnet:
        """The torrent file behind an offer, or the magnet that stands in its place.

        The indexer's own origin is trusted as the owner configured it; any other address is
        fetched from the public internet only.
        """
        return await fetch_torrent(with_key(found, self._key), self._own, self._public)

    async def _harvest(self, query: Query) -> Harvest:
        harvest = Harvest()
        await self.collect(query, harvest)
        return harvest

    async def _turn_pages(self, search: Params, limit: int, harvest: Harvest) -> None:
        offset = 0
        for _ in range(_MAX_PAGES):
            window = {"offset": str(offset), "limit": str(limit)}
            page = read_page(self._system, await self._ask(search | window), self.name)
            brought_news = harvest.take(self._free_of_secrets(page))
            offset += page.received
            # Without a total, a page that is not full is the last one.
            end = offset + (page.received >= limit) if page.total is None else page.total
            if not brought_news or offset >= end:
                return

    def _free_of_secrets(self, page: Page) -> Page:
        return replace(page, found=tuple(without_key(each, self._key) for each in page.found))

    async def _ask(self, params: Params) -> Element:
        """The document that answers; an error document counts whatever HTTP status carries it."""
        query = params | {"extended": "1"} | self._secret_query
        answer = await self._own.get(self._address, query=query)
        if answer.status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            raise refused_credentials(self._system)
        document = read_document(self._system, answer.body)
        if not answer.ok:
            raise DeclinedError(self._system, f"It refused the request with HTTP {answer.status}.")
        return document
