"""Every configured source of metadata as one: asked side by side, their answers made one.

The first source counts where two contradict each other, and the contradiction is named. A source
that fails is named beside what the others say; that is never the answer "nothing found".
"""

from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import anyio

from capabilities.adapters.metadata.port import Source
from capabilities.kernel.faults import DeclinedError, UnreachableError, WorldFaultError
from capabilities.rules.episode_orders import EpisodeOrder
from capabilities.rules.merged_works import merged_works
from capabilities.rules.sound_works import sound_season, sound_work
from capabilities.rules.title_keys import title_key
from capabilities.rules.works import Collection, CollectionRef, Season, Work, WorkKey, WorkKind

DEADLINE_S: Final = 20.0
_TOLD_IN_FULL: Final = 8
"""Of how many works a source is asked for all it knows, in one search."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Silent:
    """A source that did not answer: its name, the name for a person, and why."""

    name: str
    label: str
    fault: WorldFaultError


@dataclass(frozen=True, slots=True)
class Answers:
    """What the sources know together.

    Attributes:
        works: each once; else in the order of the sources and, within one, of its answer.
        silent: the sources whose answer is missing; the works may lack theirs.
        crowded: whether a search was cut off where works of just that title still came, so that
            there may be more of them.
    """

    works: tuple[Work, ...]
    silent: tuple[Silent, ...] = ()
    crowded: bool = False


class Catalogue:
    """The sources in the owner's order."""

    def __init__(
        self,
        sources: Sequence[Source],
        *,
        deadline_s: float = DEADLINE_S,
    ) -> None:
        """Take the sources.

        Args:
            sources: at least one, the one that counts first.
            deadline_s: seconds after which a source that has not answered counts as silent.
        """
        self._sources = tuple(sources)
        self._deadline_s = deadline_s

    @property
    def labels(self) -> tuple[str, ...]:
        """The sources' names, in their order."""
        return tuple(source.label for source in self._sources)

    def leading(self, kind: WorkKind) -> str | None:
        """The name of the first source that knows this kind in general; None without one."""
        return next((each.name for each in self._sources if kind in each.thorough), None)

    async def search(
        self,
        query: str,
        *,
        kind: WorkKind | None = None,
        year: int | None = None,
        limit: int = 20,
        among: Container[str] | None = None,
    ) -> Answers:
        """Works that match a title, in full, those of just that title first.

        Args:
            query: as `port.Source.search` takes it, like kind, year and limit.
            kind: see there.
            year: see there.
            limit: of what one source lists, and of the answer.
            among: names of the sources that are asked; None for all.

        Raises:
            WorldFaultError: no source answered.
        """
        crowded: list[bool] = []
        later = limit // 2

        async def ask(source: Source) -> list[Work]:
            rows = await source.search(query, kind=kind, year=year, limit=limit)
            crowded.append(len(rows) >= limit and any(bears(row, query) for row in rows[later:]))
            return await _in_full(source, _exact_first(rows, query))

        asked = [each for each in self._asked_for(kind) if among is None or each.name in among]
        answers = await self._ask_all(ask, asked)
        works = tuple(_exact_first(answers.works, query)[:limit])
        return Answers(works, answers.silent, any(crowded))

    async def work(self, key: WorkKey) -> Answers:
        """One work in full, with what other sources add to it; no work where there is none.

        Raises:
            WorldFaultError: the key's own source is not configured, or did not answer.
        """
        own = self._own(key.source)
        found = await self._bounded(own, own.work(key))
        if found is None:
            return Answers(())
        work = sound_work(found)
        added = await self._elsewhere(work)
        merged = merged_works([work, *(each for each in added.works if each.key.kind is key.kind)])
        return Answers(tuple(merged[:1]), added.silent)

    async def season(self, key: WorkKey, number: int) -> Season | None:
        """A season with its episodes, as the key's own source counts them.

        Raises:
            WorldFaultError: that source is not configured, or did not answer.
        """
        own = self._own(key.source)
        season = await self._bounded(own, own.season(key, number))
        return None if season is None else sound_season(season)

    async def find(self, ids: Mapping[str, str], kind: WorkKind | None = None) -> Answers:
        """The works under numbers elsewhere, in full, e.g. ``{"imdb": "tt1727587"}``.

        Raises:
            WorldFaultError: no source answered.
        """

        async def ask(source: Source) -> list[Work]:
            return await _in_full(source, await source.find(ids, kind))

        return await self._ask_all(ask, self._asked_for(kind))

    async def orders(self, key: WorkKey) -> list[EpisodeOrder]:
        """Every other order of a series' episodes, by the key's own source.

        Raises:
            WorldFaultError: that source is not configured, or did not answer.
        """
        own = self._own(key.source)
        return await self._bounded(own, own.orders(key))

    async def collection(self, ref: CollectionRef) -> Collection | None:
        """A collection with its films, by its own source.

        Raises:
            WorldFaultError: that source is not configured, or did not answer.
        """
        own = self._own(ref.source)
        return await self._bounded(own, own.collection(ref))

    def _asked_for(self, kind: WorkKind | None) -> list[Source]:
        return [each for each in self._sources if kind is None or kind in each.kinds]

    def _own(self, name: str) -> Source:
        for source in self._sources:
            if source.name == name:
                return source
        raise DeclinedError(
            f"the metadata source {name!r}",
            "It is not set up, so what it knows cannot be looked up. See [metadata] in the "
            "settings; TMDB needs a key.",
        )

    async def _elsewhere(self, work: Work) -> Answers:
        others = [each for each in self._asked_for(work.key.kind) if each.name != work.key.source]

        async def ask(source: Source) -> list[Work]:
            return await _in_full(source, await source.find(work.external_ids, work.key.kind))

        return await self._ask_all(ask, others, may_all_fail=True)

    async def _ask_all(
        self,
        ask: Callable[[Source], Awaitable[list[Work]]],
        sources: Sequence[Source],
        *,
        may_all_fail: bool = False,
    ) -> Answers:
        """Everybody's answer to one question, made one; in the sources' order, not in theirs."""
        told: dict[str, list[Work] | WorldFaultError] = {}

        async def tell(source: Source) -> None:
            try:
                told[source.name] = await self._bounded(source, ask(source))
            except WorldFaultError as fault:
                told[source.name] = fault

        async with anyio.create_task_group() as group:
            for source in sources:
                group.start_soon(tell, source)
        works: list[Work] = []
        silent: list[Silent] = []
        for source in sources:
            said = told[source.name]
            if isinstance(said, WorldFaultError):
                silent.append(Silent(source.name, source.label, said))
            else:
                works.extend(sound_work(work) for work in said)
        if silent and len(silent) == len(sources) and not may_all_fail:
            raise silent[0].fault
        return Answers(tuple(merged_works(works)), tuple(silent))

    async def _bounded(self, source: Source, question: Awaitable[T]) -> T:
        try:
            with anyio.fail_after(self._deadline_s):
                return await question
        except TimeoutError:
            raise UnreachableError(
                source.label, f"It did not answer within {self._deadline_s:g} s."
            ) from None


async def _in_full(source: Source, rows: Sequence[Work]) -> list[Work]:
    """The works of a list with all that their source knows of them, in the list's order.

    A row that is gone in between stays as it is listed.
    """
    full = list(rows)
    faults: list[WorldFaultError] = []

    async def fill(index: int) -> None:
        try:
            full[index] = await source.work(rows[index].key) or rows[index]
        except WorldFaultError as fault:
            faults.append(fault)
            group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        for index in range(min(len(rows), _TOLD_IN_FULL)):
            group.start_soon(fill, index)
    if faults:
        raise faults[0]
    return full


def _exact_first(works: Sequence[Work], query: str) -> list[Work]:
    """The works that have just this title, whichever source knows them, then the others."""
    return sorted(works, key=lambda work: not bears(work, query))


def bears(work: Work, query: str) -> bool:
    """Whether one of the titles of the work is just this one."""
    texts = (work.title, *(title.text for title in work.titles))
    return title_key(query) in {title_key(text) for text in texts}
