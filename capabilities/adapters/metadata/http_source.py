"""One metadata source asked over HTTP: its pace, what it said before, and how it refuses."""

import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TypeVar

from capabilities.adapters.metadata.answer_cache import Topic, Validity
from capabilities.adapters.metadata.outside_answer import NothingKnown, OutsideAnswer
from capabilities.adapters.metadata.questions import Questions
from capabilities.adapters.metadata.request_limit import Rate
from capabilities.adapters.outbound import Outbound
from capabilities.adapters.upstream import Answer
from capabilities.kernel.faults import DeclinedError

A = TypeVar("A", bound=OutsideAnswer)


@dataclass(frozen=True, slots=True)
class Service:
    """What is known of a source before it is asked.

    Attributes:
        label: the words a person knows it by.
        rate: how often it may be asked.
        complaint: what it sends instead of an answer; what is refused in another shape was not
            refused by this source.
        unknown: the status by which it says that it knows no such thing, where it does.
        bare: a body that is no complaint and that comes with that status all the same.
        refusals: what it means when it refuses with a status, for a person.
    """

    label: str
    rate: Rate
    complaint: type[OutsideAnswer]
    unknown: HTTPStatus | None = HTTPStatus.NOT_FOUND
    bare: bytes | None = None
    refusals: Mapping[int, str] = field(default_factory=dict[int, str])


class HttpSource:
    """A source at one address; every question to it goes through here.

    Every question raises DeclinedError when the source refuses it, UnreachableError when what came
    is no answer of this source, and ThrottledError when it is asked too often.
    """

    def __init__(
        self,
        service: Service,
        outbound: Outbound,
        *,
        address: str,
        validity: Validity | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare; nothing is sent yet.

        Args:
            service: which source it is.
            outbound: what carries the requests.
            address: in front of every path.
            validity: how long answers stand.
            clock: monotonic seconds.
        """
        self._service = service
        self._address = address.rstrip("/")
        self._upstream = outbound.neighbour(service.label, address)
        self._questions = Questions(service.label, service.rate, validity=validity, clock=clock)

    async def get(
        self,
        path: str,
        query: Mapping[str, str],
        shape: type[A],
        topic: Topic,
        *,
        added: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> A | None:
        """The answer under a path; None when the source knows no such thing.

        Args:
            path: below the address.
            query: what is asked; with the path it is the whole question.
            shape: of the answer.
            topic: what kind of question it is.
            added: parameters that go along with every question, such as a key.
            headers: that go along with every question.
        """

        async def send(conditions: Mapping[str, str]) -> Answer:
            return await self._upstream.get(
                self._address + path,
                query={**(added or {}), **query},
                headers={**(headers or {}), **conditions},
            )

        key = (path, *sorted(query.items()))
        return await self._questions.ask(key, topic, send, lambda came: self.read(came, shape))

    async def post(
        self,
        key: Hashable,
        body: bytes,
        topic: Topic,
        read: Callable[[Answer], A | NothingKnown],
    ) -> A | None:
        """The answer to a question that is a JSON body, and changes nothing.

        Args:
            key: the whole question.
            body: the JSON.
            topic: what kind of question it is.
            read: takes what came; what it raises is passed on and not remembered.
        """

        async def send(_conditions: Mapping[str, str]) -> Answer:
            return await self._upstream.post_query(self._address, body)

        return await self._questions.ask(key, topic, send, read)

    def learn(self, key: Hashable, topic: Topic, answer: OutsideAnswer) -> None:
        """Remember the answer to a question that another one has answered too."""
        self._questions.learn(key, topic, answer)

    def read(self, answer: Answer, shape: type[A]) -> A | NothingKnown:
        """What came, in its shape, or that nothing is known.

        Raises:
            DeclinedError: the source refused the question.
            UnreachableError: it is not this source that answered.
        """
        service, status = self._service, answer.status
        if answer.ok:
            return self._questions.read(answer, shape)
        if status in service.refusals:
            raise DeclinedError(service.label, service.refusals[status])
        if status != service.unknown or answer.body.strip() != service.bare:
            self._questions.read(answer, service.complaint)
        if status == service.unknown:
            return NothingKnown()
        raise DeclinedError(service.label, f"It refused the question with HTTP {status}.")
