"""All configured indexers, asked side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

import anyio

from capabilities.adapters.indexer.queries import Query
from capabilities.adapters.indexer.torrent_fetch import Magnet
from capabilities.adapters.indexer.torznab import Harvest, Torznab
from capabilities.kernel.faults import DeclinedError, WorldFaultError
from capabilities.rules.found import Found

_DEADLINE_S = 30.0


@dataclass(frozen=True, slots=True)
class IndexerFailure:
    """An indexer that did not answer in full, and what happened."""

    name: str
    sentence: str


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """What all indexers together answered.

    Attributes:
        found: offers by the priority of their indexer, then in its order.
        failures: every indexer that is missing or incomplete in `found`.
        broken: items that could not be used.
    """

    found: tuple[Found, ...]
    failures: tuple[IndexerFailure, ...]
    broken: int


class Indexers:
    """The configured indexers; their names differ."""

    def __init__(self, indexers: Sequence[Torznab], *, deadline_s: float = _DEADLINE_S) -> None:
        """Order them by priority.

        Args:
            indexers: with different names.
            deadline_s: seconds that each of them has for a search.
        """
        self._indexers = {indexer.name: indexer for indexer in indexers}
        self._by_priority = sorted(self._indexers.values(), key=lambda indexer: indexer.priority)
        self._deadline_s = deadline_s
        if len(self._indexers) != len(indexers):
            raise ValueError("two indexers have the same name")

    @property
    def priorities(self) -> dict[str, int]:
        """All configured indexers by name; of two equal releases the smaller number is taken."""
        return {indexer.name: indexer.priority for indexer in self._by_priority}

    async def search_all(self, query: Query) -> SearchAnswer:
        """Ask every indexer; never raises for one of them.

        An indexer that fails or runs out of time is named, and what it had found by then is kept.
        """
        harvests = {indexer.name: Harvest() for indexer in self._by_priority}
        failures: dict[str, str] = {}

        async def ask(indexer: Torznab) -> None:
            sentence = await self._fill(indexer, query, harvests[indexer.name])
            if sentence is not None:
                failures[indexer.name] = sentence

        async with anyio.create_task_group() as group:
            for indexer in self._by_priority:
                group.start_soon(ask, indexer)
        return SearchAnswer(
            found=tuple(found for harvest in harvests.values() for found in harvest.found),
            failures=tuple(
                IndexerFailure(name, failures[name]) for name in harvests if name in failures
            ),
            broken=sum(harvest.broken for harvest in harvests.values()),
        )

    async def fetch_torrent(self, found: Found) -> bytes | Magnet:
        """The torrent file behind an offer, fetched through the indexer that made it.

        Raises:
            DeclinedError: that indexer is no longer configured; else as `Torznab.fetch_torrent`.
        """
        indexer = self._indexers.get(found.indexer)
        if indexer is None:
            raise DeclinedError(
                f'the indexer "{found.indexer}"',
                "It is no longer configured, so its torrent file cannot be fetched. "
                "Search again, or add it in the settings.",
            )
        return await indexer.fetch_torrent(found)

    async def _fill(self, indexer: Torznab, query: Query, harvest: Harvest) -> str | None:
        """Search one indexer; the sentence of its failure, if it failed."""
        with anyio.move_on_after(self._deadline_s) as scope:
            try:
                await indexer.collect(query, harvest)
            except WorldFaultError as fault:
                return fault.sentence
        if scope.cancelled_caught:
            return f"It did not answer in full within {self._deadline_s:g} s."
        return None
