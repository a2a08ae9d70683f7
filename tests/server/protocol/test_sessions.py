import os
import resource
import socket
from pathlib import Path

import anyio
import pytest

from server.protocol import handshake
from server.protocol.sessions import MOST_CONNECTIONS
from server.protocol.unix_listener import SocketTakenError
from tests.server.protocol.clients import RawClient, raw
from tests.server.protocol.house import House

pytestmark = pytest.mark.anyio
NEWER = b'{"matinee": "99.0.0", "key": null}\n'


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
        told = await client.ask(1, "tools/call", {"name": "library__whoami"})
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


async def test_a_ledger_that_cannot_be_read_is_told_to_the_bridge(house: House, path: Path) -> None:
    await house.lose_the_keys()
    async with raw(path) as client:
        answer = await client.greet()
    assert answer["ok"] is False
    assert "could not be read" in answer["error"]
