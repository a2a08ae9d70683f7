import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capabilities.adapters.metadata.answer_cache import AnswerCache, Fresh, Topic, Validity

VALIDITY = Validity(search_s=50, work_s=100, nothing_s=10, answers=3)


class Source:
    """Answers with how often it was asked; the clock stands until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0
        self.asked = 0
        self.cache: AnswerCache[int] = AnswerCache(lambda: self.now, VALIDITY)

        self.etag: str | None = None
        self.marks: list[str | None] = []

    async def ask(self, etag: str | None) -> Fresh[int] | None:
        self.marks.append(etag)
        if etag is not None and etag == self.etag:
            return None
        self.asked += 1
        return Fresh(self.asked, self.etag)

    async def remembered(
        self, key: str, *, nothing: bool = False, topic: Topic = Topic.WORK
    ) -> int:
        return await self.cache.remembered(key, topic, self.ask, nothing=lambda _: nothing)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("nothing", "after", "asked"),
    [(False, 99, 1), (False, 100, 2), (True, 9, 1), (True, 10, 2)],
)
async def test_an_answer_stands_as_long_as_its_kind_allows(
    nothing: bool, after: float, asked: int
) -> None:
    source = Source()
    await source.remembered("a", nothing=nothing)
    source.now = after
    await source.remembered("a", nothing=nothing)

    assert source.asked == asked


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("topic", "after", "asked"),
    [(Topic.SEARCH, 49, 1), (Topic.SEARCH, 50, 2), (Topic.WORK, 50, 1), (Topic.ORDER, 86_399, 1)],
)
async def test_each_kind_of_question_has_a_time_of_its_own(
    topic: Topic, after: float, asked: int
) -> None:
    source = Source()
    await source.remembered("a", topic=topic)
    source.now = after
    await source.remembered("a", topic=topic)

    assert source.asked == asked


@pytest.mark.anyio
async def test_an_old_answer_that_still_holds_stands_anew() -> None:
    source = Source()
    source.etag = "one"
    for source.now in (0, 100, 199):
        assert await source.remembered("a") == 1
    source.now = 200
    source.etag = "two"
    assert await source.remembered("a") == 2
    assert source.marks == [None, "one", "one"]


@pytest.mark.anyio
async def test_a_failed_renewal_renews_nothing() -> None:
    source = Source()
    source.etag = "one"
    await source.remembered("a")

    async def fail(_etag: str | None) -> Fresh[int]:
        raise TimeoutError

    source.now = 100
    with pytest.raises(TimeoutError):
        await source.cache.remembered("a", Topic.WORK, fail, nothing=bool)
    await source.remembered("a")
    assert source.marks == [None, "one"]


@pytest.mark.anyio
async def test_what_came_with_another_answer_is_not_asked_for() -> None:
    source = Source()
    source.cache.keep("a", Topic.WORK, Fresh(7))
    assert await source.remembered("a") == 7
    source.now = 100
    assert await source.remembered("a") == 1


@pytest.mark.anyio
async def test_a_question_that_fails_leaves_nothing_behind() -> None:
    source = Source()

    async def fail(_etag: str | None) -> Fresh[int]:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        await source.cache.remembered("a", Topic.WORK, fail, nothing=bool)

    assert await source.remembered("a") == 1


@pytest.mark.anyio
async def test_the_answer_used_longest_ago_makes_room() -> None:
    source = Source()
    for key in ("a", "b", "c", "a", "d"):
        await source.remembered(key)

    assert [await source.remembered(key) for key in ("a", "c", "d")] == [1, 3, 4]
    assert await source.remembered("b") == 5


@given(st.lists(st.sampled_from("abcdef")))
def test_equal_questions_have_equal_answers_while_they_are_kept(keys: list[str]) -> None:
    async def run() -> None:
        source = Source()
        last: list[tuple[str, int]] = []
        for key in keys:
            answer = await source.remembered(key)
            for known, kept in last[-2:]:
                assert known != key or kept == answer
            last.append((key, answer))

    anyio.run(run)
