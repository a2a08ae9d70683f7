"""What an answer comes to, and what becomes of it when nobody listens any more."""

from contextlib import aclosing

import anyio
import pytest

from agent.models.port import StopReason, TextDelta
from tests.agent.models.bench import REQUEST, bench, calls_of, end_of, reasoning_of, text_of
from world.dialogue import Call, Turn
from world.scripts import calls, say

pytestmark = pytest.mark.anyio


async def test_text_and_reasoning_arrive_in_pieces_and_apart() -> None:
    turn = Turn(text="It is on its way, nearly there.", reasoning="The goal is plain enough.")
    async with bench(lambda _: turn) as b:
        events = await b.ask()
    assert text_of(events) == turn.text
    assert reasoning_of(events) == turn.reasoning
    assert len(events) > 4
    assert end_of(events).reason is StopReason.STOP


async def test_calls_split_over_many_chunks_arrive_whole_and_in_order() -> None:
    first = Call("catalog__lookup", {"query": "夜行列车", "year": 2009})
    second = Call("inventory__query", {"missing": True})
    async with bench(lambda _: Turn(calls=(first, second))) as b:
        events = await b.ask()
    assert [(call.name, call.arguments) for call in calls_of(events)] == [
        ("catalog__lookup", first.arguments_text()),
        ("inventory__query", second.arguments_text()),
    ]
    assert len({call.id for call in calls_of(events)}) == 2
    assert end_of(events).reason is StopReason.TOOL_CALLS


@pytest.mark.parametrize("arguments", ["", '{"query": ', "[1]", "not json"])
async def test_arguments_that_are_no_object_are_passed_on_as_they_are(arguments: str) -> None:
    async with bench(lambda _: Turn(calls=(Call("catalog__lookup", arguments),))) as b:
        events = await b.ask()
    assert [call.arguments for call in calls_of(events)] == [arguments]


async def test_usage_is_counted_with_its_cached_part() -> None:
    async with bench(say("Done.")) as b:
        first = end_of(await b.ask()).usage
        second = end_of(await b.ask()).usage
    assert first is not None
    assert second is not None
    assert first.cached == 0
    assert first.output > 0
    assert second.cached == second.input == first.input


async def test_closing_the_stream_hangs_up() -> None:
    async with bench(say("Here it is, all of it.")) as b:
        gone = b.model.hang_next(after_chunks=3)
        with anyio.fail_after(5):
            async with aclosing(b.upstream.stream(REQUEST)) as events:
                assert isinstance(await anext(events), TextDelta)
            await gone.wait()


async def test_cancelling_the_consumer_hangs_up() -> None:
    async with bench(say("Here it is, all of it.")) as b:
        gone = b.model.hang_next(after_chunks=3)
        arrived = anyio.Event()

        async def consume() -> None:
            async with aclosing(b.upstream.stream(REQUEST)) as events:
                async for _ in events:
                    arrived.set()

        with anyio.fail_after(5):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(consume)
                await arrived.wait()
                tasks.cancel_scope.cancel()
            await gone.wait()


async def test_one_upstream_serves_many_requests_at_once() -> None:
    async with bench(calls(Turn(text="One."))) as b:
        answers: list[str] = []

        async def ask() -> None:
            answers.append(text_of(await b.ask()))

        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(ask)
    assert answers == ["One."] * 5
