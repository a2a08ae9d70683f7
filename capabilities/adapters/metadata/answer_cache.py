"""Answers remembered for a while, so that one question is not asked again and again."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

V = TypeVar("V")


class Topic(StrEnum):
    """What is asked; each kind of answer stands for a time of its own."""

    SEARCH = "search"
    WORK = "work"
    SEASON = "season"
    ORDER = "order"
    COLLECTION = "collection"


@dataclass(frozen=True, slots=True)
class Validity:
    """How long answers stand, in seconds, and how many are kept.

    Attributes:
        search_s: for a list of what matches.
        work_s: for one work in full.
        season_s: for episodes; shorter, because air dates move.
        order_s: for orders of episodes.
        collection_s: for collections.
        nothing_s: for any answer that there is nothing; shortest, because things appear.
    """

    search_s: float = 3 * 3600.0
    work_s: float = 6 * 3600.0
    season_s: float = 2 * 3600.0
    order_s: float = 24 * 3600.0
    collection_s: float = 24 * 3600.0
    nothing_s: float = 15 * 60.0
    answers: int = 1_000

    def of(self, topic: Topic) -> float:
        """Seconds for which an answer that says something stands."""
        return {
            Topic.SEARCH: self.search_s,
            Topic.WORK: self.work_s,
            Topic.SEASON: self.season_s,
            Topic.ORDER: self.order_s,
            Topic.COLLECTION: self.collection_s,
        }[topic]


@dataclass(frozen=True, slots=True)
class Fresh(Generic[V]):
    """A new answer, and the mark by which its source tells whether it still holds."""

    answer: V
    etag: str | None = None


@dataclass(frozen=True, slots=True)
class _Kept(Generic[V]):
    until: float
    fresh: Fresh[V]


class AnswerCache(Generic[V]):
    """A bounded memory; the answer used longest ago is forgotten first.

    Only answers enter: a question that ends in a fault leaves no trace, and renews nothing.
    """

    def __init__(self, clock: Callable[[], float], validity: Validity) -> None:
        """Start empty; `clock` gives monotonic seconds."""
        self._clock = clock
        self._validity = validity
        self._answers: OrderedDict[Hashable, _Kept[V]] = OrderedDict()

    async def remembered(
        self,
        key: Hashable,
        topic: Topic,
        ask: Callable[[str | None], Awaitable[Fresh[V] | None]],
        *,
        nothing: Callable[[V], bool],
    ) -> V:
        """The answer under `key` while it stands, else what `ask` says.

        Args:
            key: equal for equal questions, and for no others.
            topic: what kind of question it is.
            ask: puts the question; it is given the mark of an answer that is old now, and gives
                None when that one still holds. What it raises is passed on.
            nothing: whether an answer says that there is nothing.
        """
        kept = self._answers.get(key)
        if kept is not None and self._clock() < kept.until:
            self._answers.move_to_end(key)
            return kept.fresh.answer
        fresh = await ask(None if kept is None else kept.fresh.etag)
        if fresh is None:
            if kept is None:
                raise AssertionError("nothing was kept that could still hold")
            fresh = kept.fresh
        self.keep(key, topic, fresh, nothing=nothing(fresh.answer))
        return fresh.answer

    def keep(self, key: Hashable, topic: Topic, fresh: Fresh[V], *, nothing: bool = False) -> None:
        """Remember an answer that came with another one."""
        stands_s = self._validity.nothing_s if nothing else self._validity.of(topic)
        self._answers[key] = _Kept(self._clock() + stands_s, fresh)
        self._answers.move_to_end(key)
        while len(self._answers) > self._validity.answers:
            self._answers.popitem(last=False)
