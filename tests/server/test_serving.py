import json
import os
import signal
import subprocess
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import httpx2
import pytest

from server.cli.demo.server_process import command
from server.cli.home import Home
from server.home_lock import HomeTakenError, held
from server.protocol.handshake import VERSION
from server.serving import Started, serve
from server.settings_loading import SettingsError
from server.tcp_listener import NotListeningError

WITHIN_S = 5


@dataclass
class Serving:
    """A server in this process: what it told, and whether it has ended."""

    home: Home
    told: list[Started] = field(default_factory=list[Started])
    up: anyio.Event = field(default_factory=anyio.Event)
    ended: anyio.Event = field(default_factory=anyio.Event)

    def tell(self, started: Started) -> None:
        self.told.append(started)
        self.up.set()

    async def run(self) -> None:
        await serve(self.home, host=None, port=0, tell=self.tell)
        self.ended.set()

    def status(self) -> dict[str, object]:
        return json.loads(self.home.status_file.read_text())


@asynccontextmanager
async def served(root: Path) -> AsyncGenerator[Serving]:
    serving = Serving(Home(root))
    async with anyio.create_task_group() as group:
        group.start_soon(serving.run)
        with anyio.fail_after(WITHIN_S):
            await serving.up.wait()
        yield serving
        if not serving.ended.is_set():
            os.kill(os.getpid(), signal.SIGTERM)
        with anyio.fail_after(WITHIN_S * 2):
            await serving.ended.wait()


def address_of(started: Started) -> str:
    assert started.address is not None
    return started.address


@asynccontextmanager
async def http(serving: Serving) -> AsyncGenerator[httpx2.AsyncClient]:
    (started,) = serving.told
    async with httpx2.AsyncClient(base_url=address_of(started), trust_env=False) as client:
        yield client


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.mark.anyio
async def test_a_first_start_tells_its_address_and_a_code(tmp_path: Path) -> None:
    async with served(tmp_path / "home") as serving, http(serving) as client:
        (started,) = serving.told
        assert started.home == tmp_path / "home"
        assert started.code
        assert (await client.get("/api/v1/health")).status_code == 200


@pytest.mark.anyio
async def test_a_running_server_says_where_it_is_to_its_owner_alone(tmp_path: Path) -> None:
    async with served(tmp_path) as serving:
        assert serving.status() == {
            "version": VERSION,
            "pid": os.getpid(),
            "address": serving.told[0].address,
        }
        assert mode(serving.home.status_file) == 0o600
        assert mode(serving.home.runtime) == 0o700
    assert not serving.home.status_file.exists()
    assert not serving.home.api_socket.exists()
    assert not serving.home.mcp_socket.exists()


@pytest.mark.anyio
async def test_a_second_server_of_the_home_is_refused_and_the_first_goes_on(
    tmp_path: Path,
) -> None:
    async with served(tmp_path) as serving, http(serving) as client:
        with pytest.raises(HomeTakenError):
            await serve(Home(tmp_path), host=None, port=0, tell=serving.tell)
        assert (await client.get("/api/v1/health")).status_code == 200
        assert len(serving.told) == 1


@pytest.mark.anyio
async def test_settings_that_cannot_be_used_leave_the_home_free(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("server = 7", encoding="utf-8")
    with pytest.raises(SettingsError):
        await serve(Home(tmp_path), host=None, port=0, tell=lambda _: None)
    with held(tmp_path):
        pass


@pytest.mark.anyio
async def test_a_port_that_is_taken_leaves_the_home_free(tmp_path: Path) -> None:
    async with served(tmp_path / "one") as serving:
        port = int(address_of(serving.told[0]).rpartition(":")[2])
        with pytest.raises(NotListeningError, match=rf"Port {port} on .* in use.*server\.port"):
            await serve(Home(tmp_path / "two"), host=None, port=port, tell=lambda _: None)
    with held(tmp_path / "two"):
        pass


@pytest.mark.anyio
async def test_an_address_of_the_other_family_is_told_as_one_types_it(tmp_path: Path) -> None:
    told: list[Started] = []
    async with anyio.create_task_group() as group:

        def tell(started: Started) -> None:
            told.append(started)
            os.kill(os.getpid(), signal.SIGINT)

        async def run() -> None:
            await serve(Home(tmp_path), host="::1", port=0, tell=tell)

        group.start_soon(run)
    assert address_of(told[0]).startswith("http://[::1]:")


@contextmanager
def child(home: Path) -> Generator[tuple[subprocess.Popen[str], str]]:
    """The installed command in a process of its own, and the address that it told."""
    with subprocess.Popen(
        [command(), "serve", "--home", str(home), "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process, told_address(process)
        finally:
            process.kill()


def told_address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        with suppress(json.JSONDecodeError):
            return json.loads(said)["address"]
    raise AssertionError(said)


@pytest.mark.proof
def test_sigterm_ends_a_server_in_good_order(tmp_path: Path) -> None:
    with child(tmp_path) as (process, address):
        assert address.startswith("http://127.0.0.1:")
        assert (tmp_path / "server.json").exists()
        process.terminate()
        _, log = process.communicate(timeout=WITHIN_S * 2)
        assert process.returncode == 0, log
        assert "Traceback" not in log
    assert not (tmp_path / "server.json").exists()
    with held(tmp_path):
        pass


@pytest.mark.proof
def test_a_server_that_was_killed_leaves_a_home_that_can_be_served_again(tmp_path: Path) -> None:
    with child(tmp_path) as (process, _):
        process.kill()
        process.wait()
    assert (tmp_path / "server.json").exists()
    with child(tmp_path) as (_, address):
        assert json.loads((tmp_path / "server.json").read_text())["address"] == address
