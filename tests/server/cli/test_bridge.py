import json
import os
import signal
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
import pytest
from mcp import Client

from server.protocol.unix_address import LONGEST
from tests.server.cli.bridge_process import heard, rest, said, started
from tests.server.cli.command import ROOT, installed
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
    process = await started(house.home.root, SECRET)
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
    process = await started(house.home.root, SECRET)
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
    process = await started(house.home.root, SECRET)
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
            process = await started(tmp_path, SECRET)
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
