"""What every source of metadata answers, whatever it is and however it is asked."""

from collections.abc import Mapping
from typing import Protocol

from capabilities.rules.episode_orders import EpisodeOrder
from capabilities.rules.works import Collection, CollectionRef, Season, Work, WorkKey, WorkKind


class Source(Protocol):
    """One source of metadata.

    Every question raises DeclinedError when the source refuses it, UnreachableError when no
    readable answer comes, and ThrottledError when the source is asked too often. Answers are kept
    for a while, those that say "nothing" for less; faults are never kept.
    """

    @property
    def name(self) -> str:
        """The name in the keys of its works, such as ``tmdb``."""
        ...

    @property
    def label(self) -> str:
        """The name that a person knows it by."""
        ...

    @property
    def kinds(self) -> frozenset[WorkKind]:
        """What it knows any of."""
        ...

    @property
    def thorough(self) -> frozenset[WorkKind]:
        """What it knows in general, and not in one corner only."""
        ...

    async def search(
        self,
        query: str,
        *,
        kind: WorkKind | None = None,
        year: int | None = None,
        limit: int = 20,
    ) -> list[Work]:
        """Works that match a title, best first, as far as a list tells of them.

        Args:
            query: a title or a part of one, in any language.
            kind: None looks for both kinds.
            year: prefers works of that year; when there are none, those of any year come.
            limit: at most this many works.
        """
        ...

    async def work(self, key: WorkKey) -> Work | None:
        """A work with all titles, its seasons (without episodes) and its numbers elsewhere.

        None for a number that the source does not know, and for keys of other sources.
        """
        ...

    async def season(self, key: WorkKey, number: int) -> Season | None:
        """A season with its episodes; None when there is no such season."""
        ...

    async def find(self, ids: Mapping[str, str], kind: WorkKind | None = None) -> list[Work]:
        """The works under numbers elsewhere, as far as a list tells of them.

        Args:
            ids: numbers by source, such as ``{"imdb": "tt1727587"}``; those of one work. The
                first that this source can look up is looked up.
            kind: only works of that kind.
        """
        ...

    async def orders(self, key: WorkKey) -> list[EpisodeOrder]:
        """Every other order of a series' episodes, with its groups; none where there are none."""
        ...

    async def collection(self, ref: CollectionRef) -> Collection | None:
        """A collection with its films; None for one that the source does not know."""
        ...
