import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp import Client

from server.protocol.unix_address import LONGEST
from tests.server.cli.command import ROOT, installed
from tests.server.cli.house_server import BROKEN, OLD_VERSION, STARTS
from tests.server.protocol.clients import INITIALIZE, bridge, environment
from tests.server.protocol.house import SECRET, House, built_house

pytestmark = pytest.mark.anyio
HELLO = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": INITIALIZE})
INITIALIZED = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
CALL = json.dumps(
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "library__wait"}}
)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    async with built_house(tmp_path) as built, built.on_socket():
        yield built


async def started(root: Path, secret: str | None = SECRET, *arguments: str) -> Process:
    return await anyio.open_process(
        [str(installed(root)), "mcp", *arguments], env=environment(root, secret), cwd=root
    )


async def said(process: Process, *lines: str) -> None:
    assert process.stdin is not None
    await process.stdin.send("".join(f"{line}\n" for line in lines).encode())


async def heard(process: Process) -> bytes:
    assert process.stdout is not None
    return await BufferedByteReceiveStream(process.stdout).receive_until(b"\n", 1_000_000)


async def rest(process: Process) -> tuple[int, bytes, bytes]:
    """How it ended, and what it wrote since it was last heard."""
    assert process.stdout is not None
    assert process.stderr is not None
    with anyio.fail_after(5):
        out = b"".join([chunk async for chunk in process.stdout])
        error = b"".join([chunk async for chunk in process.stderr])
        return await process.wait(), out, error


async def test_it_imports_the_standard_library_only() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); before = set(sys.modules)\n"
        "import server.cli.bridge\n"
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before})"
    )
    ran = await anyio.run_process([sys.executable, "-I", "-S", "-c", code])
    imported = set(ran.stdout.decode().split())
    assert imported - sys.stdlib_module_names == {"server"}
    assert not imported & {"asyncio", "dataclasses", "inspect", "shutil", "subprocess", "tempfile"}


async def test_nothing_but_messages_is_written_to_its_output(house: House) -> None:
    house.stage.may_finish.set()
    process = await started(house.home.root)
    async with process:
        await said(process, HELLO, INITIALIZED, "garbage", CALL)
        assert process.stdin is not None
        await process.stdin.aclose()
        status, out, error = await rest(process)
    answers = [json.loads(line) for line in out.splitlines()]
    assert {answer["id"] for answer in answers} == {0, 1}
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert (status, error) == (0, b"")


async def test_the_last_answer_is_delivered_after_the_clients_last_word(house: House) -> None:
    process = await started(house.home.root)
    async with process:
        await said(process, HELLO, INITIALIZED, CALL)
        assert process.stdin is not None
        await process.stdin.aclose()
        with anyio.fail_after(5):
            await house.stage.entered.wait()
        house.stage.may_finish.set()
        status, out, _ = await rest(process)
    assert [json.loads(line)["id"] for line in out.splitlines()] == [0, 1]
    assert status == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_a_signal_ends_it_at_once(house: House, number: signal.Signals) -> None:
    process = await started(house.home.root)
    async with process:
        await said(process, HELLO, INITIALIZED, CALL)
        await heard(process)
        with anyio.fail_after(5):
            await house.stage.entered.wait()
        with anyio.fail_after(1):
            process.send_signal(number)
            assert await process.wait() == 0
        _, _, error = await rest(process)
    assert error == b""
    with anyio.fail_after(5):
        await house.stage.finished.wait()


async def test_a_client_that_reads_no_more_ends_it(house: House) -> None:
    ours, theirs = os.pipe()
    process = await anyio.open_process(
        [str(installed(house.home.root)), "mcp"], env=environment(house.home.root), stdout=theirs
    )
    os.close(theirs)
    async with process:
        await said(process, HELLO)
        assert await anyio.to_thread.run_sync(os.read, ours, 10)
        os.close(ours)
        with anyio.fail_after(1):
            assert await process.wait() == 0


async def test_the_end_of_the_server_is_told(tmp_path: Path) -> None:
    async with built_house(tmp_path) as house:
        async with house.on_socket():
            process = await started(tmp_path)
            await said(process, HELLO)
            await heard(process)
        async with process:
            status, out, error = await rest(process)
    assert (status, out) == (1, b"")
    assert b"server ended" in error


async def test_a_refused_key_is_told_on_the_error_stream(house: House) -> None:
    async with await started(house.home.root, "no such key") as process:
        status, out, error = await rest(process)
    assert (status, out) == (1, b"")
    assert b"MATINEE_KEY" in error
    assert b"no such key" not in error


@pytest.mark.parametrize("arguments", [["--home"], ["--verbose"], ["a", "b", "c"]])
async def test_wrong_arguments_are_answered_with_the_usage(
    tmp_path: Path, arguments: list[str]
) -> None:
    async with await started(tmp_path, None, *arguments) as process:
        status, out, error = await rest(process)
    assert (status, out) == (2, b"")
    assert b"usage: matinee mcp" in error


@pytest.mark.parametrize("joined", [True, False])
async def test_the_home_can_be_given_as_an_option(
    house: House, tmp_path: Path, *, joined: bool
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    root = str(house.home.root)
    options = [f"--home={root}"] if joined else ["--home", root]
    async with await started(elsewhere, SECRET, *options) as process:
        await said(process, HELLO)
        assert b"matinee" in await heard(process)
        process.terminate()


async def test_a_home_deeper_than_a_socket_address_is_served(tmp_path: Path) -> None:
    root = tmp_path / ("x" * LONGEST)
    root.mkdir()
    async with (
        built_house(root) as house,
        house.on_socket(),
        Client(bridge(root, SECRET)) as client,
    ):
        assert (await client.call_tool("library__whoami")).structured_content


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


def gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


async def test_two_clients_without_a_server_start_one_and_share_it(tmp_path: Path) -> None:
    with servers_of(tmp_path):
        one, two = await started(tmp_path, None), await started(tmp_path, None)
        async with one, two:
            with anyio.fail_after(20):
                for process in (one, two):
                    await said(process, HELLO)
                    assert b"matinee" in await heard(process)
            one.send_signal(signal.SIGINT)
            two.send_signal(signal.SIGINT)
            await one.wait()
            await two.wait()
        ((pid, _, key),) = starts(tmp_path)
        assert not gone(pid)
        assert key == "None"
        assert os.getsid(pid) == pid
        async with await started(tmp_path, None) as three:
            await said(three, HELLO)
            assert b"matinee" in await heard(three)
            three.terminate()
        assert len(starts(tmp_path)) == 1


async def test_an_idle_server_of_an_older_version_is_replaced(tmp_path: Path) -> None:
    with servers_of(tmp_path):
        old = await anyio.open_process(
            [str(installed(tmp_path)), "serve", "--home", str(tmp_path), "--old"],
            env=environment(tmp_path),
        )
        async with old:
            with anyio.fail_after(20):
                while not (tmp_path / "run" / "mcp.sock").exists():
                    await anyio.lowlevel.checkpoint()
                async with await started(tmp_path, None) as process:
                    await said(process, HELLO)
                    assert b"matinee" in await heard(process)
                    process.terminate()
                assert await old.wait() == 0
        (_, first, _), (_, second, _) = starts(tmp_path)
        assert first == OLD_VERSION
        assert second != OLD_VERSION


async def test_a_server_that_cannot_start_is_told(tmp_path: Path) -> None:
    (tmp_path / BROKEN).touch()
    async with await started(tmp_path, None) as process:
        with anyio.fail_after(20):
            assert await process.wait() == 1
        _, out, error = await rest(process)
    assert out == b""
    assert b"ended at once" in error


async def test_a_folder_of_modules_with_our_names_changes_nothing(tmp_path: Path) -> None:
    decoy = tmp_path / "project"
    for package in ("server", "server/cli", "server/protocol"):
        (decoy / package).mkdir(parents=True)
        (decoy / package / "__init__.py").write_text("raise SystemExit('decoy')")
    (decoy / "matinee").write_text("#!/bin/sh\nexit 3\n")
    (decoy / "matinee").chmod(0o755)
    command = installed(tmp_path)
    with servers_of(tmp_path):
        process = await anyio.open_process(
            [str(command), "mcp"], env=environment(tmp_path), cwd=decoy
        )
        async with process:
            with anyio.fail_after(20):
                await said(process, HELLO)
                assert b"matinee" in await heard(process)
            process.terminate()
        assert len(starts(tmp_path)) == 1


def test_it_starts_in_a_moment(tmp_path: Path) -> None:
    command = [str(installed(tmp_path)), "mcp", "--wrong"]
    began = time.monotonic()
    ran = subprocess.run(command, check=False, capture_output=True)  # noqa: S603
    assert ran.returncode == 2
    assert time.monotonic() - began < 1
