import json

import anyio
import httpx2
import pytest

from world.dialogue import Call, Json, Turn
from world.model import ScriptedModel, scripted_model
from world.scripts import calls, looping, say

pytestmark = pytest.mark.anyio

HELLO: Json = {"model": "scripted", "messages": [{"role": "user", "content": "Hello"}]}
STREAMED: Json = {**HELLO, "stream": True, "stream_options": {"include_usage": True}}


async def post(model: ScriptedModel, document: Json, key: str | None = None) -> httpx2.Response:
    headers = {"authorization": f"Bearer {key or model.key}"}
    async with httpx2.AsyncClient(timeout=5) as client:
        url = f"{model.base_url}/chat/completions"
        return await client.post(url, json=document, headers=headers)


def chunks_of(response: httpx2.Response) -> list[Json]:
    events = response.text.strip().split("\n\n")
    assert events[-1] == "data: [DONE]"
    return [json.loads(event.removeprefix("data: ")) for event in events[:-1]]


def deltas_of(chunks: list[Json]) -> list[Json]:
    return [chunk["choices"][0]["delta"] for chunk in chunks if chunk["choices"]]


async def test_a_plain_answer_is_one_document() -> None:
    turn = Turn(text="On it.", reasoning="Simple.", calls=(Call("lookup", {"query": "x"}),))
    async with scripted_model(lambda _: turn) as model:
        answer = (await post(model, HELLO)).json()
    message = answer["choices"][0]["message"]
    assert message["content"] == "On it."
    assert message["reasoning_content"] == "Simple."
    assert message["tool_calls"][0]["function"] == {"name": "lookup", "arguments": '{"query": "x"}'}
    assert answer["choices"][0]["finish_reason"] == "tool_calls"
    assert answer["usage"]["prompt_tokens"] > 0


async def test_a_plain_answer_without_calls_only_speaks() -> None:
    async with scripted_model(say("Hello.")) as model:
        answer = (await post(model, HELLO)).json()
    message = {"role": "assistant", "content": "Hello."}
    assert answer["choices"] == [{"index": 0, "message": message, "finish_reason": "stop"}]


async def test_a_streamed_answer_comes_in_small_pieces_and_ends_with_usage() -> None:
    turn = Turn(text="A sentence of some length.", calls=(Call("lookup", {"query": "a title"}),))
    async with scripted_model(lambda _: turn) as model:
        chunks = chunks_of(await post(model, STREAMED))
    texts = [delta["content"] for delta in deltas_of(chunks) if delta.get("content")]
    pieces = [delta["tool_calls"][0] for delta in deltas_of(chunks) if "tool_calls" in delta]
    assert len(texts) > 1
    assert "".join(texts) == turn.text
    assert len(pieces) > 2
    assert [piece for piece in pieces if "id" in piece] == pieces[:1]
    arguments = "".join(piece["function"]["arguments"] for piece in pieces)
    assert json.loads(arguments) == {"query": "a title"}
    assert chunks[-2]["choices"][0]["finish_reason"] == "tool_calls"
    assert chunks[-1]["choices"] == []
    assert chunks[-1]["usage"]["completion_tokens"] > 0


async def test_usage_is_streamed_only_to_those_who_ask() -> None:
    async with scripted_model(say("Hello.")) as model:
        chunks = chunks_of(await post(model, {**HELLO, "stream": True}))
    assert all("usage" not in chunk for chunk in chunks)


async def test_without_its_key_it_answers_nothing_and_journals_nothing() -> None:
    async with scripted_model(say("Hello.")) as model, httpx2.AsyncClient(timeout=5) as client:
        refused = await post(model, HELLO, key="wrong")
        listing = await client.get(f"{model.base_url}/models")
        assert (refused.status_code, listing.status_code) == (401, 401)
        assert model.requests == []


async def test_it_lists_its_one_model_and_knows_no_other() -> None:
    async with scripted_model(say("Hello."), name="owl") as model:
        headers = {"authorization": f"Bearer {model.key}"}
        async with httpx2.AsyncClient(timeout=5, headers=headers) as client:
            listing = (await client.get(f"{model.base_url}/models")).json()
        other = await post(model, HELLO)
    assert [each["id"] for each in listing["data"]] == ["owl"]
    assert other.status_code == 404
    assert other.json()["error"]["code"] == "model_not_found"


def asks(arguments: str) -> Json:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


ANSWER: Json = {"role": "tool", "tool_call_id": "a", "content": "Done."}


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [ANSWER],
        [asks("{}"), {"role": "user", "content": "And?"}],
        [asks("{}")],
        [asks("{}"), ANSWER, ANSWER],
        [asks("{"), ANSWER],
        [asks("[]"), ANSWER],
    ],
)
async def test_a_conversation_that_providers_refuse_is_refused(messages: list[Json]) -> None:
    async with scripted_model(say("Hello.")) as model:
        answer = await post(model, {"model": "scripted", "messages": messages})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "invalid_request_error"


async def test_the_journal_keeps_requests_byte_for_byte() -> None:
    async with scripted_model(say("Hello.")) as model:
        await post(model, HELLO)
        (received,) = model.requests
    assert json.loads(received.raw) == received.document == HELLO


async def test_what_repeats_the_request_before_counts_as_cached() -> None:
    async with scripted_model(say("Hello.")) as model:
        longer = {**HELLO, "messages": [*HELLO["messages"], {"role": "user", "content": "More"}]}
        usages = [(await post(model, each)).json()["usage"] for each in (HELLO, longer)]
    first, second = (usage["prompt_tokens_details"]["cached_tokens"] for usage in usages)
    assert first == 0
    assert usages[0]["prompt_tokens"] - 2 <= second < usages[1]["prompt_tokens"]


async def test_it_fails_as_told_and_as_often_as_told() -> None:
    async with scripted_model(say("Hello.")) as model:
        model.fail_next(429, code="slow", retry_after="2", times=2)
        answers = [await post(model, STREAMED) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [429, 429, 200]
    assert answers[0].headers["retry-after"] == "2"
    assert answers[0].json()["error"]["code"] == "slow"


async def test_an_error_may_come_in_the_middle_of_the_stream() -> None:
    async with scripted_model(say("Hello.")) as model:
        model.fail_next(502, after_chunks=1)
        answer = await post(model, STREAMED)
    first, second = answer.text.strip().split("\n\n")
    assert "choices" in first
    assert json.loads(second.removeprefix("data: "))["error"]["code"] == "502"


async def test_the_connection_may_break_in_the_middle() -> None:
    async with scripted_model(say("Hello.")) as model:
        model.cut_next(after_chunks=1)
        with pytest.raises(httpx2.RemoteProtocolError):
            await post(model, STREAMED)
        assert (await post(model, STREAMED)).is_success


async def test_a_chunk_may_be_garbage() -> None:
    async with scripted_model(say("Hello.")) as model:
        model.garble_next(after_chunks=1)
        events = (await post(model, STREAMED)).text.strip().split("\n\n")
    with pytest.raises(json.JSONDecodeError):
        json.loads(events[1].removeprefix("data: "))
    assert events[-1] == "data: [DONE]"


async def test_it_may_fall_silent_until_the_client_goes() -> None:
    async with scripted_model(say("Hello.")) as model:
        gone = model.hang_next(after_chunks=1)
        async with httpx2.AsyncClient(timeout=httpx2.Timeout(5, read=0.05)) as client:
            with pytest.raises(httpx2.ReadTimeout):
                await client.post(
                    f"{model.base_url}/chat/completions",
                    json=STREAMED,
                    headers={"authorization": f"Bearer {model.key}"},
                )
        with anyio.fail_after(5):
            await gone.wait()


async def test_chunks_may_be_dictated() -> None:
    async with scripted_model(say("Hello.")) as model:
        model.send_next([{"odd": True}])
        assert chunks_of(await post(model, STREAMED)) == [{"odd": True}]


async def test_the_script_may_be_replaced_on_the_way() -> None:
    async with scripted_model(say("Hello.")) as model:
        model.script = say("Good evening.")
        answer = (await post(model, HELLO)).json()
    assert answer["choices"][0]["message"]["content"] == "Good evening."


async def test_fixed_turns_are_played_in_order_and_then_end() -> None:
    script = calls(Turn(text="One."), Turn(text="Two."))
    said: list[str] = []
    async with scripted_model(script) as model:
        messages = [*HELLO["messages"]]
        for _ in range(3):
            answer = (await post(model, {**HELLO, "messages": messages})).json()
            said.append(answer["choices"][0]["message"]["content"])
            messages.append({"role": "assistant", "content": said[-1]})
    assert said == ["One.", "Two.", "That was all."]


async def test_a_loop_makes_the_same_call_for_ever() -> None:
    async with scripted_model(looping(Call("lookup", {"query": "x"}))) as model:
        messages = [*HELLO["messages"]]
        for _ in range(3):
            answer = (await post(model, {**HELLO, "messages": messages})).json()
            message = answer["choices"][0]["message"]
            (call,) = message["tool_calls"]
            assert call["function"]["name"] == "lookup"
            result = {"role": "tool", "tool_call_id": call["id"], "content": "No."}
            messages += [message, result]
