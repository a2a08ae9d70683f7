from collections.abc import AsyncGenerator

import anyio
import httpx2
import pytest

from server.protocol.streamable_http import MOST_BODY_BYTES
from tests.server.protocol.clients import ENVELOPE, INITIALIZE
from tests.server.protocol.house import House
from tests.server.protocol.posting import KEY, PING, post

pytestmark = pytest.mark.anyio


@pytest.fixture
async def address(house: House) -> AsyncGenerator[str]:
    async with house.on_http(allowed_hosts=["films.example"]) as served:
        yield served


async def call(address: str, name: str) -> httpx2.Response:
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "_meta": ENVELOPE},
    }
    modern = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": name}
    return await post(address, body, {**KEY, **modern})


async def test_the_path_is_served_without_a_redirect(address: str) -> None:
    assert (await post(address, PING, KEY)).status_code == 200


async def test_the_older_handshake_needs_no_session(address: str) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}
    answer = await post(address, body, KEY)
    assert answer.status_code == 200
    assert "mcp-session-id" not in answer.headers
    version = {"MCP-Protocol-Version": "2025-11-25"}
    listed = await post(
        address, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}, {**KEY, **version}
    )
    assert "library__echo" in listed.text


async def test_a_body_too_large_is_refused(address: str) -> None:
    assert (await post(address, "x" * (MOST_BODY_BYTES + 1), KEY)).status_code == 413
    assert (await post(address, "x" * (MOST_BODY_BYTES + 1))).status_code == 401


async def test_names_that_are_not_for_a_client_answer_byte_for_byte_alike(address: str) -> None:
    answers = {name: await call(address, name) for name in ("agent__peek", "admin__wipe", "no__x")}
    assert len({a.text.replace(name, "") for name, a in answers.items()}) == 1
    assert len({a.status_code for a in answers.values()}) == 1
    assert answers["no__x"].json()["error"] == {
        "code": -32602,
        "message": "Unknown tool: no__x",
    }


async def test_a_client_that_hangs_up_gets_its_effect_recorded(house: House, address: str) -> None:
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "act", "arguments": {"text": "a"}, "_meta": ENVELOPE},
    }
    modern = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "act"}
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(post, address, body, {**KEY, **modern})
            await house.stage.entered.wait()
            tasks.cancel_scope.cancel()
        house.stage.may_finish.set()
        await house.stage.finished.wait()
    assert house.stage.done == ["a"]
