import socket
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace

import anyio
import httpx2
import pytest

from agent.models.chat_body import Dialect
from agent.models.chat_completions import ChatCompletions
from agent.models.port import (
    AssistantMessage,
    BadStreamError,
    ContextOverflowError,
    CredentialRefusedError,
    Finished,
    ModelRequest,
    ReasoningDelta,
    RequestRefusedError,
    StopReason,
    StreamEvent,
    SystemMessage,
    TextDelta,
    ToolCall,
    ToolCallReady,
    ToolMessage,
    ToolSchema,
    Upstream,
    UpstreamFaultError,
    UpstreamUnavailableError,
    Usage,
    UserMessage,
)
from agent.models.retry import RetryPolicy
from world.dialogue import Call, Json, Script, Turn
from world.model import ScriptedModel, scripted_model
from world.scripts import calls, say

pytestmark = pytest.mark.anyio

SECRET = "sk-loopback-4711"
LOOKUP = ToolSchema(
    name="catalog__lookup",
    description="Find works.",
    parameters={"type": "object", "properties": {"query": {"type": "string"}}},
)
REQUEST = ModelRequest(
    model="scripted",
    messages=(SystemMessage("You run a film library."), UserMessage("Get 夜行列车.")),
    tools=(LOOKUP,),
)


@dataclass
class Waits:
    """Takes the place of the clock between two tries."""

    seconds: list[float] = field(default_factory=list[float])

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@dataclass
class Bench:
    model: ScriptedModel
    upstream: Upstream
    waits: Waits

    async def ask(self, request: ModelRequest = REQUEST) -> list[StreamEvent]:
        with anyio.fail_after(5):
            return [event async for event in self.upstream.stream(request)]

    async def fault(self, request: ModelRequest = REQUEST) -> UpstreamFaultError:
        with pytest.raises(UpstreamFaultError) as raised:
            await self.ask(request)
        return raised.value


@asynccontextmanager
async def bench(
    script: Script,
    *,
    key: str | None = SECRET,
    dialect: Dialect | None = None,
    tries: int = 3,
    patience: httpx2.Timeout | None = None,
) -> AsyncGenerator[Bench]:
    async with scripted_model(script, key=SECRET) as model:
        waits = Waits()
        upstream = ChatCompletions(
            name="The loopback model",
            base_url=model.base_url,
            key=key,
            dialect=dialect,
            retry=RetryPolicy(tries=tries, first_pause_s=1.0, longest_pause_s=20.0),
            timeout=patience or httpx2.Timeout(5.0),
            pause=waits,
        )
        try:
            yield Bench(model, upstream, waits)
        finally:
            await upstream.aclose()


def text_of(events: Sequence[StreamEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def reasoning_of(events: Sequence[StreamEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, ReasoningDelta))


def calls_of(events: Sequence[StreamEvent]) -> list[ToolCall]:
    return [event.call for event in events if isinstance(event, ToolCallReady)]


def end_of(events: Sequence[StreamEvent]) -> Finished:
    end = events[-1]
    assert isinstance(end, Finished)
    return end


def chunk(delta: Json, finish_reason: str | None = None) -> Json:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}


def piece(index: int | None = None, call_id: str | None = None, **function: object) -> Json:
    return chunk({"tool_calls": [{"index": index, "id": call_id, "function": function}]})


STOP = chunk({}, "stop")


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


async def test_history_with_malformed_arguments_is_sent_in_a_form_that_providers_accept() -> None:
    broken = ToolCall(id="call_1", name="catalog__lookup", arguments='{"query": ')
    history = (
        *REQUEST.messages,
        AssistantMessage(calls=(broken,)),
        ToolMessage("call_1", "The arguments were no JSON."),
    )
    async with bench(say("Sorry.")) as b:
        events = await b.ask(replace(REQUEST, messages=history))
        sent = b.model.requests[0].document["messages"][2]
    assert text_of(events) == "Sorry."
    assert sent["content"] is None
    assert sent["tool_calls"][0]["function"]["arguments"] == "{}"


async def test_usage_is_counted_with_its_cached_part() -> None:
    async with bench(say("Done.")) as b:
        first = end_of(await b.ask()).usage
        second = end_of(await b.ask()).usage
    assert first is not None
    assert second is not None
    assert first.cached == 0
    assert first.output > 0
    assert second.cached == second.input == first.input


async def test_a_longer_conversation_repeats_the_bytes_of_the_shorter_one() -> None:
    async with bench(say("Done.")) as b:
        await b.ask()
        call = ToolCall(id="call_1", name="catalog__lookup", arguments='{"query": "夜行列车"}')
        longer = (*REQUEST.messages, AssistantMessage("Looking.", "Hm.", (call,)))
        await b.ask(replace(REQUEST, messages=(*longer, ToolMessage("call_1", "Found one."))))
        short, long = (request.raw for request in b.model.requests)
    assert long.startswith(short.removesuffix(b"]}"))
    assert "夜行列车".encode() in short


async def test_the_request_on_the_wire_is_that_of_the_api() -> None:
    async with bench(say("Done.")) as b:
        await b.ask(replace(REQUEST, max_output_tokens=16))
        sent = b.model.requests[0]
    assert sent.document == {
        "model": "scripted",
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 16,
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "catalog__lookup",
                    "description": "Find works.",
                    "parameters": LOOKUP.parameters,
                },
            }
        ],
        "messages": [
            {"role": "system", "content": "You run a film library."},
            {"role": "user", "content": "Get 夜行列车."},
        ],
    }
    assert sent.headers["content-type"] == "application/json"
    assert sent.headers["user-agent"] == "matinee"


async def test_a_dialect_names_the_cap_and_returns_the_reasoning() -> None:
    dialect = Dialect(output_cap="max_completion_tokens", reasoning_field="reasoning_content")
    spoken = (AssistantMessage("Yes.", "Why not."), AssistantMessage("No."), UserMessage("Well?"))
    async with bench(say("Done."), dialect=dialect) as b:
        request = ModelRequest("scripted", (*REQUEST.messages, *spoken), max_output_tokens=16)
        await b.ask(request)
        sent = b.model.requests[0].document
    assert sent["max_completion_tokens"] == 16
    assert "tools" not in sent
    assert sent["messages"][2]["reasoning_content"] == "Why not."
    assert "reasoning_content" not in sent["messages"][3]


async def test_nothing_of_the_environment_reaches_the_provider(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "from-the-host")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer from-the-host")
    async with bench(say("Done.")) as b:
        await b.ask()
        headers = b.model.requests[0].headers
    assert headers["authorization"] == f"Bearer {SECRET}"
    assert "from-the-host" not in "".join(headers.values())


async def test_ids_and_names_may_come_late_or_in_every_chunk() -> None:
    async with bench(say("unused")) as b:
        b.model.send_next(
            [
                piece(0, name=None, arguments='{"a"'),
                piece(0, call_id="call_a", name="first", arguments=":"),
                piece(0, call_id="call_a", name="first", arguments="1}"),
                piece(1, call_id="call_b", name="sec", arguments=None),
                piece(1, name="ond", arguments="{}"),
                STOP,
            ]
        )
        events = await b.ask()
    assert calls_of(events) == [
        ToolCall("call_a", "first", '{"a":1}'),
        ToolCall("call_b", "second", "{}"),
    ]
    assert end_of(events).reason is StopReason.TOOL_CALLS


async def test_a_provider_may_leave_index_or_id_out() -> None:
    async with bench(say("unused")) as b:
        b.model.send_next(
            [
                piece(call_id="call_a", name="first", arguments='{"a":'),
                piece(arguments="1}"),
                piece(call_id="call_b", name="second", arguments="{}"),
                STOP,
            ]
        )
        without_index = calls_of(await b.ask())
        b.model.send_next([piece(0, name="first", arguments="{}"), piece(1, name="second"), STOP])
        without_id = calls_of(await b.ask())
    assert [(call.id, call.arguments) for call in without_index] == [
        ("call_a", '{"a":1}'),
        ("call_b", "{}"),
    ]
    assert [call.name for call in without_id] == ["first", "second"]
    assert len({call.id for call in without_id} - {""}) == 2


async def test_whole_calls_under_one_index_stay_apart() -> None:
    async with bench(say("unused")) as b:
        b.model.send_next(
            [
                piece(0, call_id="call_a", name="lookup", arguments='{"a":1}'),
                piece(0, call_id="call_b", name="lookup", arguments='{"a":2}'),
                STOP,
            ]
        )
        apart = calls_of(await b.ask())
        b.model.send_next(
            [
                piece(0, call_id="call_a", name="lookup", arguments='{"a"'),
                piece(0, call_id="call_z", name="lookup", arguments=":1}"),
                STOP,
            ]
        )
        together = calls_of(await b.ask())
    assert [(call.id, call.arguments) for call in apart] == [
        ("call_a", '{"a":1}'),
        ("call_b", '{"a":2}'),
    ]
    assert together == [ToolCall("call_a", "lookup", '{"a":1}')]


async def test_two_calls_with_one_id_get_two() -> None:
    async with bench(say("unused")) as b:
        b.model.send_next(
            [
                piece(0, call_id="call_a", name="first", arguments="{}"),
                piece(1, call_id="call_a", name="second", arguments="{}"),
                STOP,
            ]
        )
        made = calls_of(await b.ask())
    assert made[0].id == "call_a"
    assert made[1].id not in {"", "call_a"}


async def test_arguments_sent_as_an_object_become_text() -> None:
    async with bench(say("unused")) as b:
        b.model.send_next([piece(0, call_id="call_a", name="first", arguments={"a": "ü"}), STOP])
        assert calls_of(await b.ask())[0].arguments == '{"a": "ü"}'


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
        b.model.send_next([chunk({"content": "So."}), chunk({}, said)])
        events = await b.ask()
    assert end_of(events) == Finished(meant, None)


async def test_reasoning_under_either_name_is_taken_once_and_a_refusal_is_text() -> None:
    async with bench(say("unused")) as b:
        b.model.send_next(
            [
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
            ]
        )
        events = await b.ask()
    assert reasoning_of(events) == "One two."
    assert text_of(events) == "I would rather not."
    assert end_of(events).usage == Usage(input=9, output=3, cached=4)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
async def test_a_passing_failure_is_tried_again_with_growing_pauses(status: int) -> None:
    async with bench(say("Here.")) as b:
        b.model.fail_next(status, times=2)
        events = await b.ask()
    assert text_of(events) == "Here."
    assert b.waits.seconds == [1.0, 2.0]
    assert len(b.model.requests) == 3


async def test_it_gives_up_after_the_allowed_tries() -> None:
    async with bench(say("Here.")) as b:
        b.model.fail_next(503, code="overloaded", times=9)
        fault = await b.fault()
    assert isinstance(fault, UpstreamUnavailableError)
    assert fault.sentence == (
        "The loopback model reports a failure of its own (503, error, overloaded)."
    )
    assert len(b.model.requests) == 3


async def test_a_wished_pause_is_kept_and_a_long_one_is_left_to_the_caller() -> None:
    async with bench(say("Here.")) as b:
        b.model.fail_next(429, retry_after="7")
        assert text_of(await b.ask()) == "Here."
        b.model.fail_next(429, retry_after="3600")
        fault = await b.fault()
    assert b.waits.seconds == [7.0]
    assert isinstance(fault, UpstreamUnavailableError)
    assert fault.retry_after_s == 3600.0
    assert "slow down" in fault.sentence


async def test_a_cut_before_the_first_word_is_tried_again() -> None:
    async with bench(say("Here.")) as b:
        b.model.cut_next(after_chunks=0)
        events = await b.ask()
    assert text_of(events) == "Here."
    assert b.waits.seconds == [1.0]


async def test_a_cut_after_the_first_word_is_a_bad_stream_and_never_repeated() -> None:
    async with bench(say("Here it is, all of it.")) as b:
        b.model.cut_next(after_chunks=2)
        fault = await b.fault()
    assert isinstance(fault, BadStreamError)
    assert b.waits.seconds == []
    assert len(b.model.requests) == 1


async def test_an_answer_without_an_end_is_a_bad_stream() -> None:
    async with bench(say("unused")) as b:
        b.model.send_next([chunk({"content": "Half an ans"})])
        assert isinstance(await b.fault(), BadStreamError)
        b.model.send_next([chunk({"content": "Half"}), chunk({}, "network_error")])
        assert isinstance(await b.fault(), BadStreamError)


async def test_an_unreadable_chunk_is_a_bad_stream() -> None:
    async with bench(say("Here it is.")) as b:
        b.model.garble_next(after_chunks=1)
        assert isinstance(await b.fault(), BadStreamError)
        b.model.send_next([{"choices": "none"}])
        fault = await b.fault()
    assert fault.sentence == "The loopback model sent something that is not a chat completion."


async def test_silence_is_a_passing_failure() -> None:
    async with bench(say("Here."), patience=httpx2.Timeout(5.0, read=0.05), tries=1) as b:
        gone = b.model.hang_next(after_chunks=0)
        fault = await b.fault()
        with anyio.fail_after(5):
            await gone.wait()
    assert isinstance(fault, UpstreamUnavailableError)
    assert "in time" in fault.sentence


async def test_a_closed_port_is_a_passing_failure() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    waits = Waits()
    upstream = ChatCompletions(
        name="Nobody",
        base_url=f"http://127.0.0.1:{port}/v1",
        key=SECRET,
        retry=RetryPolicy(tries=2),
        pause=waits,
    )
    with pytest.raises(UpstreamUnavailableError) as raised:
        await anext(upstream.stream(REQUEST))
    await upstream.aclose()
    assert raised.value.sentence == "Nobody could not be reached, or hung up."
    assert waits.seconds == [1.0]


async def test_a_wrong_key_is_refused_at_once() -> None:
    for key in ("wrong", None):
        async with bench(say("Here."), key=key) as b:
            fault = await b.fault()
        assert isinstance(fault, CredentialRefusedError)
        assert b.waits.seconds == []


@pytest.mark.parametrize(
    ("status", "code"), [(403, ""), (402, ""), (429, "insufficient_quota"), (401, "whatever")]
)
async def test_what_only_the_owner_can_mend_is_never_tried_again(status: int, code: str) -> None:
    async with bench(say("Here.")) as b:
        b.model.fail_next(status, code=code, times=2)
        assert isinstance(await b.fault(), CredentialRefusedError)
        assert len(b.model.requests) == 1


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [
        (400, "context_length_exceeded", "no"),
        (400, "", "This model's maximum context length is 8192 tokens."),
        (400, "", "prompt is too long: 213462 tokens > 200000 maximum"),
        (400, "", "The input token count (1196265) exceeds the maximum number of tokens"),
        (413, "", "Payload Too Large"),
        (500, "", "the request exceeds the available context size, try increasing it"),
    ],
)
async def test_a_request_that_is_too_long_is_told_from_a_passing_failure(
    status: int, code: str, message: str
) -> None:
    async with bench(say("Here.")) as b:
        b.model.fail_next(status, code=code, message=message)
        assert isinstance(await b.fault(), ContextOverflowError)
        assert len(b.model.requests) == 1


async def test_too_many_tokens_a_minute_are_no_overflow() -> None:
    async with bench(say("Here.")) as b:
        b.model.fail_next(429, message="Too many tokens, please wait.")
        assert text_of(await b.ask()) == "Here."


async def test_a_full_window_in_the_middle_of_an_answer_is_an_overflow() -> None:
    async with bench(say("unused")) as b:
        b.model.send_next([chunk({"content": "And"}), chunk({}, "model_context_window_exceeded")])
        assert isinstance(await b.fault(), ContextOverflowError)


async def test_an_error_inside_the_stream_is_read_like_its_status() -> None:
    async with bench(say("Here it is.")) as b:
        b.model.fail_next(429, after_chunks=1)
        assert text_of(await b.ask()) == "Here it is."
        b.model.fail_next(502, after_chunks=2)
        assert isinstance(await b.fault(), BadStreamError)
        b.model.fail_next(401, after_chunks=0)
        assert isinstance(await b.fault(), CredentialRefusedError)
        b.model.send_next([{"error": "the maximum context length is 4096"}])
        assert isinstance(await b.fault(), ContextOverflowError)


async def test_an_unknown_model_is_refused_with_what_to_check() -> None:
    async with bench(say("Here.")) as b:
        fault = await b.fault(replace(REQUEST, model="other"))
    assert isinstance(fault, RequestRefusedError)
    assert "does not know the model" in fault.sentence


async def test_a_refused_request_names_the_code_and_quotes_nothing() -> None:
    async with bench(say("Here.")) as b:
        b.model.fail_next(400, code="unsupported_parameter", message=f"key {SECRET} at {'x' * 9}")
        fault = await b.fault()
    assert isinstance(fault, RequestRefusedError)
    assert fault.sentence == (
        "The loopback model refused the request (400, error, unsupported_parameter)."
    )
    assert fault.__cause__ is None


async def test_a_redirect_is_not_followed() -> None:
    async with bench(say("Here.")) as b:
        b.model.fail_next(307)
        assert isinstance(await b.fault(), RequestRefusedError)


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
