"""Which failures are tried again, which are the owner's to mend, and what is said of each."""

import socket
from dataclasses import replace

import anyio
import httpx2
import pytest

from agent.models.chat_completions import ChatCompletions
from agent.models.port import (
    BadStreamError,
    ContextOverflowError,
    CredentialRefusedError,
    RequestRefusedError,
    UpstreamUnavailableError,
)
from agent.models.retry import RetryPolicy
from tests.agent.models.bench import REQUEST, SECRET, Waits, bench, chunk, text_of
from world.scripts import say

pytestmark = pytest.mark.anyio


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
