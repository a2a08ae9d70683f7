"""Real servers: started, found, asked, and stopped by the commands."""

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from server.cli.exits import Exit
from server.cli.home import Home
from server.home_lock import held
from server.protocol.handshake import VERSION
from tests.server.cli.rig import environment
from tests.server.cli.typist import MATINEE, ROOT, alone

ANY_PORT = {"MATINEE_SERVER_PORT": "0"}


@pytest.fixture
def home(tmp_path: Path) -> Generator[Home]:
    """A home that does not exist yet; whatever runs in it at the end is stopped."""
    made = Home(tmp_path / "home")
    yield made
    alone("stop", "--home", str(made.root))


def typed(home: Home, *arguments: str) -> subprocess.CompletedProcess[str]:
    return alone(*arguments, "--home", str(home.root), **ANY_PORT)


def test_a_server_is_started_found_again_and_stopped(home: Home) -> None:
    first = typed(home)
    assert first.returncode == Exit.DONE, first.stderr
    assert first.stdout.startswith("http://127.0.0.1:")
    assert f"Matinee works in {home.root}\nOne-time code: " in first.stderr
    assert home.root.stat().st_mode & 0o777 == 0o700

    again = json.loads(typed(home, "--json").stdout)
    assert again["address"] == first.stdout.strip()
    assert again["code"] in first.stderr
    assert (again["version"], again["owner_exists"]) == (VERSION, False)

    second = typed(home, "serve")
    assert second.returncode == Exit.FAILED
    assert second.stderr == (
        "Another server works in this home. Use it, or end it with "
        f"`matinee --home {home.root} stop`.\n"
    )
    assert json.loads(typed(home, "stop", "--json").stdout) == {"stopped": True}
    with held(home.root):
        pass
    assert not list(home.runtime.glob("one-time-code*"))
    assert typed(home, "stop").stderr == "No server runs for this home.\n"


@pytest.mark.proof
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_in_the_foreground_ends_in_order(home: Home, number: signal.Signals) -> None:
    process = subprocess.Popen(
        [*MATINEE, "serve", "--port", "0", "--json", "--home", str(home.root)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        cwd=ROOT,
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        begun = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")
        assert set(begun) == {"address", "home", "code"}
        process.send_signal(number)
        assert process.wait(10) == Exit.DONE
        assert process.stdout.read() == ""
        assert process.stderr.read().endswith("Stopped.\n")
    assert not home.api_socket.exists()
    assert not home.status_file.exists()


@pytest.mark.proof
def test_a_taken_port_is_named_as_the_cause(home: Home) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        refused = typed(home, "serve", "--port", str(taken.getsockname()[1]))
    assert refused.returncode == Exit.FAILED
    assert "Address already in use" in refused.stderr
    assert "--port" in refused.stderr


def test_settings_that_cannot_be_used_need_the_owner(home: Home) -> None:
    home.prepare()
    (home.root / "settings.toml").write_text("[agent]\nmax_tool_calls = 0\n")
    refused = typed(home, "serve", "--json")
    assert refused.returncode == Exit.NEEDS_YOU
    assert "agent.max_tool_calls" in refused.stderr
    assert json.loads(refused.stdout)["error"]["code"] == "precondition"


def test_a_server_that_cannot_start_is_not_waited_for(home: Home) -> None:
    home.prepare()
    (home.root / "settings.toml").write_text("nonsense")
    before = time.monotonic()
    refused = typed(home, "status")
    assert refused.returncode == Exit.FAILED
    assert "ended at once" in refused.stderr
    assert f"`matinee --home {home.root} doctor` looks for why." in refused.stderr
    assert time.monotonic() - before < 20
    assert "settings.toml is not TOML" in home.log_file.read_text()


@pytest.mark.proof
def test_a_server_that_was_killed_is_started_anew(home: Home) -> None:
    assert typed(home, "-q").returncode == Exit.DONE
    os.kill(json.loads(home.status_file.read_text())["pid"], signal.SIGKILL)
    assert typed(home, "status").returncode == Exit.NEEDS_YOU
