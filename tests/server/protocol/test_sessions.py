import json
import os
import resource
import socket
from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
import pytest

from server.protocol import handshake
from server.protocol.conversation import LONGEST_MESSAGE, MOST_AT_ONCE
from server.protocol.sessions import MOST_CONNECTIONS
from server.protocol.unix_listener import SocketTakenError
from tests.server.protocol.clients import ENVELOPE, INITIALIZE, RawClient, raw
from tests.server.protocol.house import House, built_house

pytestmark = pytest.mark.anyio
NEWER = b'{"matinee": "99.0.0", "key": null}\n'


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    async with built_house(tmp_path) as built:
        yield built


@pytest.fixture
async def path(house: House) -> AsyncGenerator[Path]:
    async with house.on_socket() as served:
        yield served


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


async def test_a_bridge_with_a_key_is_let_in(path: Path) -> None:
    async with raw(path) as client:
        answer = await client.greet()
        assert answer["ok"] is True
        assert answer["version"] == handshake.VERSION
        assert answer["pid"] > 0
        assert (await client.initialize())["result"]["serverInfo"]["name"] == "matinee"


async def test_a_bridge_without_a_key_is_the_local_one(house: House, path: Path) -> None:
    async with raw(path) as client:
        await client.greet(None)
        await client.initialize()
        told = json.loads(await call(client, 1, "library__whoami"))
        assert told["result"]["structuredContent"]["text"] == "key:local"
    await house.revoke("local")
    async with raw(path) as client:
        answer = await client.greet(None)
        assert answer["ok"] is False
        assert "local key was revoked" in answer["error"]
        assert await client.at_end()


async def test_a_key_that_is_not_valid_is_refused(house: House, path: Path) -> None:
    key = await house.add_key("gone")
    await house.revoke(key)
    for secret in ("gone", "never was"):
        async with raw(path) as client:
            answer = await client.greet(secret)
            assert answer["ok"] is False
            assert "MATINEE_KEY" in answer["error"]
            assert secret not in answer["error"]


@pytest.mark.parametrize(
    "line",
    [
        b"GET / HTTP/1.1\r\n",
        b'{"jsonrpc": "2.0", "id": 1, "method": "initialize"}\n',
        b'{"matinee": "0.1.0", "key": 7}\n',
        b'{"matinee": 1, "key": null}\n',
        b"x" * (handshake.LONGEST_LINE + 1) + b"\n",
    ],
)
async def test_whoever_greets_otherwise_is_refused(path: Path, line: bytes) -> None:
    async with raw(path) as client:
        await client.stream.send(line)
        answer = await client.receive()
        assert answer["ok"] is False
        assert "matinee mcp" in answer["error"]


async def test_whoever_leaves_without_a_word_is_no_trouble(path: Path) -> None:
    async with raw(path):
        pass
    async with raw(path) as client:
        assert (await client.greet())["ok"]


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


async def test_an_idle_server_makes_room_for_a_newer_one(house: House, path: Path) -> None:
    async with raw(path) as client:
        await client.stream.send(NEWER)
        answer = await client.receive()
    assert (answer["ok"], answer["stopping"]) == (False, True)
    with anyio.fail_after(5):
        await house.stopped.wait()


async def test_a_server_with_work_serves_a_newer_bridge(house: House, path: Path) -> None:
    house.idle = False
    async with raw(path) as client:
        await client.stream.send(NEWER)
        assert (await client.receive())["ok"] is True
    assert not house.stopped.is_set()


async def test_a_server_with_another_client_serves_a_newer_bridge(house: House, path: Path) -> None:
    async with raw(path) as other, raw(path) as client:
        await other.greet()
        await other.initialize()
        await client.stream.send(NEWER)
        assert (await client.receive())["ok"] is True
    assert not house.stopped.is_set()


async def test_a_newer_bridge_without_a_valid_key_stops_nothing(house: House, path: Path) -> None:
    async with raw(path) as client:
        await client.stream.send(NEWER.replace(b"null", b'"never was"'))
        answer = await client.receive()
    assert (answer["ok"], answer["stopping"]) == (False, False)
    assert not house.stopped.is_set()


async def test_more_clients_than_there_is_room_for_are_refused(path: Path) -> None:
    async with raw(path) as last, anyio.create_task_group() as tasks:
        all_in = anyio.Event()
        inside = 0

        async def stay() -> None:
            nonlocal inside
            async with raw(path) as client:
                await client.greet()
                await client.initialize()
                inside += 1
                if inside == MOST_CONNECTIONS:
                    all_in.set()
                await anyio.sleep_forever()

        for _ in range(MOST_CONNECTIONS):
            tasks.start_soon(stay)
        with anyio.fail_after(5):
            await all_in.wait()
            answer = await last.greet()
        assert answer["ok"] is False
        assert "Too many clients" in answer["error"]
        tasks.cancel_scope.cancel()


async def test_a_server_that_ran_out_of_files_accepts_again_later(path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as made:
        free = os.dup(made.fileno())
        os.close(free)
        resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))
        try:
            made.connect(str(path))
            for _ in range(5):
                await anyio.lowlevel.checkpoint()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        async with await anyio.abc.SocketStream.from_socket(made.dup()) as stream:
            with anyio.fail_after(5):
                assert (await RawClient(stream).greet())["ok"]


async def test_a_second_server_for_a_home_is_refused(house: House, path: Path) -> None:
    with pytest.raises(SocketTakenError):
        await house.sessions().serve(path)


async def test_the_socket_is_gone_when_the_server_is(house: House) -> None:
    async with house.on_socket() as served:
        assert served.exists()
    assert not served.exists()
