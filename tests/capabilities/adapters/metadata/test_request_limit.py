import anyio
import pytest
from anyio.lowlevel import checkpoint

from capabilities.adapters.metadata.request_limit import Rate, RequestLimit
from capabilities.kernel.faults import ThrottledError

pytestmark = pytest.mark.anyio


class Time:
    """Moves on by what is waited."""

    def __init__(self) -> None:
        self.now = 100.0
        self.pauses: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def wait(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds
        await checkpoint()


def limit(time: Time, rate: Rate) -> RequestLimit:
    return RequestLimit("the source", rate, clock=time, wait=time.wait)


async def test_so_many_questions_go_at_once_and_the_next_waits_its_time() -> None:
    time = Time()
    turns = limit(time, Rate(questions=2, within_s=10))
    sent: list[float] = []
    for _ in range(5):
        async with turns.turn():
            sent.append(time.now)

    assert sent == [100, 100, 110, 110, 120]
    assert time.pauses == [10, 10]


async def test_a_wait_that_is_too_long_is_refused_with_its_length() -> None:
    time = Time()
    turns = limit(time, Rate(questions=1, within_s=60, longest_wait_s=30))
    async with turns.turn():
        pass
    with pytest.raises(ThrottledError) as refused:
        async with turns.turn():
            pass

    assert refused.value.retry_after_s == 60
    assert time.pauses == []


async def test_no_more_than_so_many_are_under_way() -> None:
    turns = limit(Time(), Rate(questions=100, within_s=1, at_once=3))
    under_way, most = 0, 0

    async def ask() -> None:
        nonlocal under_way, most
        async with turns.turn():
            under_way += 1
            most = max(most, under_way)
            await checkpoint()
            under_way -= 1

    async with anyio.create_task_group() as group:
        for _ in range(12):
            group.start_soon(ask)

    assert most == 3


async def test_a_source_that_asks_for_a_pause_is_left_alone_until_it_is_over() -> None:
    time = Time()
    turns = limit(time, Rate(questions=100, within_s=1))
    with pytest.raises(ThrottledError):
        async with turns.turn():
            raise ThrottledError("the source", "Slow down.", retry_after_s=30)
    time.now += 29
    with pytest.raises(ThrottledError) as refused:
        async with turns.turn():
            pass
    assert refused.value.retry_after_s == 1
    time.now += 1
    async with turns.turn():
        sent = time.now

    assert sent == 130


async def test_a_pause_of_unknown_length_is_none() -> None:
    turns = limit(Time(), Rate(questions=100, within_s=1))
    with pytest.raises(ThrottledError):
        async with turns.turn():
            raise ThrottledError("the source", "Slow down.")
    async with turns.turn():
        pass
