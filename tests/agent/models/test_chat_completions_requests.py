"""What is sent to a provider, and what is never sent."""

from dataclasses import replace

import pytest

from agent.models.chat_body import Dialect
from agent.models.port import AssistantMessage, ModelRequest, ToolCall, ToolMessage, UserMessage
from tests.agent.models.bench import LOOKUP, REQUEST, SECRET, bench, text_of
from world.scripts import say

pytestmark = pytest.mark.anyio


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
