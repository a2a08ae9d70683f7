import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capabilities.adapters.metadata.answer_cache import AnswerCache, Validity

VALIDITY = Validity(found_s=100, nothing_s=10, answers=3)


class Source:
    """Answers with how often it was asked; the clock stands until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0
        self.asked = 0
        self.cache: AnswerCache[int] = AnswerCache(lambda: self.now, VALIDITY)

    async def ask(self) -> int:
        self.asked += 1
        return self.asked

    async def remembered(self, key: str, *, nothing: bool = False) -> int:
        return await self.cache.remembered(key, self.ask, nothing=lambda _: nothing)


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
async def test_a_question_that_fails_leaves_nothing_behind() -> None:
    source = Source()

    async def fail() -> int:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        await source.cache.remembered("a", fail, nothing=bool)

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
