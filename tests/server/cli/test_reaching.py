import json
import os
import signal
import socket
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from anyio.abc import Process

from server.cli.home import Home
from server.cli.home_role import at_work
from server.protocol.handshake import VERSION
from tests.server.cli.bridge_process import heard, rest, said, started
from tests.server.cli.command import installed
from tests.server.cli.scripted_server import BROKEN, OLD_VERSION, STARTS
from tests.server.protocol.clients import INITIALIZE, environment

pytestmark = pytest.mark.anyio
HELLO = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": INITIALIZE})
INITIALIZED = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
CALL = json.dumps(
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "library__wait"}}
)


def starts(root: Path) -> list[tuple[int, str, str]]:
    """Process, version and key variable of every server that was started for ``root``."""
    file = root / STARTS
    lines = file.read_text().splitlines() if file.exists() else []
    return [(int(pid), version, key) for pid, version, key in (line.split() for line in lines)]


@contextmanager
def servers_of(root: Path) -> Generator[None]:
    """End what was started for ``root``."""
    try:
        yield
    finally:
        for pid, _, _ in starts(root):
            try:
                os.kill(pid, signal.SIGTERM)
            except ProcessLookupError:
                continue


async def echoed(process: Process) -> None:
    with anyio.fail_after(10):
        await said(process, "hello")
        assert await heard(process) == b"hello"


async def test_two_clients_without_a_server_start_one_and_share_it(tmp_path: Path) -> None:
    with servers_of(tmp_path):
        one, two = await started(tmp_path), await started(tmp_path)
        async with one, two:
            await echoed(one)
            await echoed(two)
            one.send_signal(signal.SIGINT)
            two.send_signal(signal.SIGINT)
            await one.wait()
            await two.wait()
        async with await started(tmp_path) as three:
            await echoed(three)
            three.terminate()
        ((pid, _, key),) = starts(tmp_path)
        assert os.getsid(pid) == pid
        assert key == "None"


async def test_an_idle_server_of_an_older_version_is_replaced(tmp_path: Path) -> None:
    with servers_of(tmp_path):
        command = [str(installed(tmp_path)), "serve", "--home", str(tmp_path), "--old"]
        async with await anyio.open_process(command, env=environment(tmp_path)) as old:
            with anyio.fail_after(10):
                while not await anyio.Path(tmp_path / "run" / "mcp.sock").exists():
                    await anyio.lowlevel.checkpoint()
            async with await started(tmp_path) as process:
                await echoed(process)
                process.terminate()
            assert await old.wait() == 0
        assert [version for _, version, _ in starts(tmp_path)] == [OLD_VERSION, VERSION]


async def test_a_server_that_cannot_start_is_told(tmp_path: Path) -> None:
    (tmp_path / BROKEN).touch()
    async with await started(tmp_path) as process:
        status, out, error = await rest(process)
    assert (status, out) == (1, b"")
    log = tmp_path / "logs" / "server.log"
    assert error.decode() == (
        "Matinee's server did not start. NoWayError: it is broken.\n"
        f"Its log: {log}\n`matinee doctor` looks for the cause.\n"
    )
    assert log.read_text().count("NoWayError") == 1


async def test_a_folder_of_things_with_our_names_changes_nothing(tmp_path: Path) -> None:
    decoy = tmp_path / "project"
    for package in ("server", "server/cli", "server/protocol"):
        (decoy / package).mkdir(parents=True)
        (decoy / package / "__init__.py").write_text("raise SystemExit('decoy')")
    (decoy / "matinee").write_text("#!/bin/sh\nexit 3\n")
    (decoy / "matinee").chmod(0o755)
    command = [str(installed(tmp_path)), "mcp"]
    with servers_of(tmp_path):
        surroundings = environment(tmp_path)
        async with await anyio.open_process(command, env=surroundings, cwd=decoy) as process:
            await echoed(process)
            process.terminate()
        assert len(starts(tmp_path)) == 1


async def test_something_else_on_the_socket_is_told(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
        other.bind(str(tmp_path / "run" / "mcp.sock"))
        other.listen()
        async with await started(tmp_path) as process:
            client, _ = await anyio.to_thread.run_sync(other.accept)
            with client:
                client.sendall(b"220 mail.example ESMTP\n")
                status, out, error = await rest(process)
    assert (status, out) == (1, b"")
    assert b"no server of Matinee" in error


async def test_a_home_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    async with await started(tmp_path, None, "--home", str(tmp_path / "file" / "home")) as process:
        status, out, error = await rest(process)
    assert (status, out) == (1, b"")
    assert b"cannot be reached" in error
    named = f"`matinee --home {tmp_path / 'file' / 'home'} doctor`".encode()
    assert named in error
    assert str(tmp_path).encode() not in error.replace(named, b"")


async def test_beside_a_worker_nothing_is_started(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    with at_work(home):
        async with await started(tmp_path) as process:
            status, out, error = await rest(process)
    assert (status, out) == (1, b"")
    assert error.startswith(b"A worker works in this home. It opens no doors")
    assert not starts(tmp_path)
