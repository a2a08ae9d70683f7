"""Questions to one metadata source: in turn, remembered, and revalidated once they are old."""

import time
from collections.abc import Awaitable, Callable, Hashable, Mapping
from http import HTTPStatus
from typing import TypeVar, cast

import anyio
from pydantic import ValidationError

from capabilities.adapters.metadata.answer_cache import AnswerCache, Fresh, Topic, Validity
from capabilities.adapters.metadata.outside_answer import NothingKnown, OutsideAnswer
from capabilities.adapters.metadata.request_limit import Rate, RequestLimit
from capabilities.adapters.upstream import Answer
from capabilities.kernel.faults import UnreachableError

A = TypeVar("A", bound=OutsideAnswer)


class Questions:
    """Every question to one source goes through here.

    An answer that is too old is asked for by the mark that came with it (RFC 9110, section
    13.1.2); where the source says that nothing has changed, it stands anew.
    """

    def __init__(
        self,
        system: str,
        rate: Rate,
        *,
        validity: Validity | None = None,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        """Start with nothing remembered.

        Args:
            system: the words a person knows the source by.
            rate: how often it may be asked.
            validity: how long answers stand.
            clock: monotonic seconds.
            wait: pauses until a turn comes.
        """
        self._system = system
        self._limit = RequestLimit(system, rate, clock=clock, wait=wait)
        self._cache: AnswerCache[OutsideAnswer] = AnswerCache(clock, validity or Validity())

    async def ask(
        self,
        key: Hashable,
        topic: Topic,
        send: Callable[[Mapping[str, str]], Awaitable[Answer]],
        read: Callable[[Answer], A | NothingKnown],
    ) -> A | None:
        """The answer to one question; None when the source knows no such thing.

        Args:
            key: the whole question; equal questions are read by the same `read`.
            topic: what kind of question it is.
            send: puts it, with these headers.
            read: takes what came; what it raises is passed on and not remembered.
        """

        async def fetch(etag: str | None) -> Fresh[OutsideAnswer] | None:
            async with self._limit.turn():
                answer = await send({} if etag is None else {"If-None-Match": etag})
            if etag is not None and answer.status == HTTPStatus.NOT_MODIFIED:
                return None
            return Fresh(read(answer), answer.etag)

        answer = await self._cache.remembered(
            key, topic, fetch, nothing=lambda kept: kept.says_nothing
        )
        return None if isinstance(answer, NothingKnown) else cast("A", answer)

    def learn(self, key: Hashable, topic: Topic, answer: OutsideAnswer) -> None:
        """Remember the answer to a question that another one has answered too."""
        self._cache.keep(key, topic, Fresh(answer), nothing=answer.says_nothing)

    def read(self, answer: Answer, shape: type[A]) -> A:
        """The body in its shape.

        Raises:
            UnreachableError: it is something else; so it is not the source that answered.
        """
        try:
            return shape.model_validate_json(answer.body)
        except ValidationError:
            raise UnreachableError(
                self._system,
                f"What came back is no answer of {self._system}. Check the address in the "
                "settings and whether a sign-in page stands in between.",
            ) from None
