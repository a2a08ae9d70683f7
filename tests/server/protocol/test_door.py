import json
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, CallToolResult, TextContent

from ledger.ledger import opened
from ledger.stores import claims
from ledger.stores.claims import ClaimState
from server.protocol.door import CLIENT_KEY, INSTRUCTIONS
from tests.server.protocol.clients import MODERN, WAYS, Way, arrived, raw, way_name
from tests.server.protocol.house import House, furnished

pytestmark = pytest.mark.anyio


every_way = pytest.mark.parametrize("way", WAYS, ids=way_name)


def text_of(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


async def last_claim(house: House) -> claims.Claim:
    return (await house.ledger.read(claims.newest))[0]


@every_way
async def test_the_catalogue_and_the_instructions_arrive(house: House, way: Way) -> None:
    async with arrived(house, way) as client:
        listed = await client.list_tools()
        assert [tool.name for tool in listed.tools] == [
            "end__fail",
            "end__pend",
            "end__refuse",
            "end__wonder",
            "library__count",
            "library__echo",
            "library__many",
            "library__note",
            "library__wait",
            "library__whoami",
            "act",
        ]
        assert listed.next_cursor is None
        assert client.server_info is not None
        assert client.server_info.name == "matinee"
        assert client.instructions == INSTRUCTIONS
        if way.era == MODERN:
            assert client.protocol_version == "2026-07-28"
            assert (listed.cache_scope, listed.ttl_ms) == ("private", 60_000)
        else:
            assert client.protocol_version == "2025-11-25"


@every_way
async def test_a_call_is_made_as_the_key_of_the_connection(house: House, way: Way) -> None:
    key = await house.add_key("another key", ["read"])
    async with arrived(house, way, "another key") as client:
        result = await client.call_tool("library__whoami")
    assert result.structured_content == {
        "outcome": "succeeded",
        "sentence": "That is you.",
        "text": f"key:{key}",
    }
    assert not result.is_error


@every_way
async def test_wrong_arguments_come_back_as_a_result_that_can_be_repaired(
    house: House, way: Way
) -> None:
    async with arrived(house, way) as client:
        result = await client.call_tool("library__echo", {"txt": "hello"})
    assert result.is_error
    assert "did you mean 'text'" in text_of(result)
    assert result.structured_content["needs"] == {"example": {"text": "hello"}}


@every_way
async def test_names_that_are_not_for_a_client_do_not_exist(house: House, way: Way) -> None:
    async with arrived(house, way) as client:
        for name in ("agent__peek", "admin__wipe", "no__such", "library.echo"):
            with pytest.raises(MCPError) as refused:
                await client.call_tool(name)
            assert refused.value.error.code == INVALID_PARAMS
            assert refused.value.error.message == f"Unknown tool: {name}"
            assert refused.value.error.data is None


@every_way
async def test_a_repeated_idempotency_key_answers_again_and_acts_once(
    house: House, way: Way
) -> None:
    async with arrived(house, way) as client:
        first = await client.call_tool("library__note", {"text": "a"}, meta={CLIENT_KEY: "k"})
        again = await client.call_tool("library__note", {"text": "a"}, meta={CLIENT_KEY: "k"})
        other = await client.call_tool("library__note", {"text": "b"}, meta={CLIENT_KEY: "k"})
    assert house.stage.done == ["a"]
    assert not first.is_error
    assert again.structured_content == {**first.structured_content, "replayed": True}
    assert other.is_error
    assert other.structured_content["code"] == "conflict"


@every_way
async def test_calls_without_an_idempotency_key_are_calls_of_their_own(
    house: House, way: Way
) -> None:
    async with arrived(house, way) as client:
        await client.call_tool("library__note", {"text": "a"})
    async with arrived(house, way) as client:
        await client.call_tool("library__note", {"text": "a"})
    assert house.stage.done == ["a", "a"]


@pytest.mark.parametrize("key", ["a\x00b", "", "x" * 129, 7])
async def test_an_idempotency_key_that_is_none_is_refused(house: House, key: object) -> None:
    async with house.on_socket() as path, raw(path) as client:
        await client.greet()
        await client.initialize()
        params = {"name": "library__note", "arguments": {"text": "a"}, "_meta": {CLIENT_KEY: key}}
        answer = await client.ask(1, "tools/call", params)
    assert answer["result"]["isError"]
    assert answer["result"]["structuredContent"]["code"] == "invalid_input"
    assert house.stage.done == []


@every_way
async def test_progress_arrives_and_only_increases(house: House, way: Way) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async with arrived(house, way) as client:
        await client.call_tool("library__count", {"n": 3}, progress_callback=note)
    assert sorted(seen) == [(n, 3, f"{n} of 3") for n in (1, 2, 3)]


@every_way
async def test_what_a_client_no_longer_waits_for_is_done_and_recorded(
    house: House, way: Way
) -> None:
    async def call(client: Client) -> None:
        await client.call_tool("act", {"text": "a"})

    async with arrived(house, way) as client, anyio.create_task_group() as tasks:
        tasks.start_soon(call, client)
        with anyio.fail_after(5):
            await house.stage.entered.wait()
            tasks.cancel_scope.cancel()
    assert house.door.acting
    house.stage.may_finish.set()
    with anyio.fail_after(5):
        await house.stage.finished.wait()
        while house.door.acting:
            await anyio.lowlevel.checkpoint()
    assert (await last_claim(house)).state == ClaimState.SUCCEEDED


async def test_a_read_that_nobody_waits_for_is_given_up(house: House) -> None:
    async with house.on_socket() as path, raw(path) as client:
        await client.greet()
        await client.initialize()
        await client.send(
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "library__wait"}}
        )
        with anyio.fail_after(5):
            await house.stage.entered.wait()
            await client.send(
                {
                    "jsonrpc": "2.0",
                    "method": "notifications/cancelled",
                    "params": {"requestId": 1},
                }
            )
            await house.stage.finished.wait()


async def test_a_revoked_key_ends_calls_on_connections_that_are_open(house: House) -> None:
    key = await house.add_key("soon gone")
    async with arrived(house, Way("bridge", MODERN), "soon gone") as client:
        await client.call_tool("library__whoami")
        await house.revoke(key)
        with pytest.raises(MCPError) as refused:
            await client.call_tool("library__whoami")
        assert refused.value.error.code == INVALID_REQUEST
        assert "not valid any more" in refused.value.error.message


async def test_a_fault_of_ours_is_told_without_its_details(house: House) -> None:
    async with arrived(house, Way("bridge", "legacy")) as client:
        result = await client.call_tool("act", {"text": "broken"})
    assert result.is_error
    assert result.structured_content["code"] == "internal"
    assert "ZeroDivision" not in json.dumps(result.structured_content)


async def test_what_is_running_when_the_house_closes_is_recorded_as_unknown(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as ledger:
        async with (
            furnished(tmp_path, ledger) as house,
            house.on_socket() as path,
            raw(path) as client,
        ):
            await client.greet()
            await client.initialize()
            params = {"name": "act", "arguments": {"text": "a"}}
            await client.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
            await house.stage.entered.wait()
        (claim,) = await ledger.read(claims.newest)
    assert claim.state == ClaimState.UNKNOWN
    assert house.stage.done == []


async def test_two_names_of_one_call_on_a_connection_never_act_twice(house: House) -> None:
    params = {"name": "library__note", "arguments": {"text": "a"}}
    long_id = "x" * 1000
    async with house.on_socket() as path, raw(path) as client:
        await client.greet()
        await client.initialize()
        first = await client.ask(long_id, "tools/call", params)
        again = await client.ask(long_id, "tools/call", params)
        other = await client.ask("1", "tools/call", params)
        number = await client.ask(1, "tools/call", params)
    assert "replayed" not in first["result"]["structuredContent"]
    assert again["result"]["structuredContent"]["replayed"]
    assert "replayed" not in other["result"]["structuredContent"]
    assert "replayed" not in number["result"]["structuredContent"]
    assert len(house.stage.done) == 3
    assert len((await last_claim(house)).call_id) < 150


async def test_a_ledger_that_cannot_be_read_is_told_and_nothing_is_done(house: House) -> None:
    async with arrived(house, Way("bridge", MODERN)) as client:
        await house.lose_the_keys()
        with pytest.raises(MCPError) as failed:
            await client.call_tool("library__note", {"text": "a"})
    assert failed.value.error.code == INTERNAL_ERROR
    assert "Nothing was done" in failed.value.error.message
    assert house.stage.done == []
