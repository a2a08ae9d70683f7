import json
from pathlib import Path

import anyio
import pytest

from server.protocol.conversation import LONGEST_MESSAGE, MOST_AT_ONCE
from tests.server.protocol.clients import ENVELOPE, INITIALIZE, RawClient, raw
from tests.server.protocol.house import House

pytestmark = pytest.mark.anyio


async def call(client: RawClient, id_: int | str, name: str, **arguments: object) -> bytes:
    await client.send(
        {
            "jsonrpc": "2.0",
            "id": id_,
            "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        }
    )
    return await client.receive_line()


async def test_names_that_are_not_for_a_client_answer_byte_for_byte_alike(path: Path) -> None:
    async with raw(path) as client:
        await client.greet()
        await client.initialize()
        told = {
            name: await call(client, 1, name)
            for name in ("agent__peek", "admin__wipe", "no__such", "")
        }
    assert len({line.replace(name.encode(), b"") for name, line in told.items() if name}) == 1
    assert json.loads(told["no__such"])["error"] == {
        "code": -32602,
        "message": "Unknown tool: no__such",
    }


async def test_a_client_that_probes_and_then_initializes_is_served(path: Path) -> None:
    async with raw(path) as client:
        await client.greet()
        probe = await client.ask("p", "server/discover", {"_meta": ENVELOPE})
        assert probe["result"]["supportedVersions"] == ["2026-07-28"]
        assert probe["result"]["instructions"]
        again = await client.ask(0, "server/discover", {"_meta": ENVELOPE})
        assert again["id"] == 0
        answer = await client.initialize()
        assert answer["result"]["protocolVersion"] == "2025-11-25"
        assert json.loads(await call(client, 1, "library__whoami"))["result"]


async def test_a_client_that_probes_and_goes_on_is_served(path: Path) -> None:
    async with raw(path) as client:
        await client.greet()
        await client.ask(0, "server/discover", {"_meta": ENVELOPE})
        params = {"name": "library__whoami", "_meta": ENVELOPE}
        answer = await client.ask(1, "tools/call", params)
        assert answer["result"]["resultType"] == "complete"
        late = await client.ask(2, "initialize", INITIALIZE)
        assert late["error"]["code"] == -32022


async def test_a_probe_of_the_wrong_era_leaves_the_handshake_open(path: Path) -> None:
    async with raw(path) as client:
        await client.greet()
        assert "error" in await client.ask(0, "server/discover", {})
        assert "result" in await client.initialize()


async def test_lines_that_are_no_messages_are_ignored(path: Path) -> None:
    async with raw(path) as client:
        await client.greet()
        await client.stream.send(b'garbage\n\n[1]\n{"jsonrpc": "2.0"}\n\xff\xfe\n' + b"[" * 999)
        await client.stream.send(b"\n")
        assert "result" in await client.initialize()


async def test_a_line_too_long_is_refused_and_the_next_is_read(path: Path) -> None:
    async with raw(path) as client:
        await client.greet()
        await client.initialize()
        await client.stream.send(b"x" * (LONGEST_MESSAGE + 1) + b"\n")
        refused = await client.receive()
        assert (refused["id"], refused["error"]["code"]) == (None, -32600)
        assert json.loads(await call(client, 1, "library__whoami"))["result"]


async def test_ping_is_answered(path: Path) -> None:
    async with raw(path) as client:
        await client.greet()
        await client.initialize()
        assert (await client.ask(1, "ping", {}))["result"] == {}


async def test_the_last_question_is_answered_after_the_clients_last_word(
    house: House, path: Path
) -> None:
    async with raw(path) as client:
        await client.greet()
        await client.initialize()
        params = {"name": "library__wait"}
        await client.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        await client.stream.send_eof()
        with anyio.fail_after(5):
            await house.stage.entered.wait()
            house.stage.may_finish.set()
            assert (await client.receive())["id"] == 1
            assert await client.at_end()


async def test_a_client_with_nothing_open_is_let_go_at_once(path: Path) -> None:
    async with raw(path) as client:
        await client.greet()
        await client.initialize()
        await call(client, 1, "library__whoami")
        await client.stream.send_eof()
        with anyio.fail_after(2):
            assert await client.at_end()


async def test_a_cancelled_question_does_not_hold_the_end_up(house: House, path: Path) -> None:
    async with raw(path) as client:
        await client.greet()
        await client.initialize()
        params = {"name": "library__wait"}
        await client.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        with anyio.fail_after(5):
            await house.stage.entered.wait()
            await client.send(
                {
                    "jsonrpc": "2.0",
                    "method": "notifications/cancelled",
                    "params": {"requestId": 1},
                }
            )
            await client.stream.send_eof()
            assert await client.at_end()


async def test_too_many_questions_at_once_are_told_to_wait(house: House, path: Path) -> None:
    async with raw(path) as client:
        await client.greet()
        await client.initialize()
        params = {"name": "library__wait"}
        for id_ in range(1, MOST_AT_ONCE + 2):
            await client.send(
                {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params}
            )
        refused = await client.receive()
        assert refused["id"] == MOST_AT_ONCE + 1
        assert "at once" in refused["error"]["message"]
        house.stage.may_finish.set()
        answered = {(await client.receive())["id"] for _ in range(MOST_AT_ONCE)}
        assert answered == set(range(1, MOST_AT_ONCE + 1))


async def test_a_client_that_vanishes_in_the_middle_is_no_trouble(house: House, path: Path) -> None:
    async with raw(path) as client:
        await client.greet()
        await client.initialize()
        for id_ in range(3):
            params = {"name": "library__many", "arguments": {"n": 3000}}
            await client.send(
                {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params}
            )
        params = {"name": "library__wait"}
        await client.send({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": params})
        with anyio.fail_after(5):
            await house.stage.entered.wait()
    with anyio.fail_after(5):
        await house.stage.finished.wait()
    async with raw(path) as client:
        assert (await client.greet())["ok"]
