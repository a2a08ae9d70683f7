import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from server.protocol.streamable_http import MOST_BODY_BYTES
from tests.server.protocol.clients import ENVELOPE, INITIALIZE
from tests.server.protocol.house import SECRET, House, built_house

pytestmark = pytest.mark.anyio
HEADERS = {
    "Accept": "application/json, text/event-stream",
    "Content-Type": "application/json",
}
KEY = {"Authorization": f"Bearer {SECRET}"}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    async with built_house(tmp_path) as built:
        yield built


@pytest.fixture
async def address(house: House) -> AsyncGenerator[str]:
    async with house.on_http(allowed_hosts=["films.example"]) as served:
        yield served


async def post(
    address: str, body: object, headers: dict[str, str] | None = None, **more: Any
) -> httpx2.Response:
    async with httpx2.AsyncClient() as http:
        return await http.post(
            address, content=json.dumps(body), headers={**HEADERS, **(headers or {})}, **more
        )


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


@pytest.mark.parametrize(
    "authorization",
    [None, "Bearer", "Bearer wrong", f"Basic {SECRET}", SECRET],
)
async def test_no_key_no_entry(address: str, authorization: str | None) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}
    answer = await post(address, PING, headers)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith('Bearer realm="matinee"')
    assert ("invalid_token" in answer.headers["WWW-Authenticate"]) is (authorization is not None)
    assert "Bearer <key>" in answer.json()["error_description"]


async def test_a_revoked_key_is_no_key(house: House, address: str) -> None:
    key = await house.add_key("soon gone")
    headers = {"Authorization": "bearer soon gone"}
    assert (await post(address, PING, headers)).status_code == 200
    await house.revoke(key)
    assert (await post(address, PING, headers)).status_code == 401


@pytest.mark.parametrize("name", ["key", "token", "access_token", "API_KEY"])
async def test_a_key_in_the_address_is_refused_even_beside_a_good_one(
    address: str, name: str
) -> None:
    answer = await post(f"{address}?{name}={SECRET}", PING, KEY)
    assert answer.status_code == 400
    assert "Revoke it" in answer.json()["error_description"]
    assert SECRET not in answer.text


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:80"])
@pytest.mark.parametrize("key", [KEY, {}], ids=["key", "no key"])
async def test_another_host_name_is_refused_before_the_key_is_looked_at(
    address: str, host: str, key: dict[str, str]
) -> None:
    answer = await post(address, PING, {**key, "Host": host})
    assert answer.status_code == 421
    assert "allowed_hosts" in answer.json()["error_description"]


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1.evil.example"])
async def test_a_foreign_origin_is_refused(address: str, origin: str) -> None:
    assert (await post(address, PING, {**KEY, "Origin": origin})).status_code == 403


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("localhost", "http://localhost"),
        ("127.0.0.1:1234", "http://127.0.0.1:8930"),
        ("[::1]:8930", "http://[::1]:8930"),
        ("films.example", "https://films.example"),
        ("films.example:8443", "https://films.example:8443"),
    ],
)
async def test_loopback_and_the_owners_names_are_let_through(
    address: str, host: str, origin: str
) -> None:
    headers = {**KEY, "Host": host, "Origin": origin}
    assert (await post(address, PING, headers)).status_code == 200


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
