"""Providers stream the same things in different pieces; they are read alike."""

import pytest

from agent.models.port import Finished, StopReason, ToolCall, Usage
from tests.agent.models.bench import (
    STOP,
    bench,
    calls_of,
    chunk,
    end_of,
    piece,
    reasoning_of,
    text_of,
)
from world.scripts import say

pytestmark = pytest.mark.anyio


async def test_ids_and_names_may_come_late_or_in_every_chunk() -> None:
    async with bench(say("unused")) as b:
        events = await b.streamed(
            piece(0, name=None, arguments='{"a"'),
            piece(0, call_id="call_a", name="first", arguments=":"),
            piece(0, call_id="call_a", name="first", arguments="1}"),
            piece(1, call_id="call_b", name="sec", arguments=None),
            piece(1, name="ond", arguments="{}"),
            STOP,
        )
    assert calls_of(events) == [
        ToolCall("call_a", "first", '{"a":1}'),
        ToolCall("call_b", "second", "{}"),
    ]
    assert end_of(events).reason is StopReason.TOOL_CALLS


async def test_a_provider_may_leave_index_or_id_out() -> None:
    async with bench(say("unused")) as b:
        without_index = calls_of(
            await b.streamed(
                piece(call_id="call_a", name="first", arguments='{"a":'),
                piece(arguments="1}"),
                piece(call_id="call_b", name="second", arguments="{}"),
                STOP,
            )
        )
        without_id = calls_of(
            await b.streamed(piece(0, name="first", arguments="{}"), piece(1, name="second"), STOP)
        )
    assert [(call.id, call.arguments) for call in without_index] == [
        ("call_a", '{"a":1}'),
        ("call_b", "{}"),
    ]
    assert [call.name for call in without_id] == ["first", "second"]
    assert len({call.id for call in without_id} - {""}) == 2


async def test_whole_calls_under_one_index_stay_apart() -> None:
    async with bench(say("unused")) as b:
        apart = calls_of(
            await b.streamed(
                piece(0, call_id="call_a", name="lookup", arguments='{"a":1}'),
                piece(0, call_id="call_b", name="lookup", arguments='{"a":2}'),
                STOP,
            )
        )
        together = calls_of(
            await b.streamed(
                piece(0, call_id="call_a", name="lookup", arguments='{"a"'),
                piece(0, call_id="call_z", name="lookup", arguments=":1}"),
                STOP,
            )
        )
    assert [(call.id, call.arguments) for call in apart] == [
        ("call_a", '{"a":1}'),
        ("call_b", '{"a":2}'),
    ]
    assert together == [ToolCall("call_a", "lookup", '{"a":1}')]


async def test_two_calls_with_one_id_get_two() -> None:
    async with bench(say("unused")) as b:
        made = calls_of(
            await b.streamed(
                piece(0, call_id="call_a", name="first", arguments="{}"),
                piece(1, call_id="call_a", name="second", arguments="{}"),
                STOP,
            )
        )
    assert made[0].id == "call_a"
    assert made[1].id not in {"", "call_a"}


async def test_arguments_sent_as_an_object_become_text() -> None:
    async with bench(say("unused")) as b:
        whole = piece(0, call_id="call_a", name="first", arguments={"a": "ü"})
        assert calls_of(await b.streamed(whole, STOP))[0].arguments == '{"a": "ü"}'


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("stop", StopReason.STOP),
        ("eos", StopReason.STOP),
        ("length", StopReason.LENGTH),
        ("content_filter", StopReason.CONTENT_FILTER),
        ("function_call", StopReason.TOOL_CALLS),
    ],
)
async def test_reasons_to_stop_are_translated(said: str, meant: StopReason) -> None:
    async with bench(say("unused")) as b:
        events = await b.streamed(chunk({"content": "So."}), chunk({}, said))
    assert end_of(events) == Finished(meant, None)


async def test_reasoning_under_either_name_is_taken_once_and_a_refusal_is_text() -> None:
    async with bench(say("unused")) as b:
        events = await b.streamed(
            chunk({"reasoning_content": "One ", "reasoning": "One "}),
            chunk({"reasoning": "two."}),
            chunk({"refusal": "I would rather not."}),
            {"choices": [{"finish_reason": "stop"}]},
            {"usage": {"prompt_tokens": 9, "completion_tokens": 2}},
            {
                "usage": {
                    "prompt_tokens": 9,
                    "completion_tokens": 3,
                    "prompt_cache_hit_tokens": 4,
                }
            },
        )
    assert reasoning_of(events) == "One two."
    assert text_of(events) == "I would rather not."
    assert end_of(events).usage == Usage(input=9, output=3, cached=4)
