from collections.abc import Mapping

import pytest
from anyio.lowlevel import checkpoint

from capabilities.adapters.metadata.answer_cache import Topic, Validity
from capabilities.adapters.metadata.outside_answer import NothingKnown, OutsideAnswer
from capabilities.adapters.metadata.questions import Questions
from capabilities.adapters.metadata.request_limit import Rate
from capabilities.adapters.upstream import Answer
from capabilities.kernel.faults import DeclinedError, ThrottledError, UnreachableError
from tests.capabilities.adapters.metadata.sources import Clock

pytestmark = pytest.mark.anyio


class Title(OutsideAnswer):
    title: str


class Asked:
    """One source that says what it is told to, and what it was asked with."""

    def __init__(self, *answers: Answer | Exception, rate: Rate | None = None) -> None:
        self.clock = Clock()
        self.answers = list(answers)
        self.headers: list[Mapping[str, str]] = []
        self.waited: list[float] = []
        self.questions = Questions(
            "The source",
            rate or Rate(questions=10, within_s=60),
            validity=Validity(work_s=100, nothing_s=10),
            clock=self.clock,
            wait=self._wait,
        )

    async def _wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.clock.now += seconds
        await checkpoint()

    async def _send(self, headers: Mapping[str, str]) -> Answer:
        self.headers.append(headers)
        await checkpoint()
        said = self.answers.pop(0)
        if isinstance(said, Exception):
            raise said
        return said

    def _read(self, answer: Answer) -> Title | NothingKnown:
        return NothingKnown() if answer.status == 404 else self.questions.read(answer, Title)

    async def title(self, key: str = "a") -> str | None:
        answer = await self.questions.ask(key, Topic.WORK, self._send, self._read)
        return None if answer is None else answer.title


def says(title: str, etag: str | None = None) -> Answer:
    return Answer(200, f'{{"title": "{title}"}}'.encode(), etag=etag)


async def test_a_question_is_put_once_while_its_answer_stands() -> None:
    asked = Asked(says("one"), says("two"))
    assert [await asked.title(), await asked.title()] == ["one", "one"]
    asked.clock.now = 100
    assert await asked.title() == "two"
    assert asked.headers == [{}, {}]


async def test_an_old_answer_is_asked_for_by_its_mark_and_stands_anew_when_unchanged() -> None:
    asked = Asked(says("one", '"v1"'), Answer(304, b""), says("two", '"v2"'))
    titles = [await asked.title()]
    for asked.clock.now in (100, 150, 200):
        titles.append(await asked.title())
    assert titles == ["one", "one", "one", "two"]
    assert asked.headers == [{}, {"If-None-Match": '"v1"'}, {"If-None-Match": '"v1"'}]


async def test_that_nothing_is_known_is_an_answer_for_a_shorter_time() -> None:
    asked = Asked(Answer(404, b""), says("there now"))
    assert [await asked.title(), await asked.title()] == [None, None]
    asked.clock.now = 10
    assert await asked.title() == "there now"


@pytest.mark.parametrize(
    "fault", [DeclinedError("The source", "No."), UnreachableError("The source", "Away.")]
)
async def test_a_fault_is_passed_on_and_not_remembered(fault: Exception) -> None:
    asked = Asked(fault, says("one"))
    with pytest.raises(type(fault)):
        await asked.title()
    assert await asked.title() == "one"


async def test_what_cannot_be_read_is_no_answer_of_the_source_and_is_not_remembered() -> None:
    asked = Asked(Answer(200, b"<html>Sign in</html>"), says("one"))
    with pytest.raises(UnreachableError, match="no answer of The source"):
        await asked.title()
    assert await asked.title() == "one"


async def test_every_question_waits_its_turn_and_what_is_remembered_takes_none() -> None:
    asked = Asked(says("one"), says("two"), rate=Rate(questions=1, within_s=5))
    assert [await asked.title("a"), await asked.title("a"), await asked.title("b")] == [
        "one",
        "one",
        "two",
    ]
    assert asked.waited == [5]


async def test_a_source_that_asks_for_a_pause_is_asked_nothing_until_then() -> None:
    asked = Asked(ThrottledError("The source", "Slow.", retry_after_s=30), says("one"))
    for _ in range(2):
        with pytest.raises(ThrottledError):
            await asked.title()
    asked.clock.now = 30
    assert await asked.title() == "one"
    assert len(asked.headers) == 2


async def test_what_was_learnt_from_another_answer_is_not_asked_for() -> None:
    asked = Asked()
    asked.questions.learn("a", Topic.WORK, Title(title="learnt"))
    asked.questions.learn("b", Topic.WORK, NothingKnown())
    assert [await asked.title("a"), await asked.title("b")] == ["learnt", None]
    assert asked.headers == []
