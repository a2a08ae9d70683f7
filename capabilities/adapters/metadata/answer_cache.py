"""Answers remembered for a while, so that one question is not asked again and again."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Validity:
    """How long answers stand, in seconds, and how many are kept.

    Attributes:
        found_s: for an answer that says something.
        nothing_s: for one that says that there is nothing; shorter, because things appear.
    """

    found_s: float = 6 * 3600.0
    nothing_s: float = 15 * 60.0
    answers: int = 1_000


class AnswerCache(Generic[V]):
    """A bounded memory; the answer used longest ago is forgotten first.

    Only answers enter: a question that ends in a fault leaves no trace.
    """

    def __init__(self, clock: Callable[[], float], validity: Validity) -> None:
        """Start empty; `clock` gives monotonic seconds."""
        self._clock = clock
        self._validity = validity
        self._answers: OrderedDict[Hashable, tuple[float, V]] = OrderedDict()

    async def remembered(
        self, key: Hashable, ask: Callable[[], Awaitable[V]], *, nothing: Callable[[V], bool]
    ) -> V:
        """The answer under `key` while it stands, else a new one from `ask`.

        Args:
            key: equal for equal questions.
            ask: puts the question; what it raises is passed on.
            nothing: whether an answer says that there is nothing.
        """
        kept = self._answers.get(key)
        if kept is not None and self._clock() < kept[0]:
            self._answers.move_to_end(key)
            return kept[1]
        answer = await ask()
        stands_s = self._validity.nothing_s if nothing(answer) else self._validity.found_s
        self._answers[key] = (self._clock() + stands_s, answer)
        self._answers.move_to_end(key)
        while len(self._answers) > self._validity.answers:
            self._answers.popitem(last=False)
        return answer
