import sys
from pathlib import Path

import anyio
import pytest

from world.local_program import (
    LocalProgram,
    NotStartedError,
    ProgramMissingError,
    free_port,
    installed,
    listening,
)

LISTENER = """
import os, socket, sys, time
time.sleep(0.1)
print(os.environ["HOME"], flush=True)
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    server.accept()[0].close()
"""


def command(port: int, program: str = LISTENER) -> list[str]:
    return [sys.executable, "-c", program, str(port)]


@pytest.mark.anyio
async def test_it_listens_when_the_block_begins_and_is_gone_when_it_ends(tmp_path: Path) -> None:
    port = free_port()
    async with (
        listening(command(port), tmp_path, port) as process,
        await anyio.connect_tcp("127.0.0.1", port),
    ):
        assert process.returncode is None

    assert process.returncode == -15
    with pytest.raises(OSError, match="connect"):
        await anyio.connect_tcp("127.0.0.1", port)


@pytest.mark.anyio
async def test_its_home_is_the_folder_and_its_words_are_kept_there(tmp_path: Path) -> None:
    port = free_port()
    for _ in range(2):
        async with listening(command(port), tmp_path, port):
            pass

    assert (tmp_path / "log").read_text() == f"{tmp_path}\n" * 2


@pytest.mark.anyio
async def test_one_that_ends_at_its_start_is_said_to(tmp_path: Path) -> None:
    port = free_port()
    with pytest.raises(NotStartedError, match=r"did not start \(it ended with 3"):
        async with listening(command(port, "raise SystemExit(3)"), tmp_path, port):
            pass


@pytest.mark.anyio
async def test_one_that_is_killed_has_no_time_for_anything(tmp_path: Path) -> None:
    port = free_port()
    async with listening(command(port), tmp_path, port) as process:
        program = LocalProgram("http://127.0.0.1", "owner", "a pass", process)
        await program.kill()

        assert process.returncode == -9
        assert "a pass" not in repr(program)


def test_what_is_not_installed_is_named_with_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ProgramMissingError, match=r"toold is not .* apt install the-tool\)"):
        installed("toold", "the-tool")
