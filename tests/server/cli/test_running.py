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


@pytest.mark.proof
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
        port = str(taken.getsockname()[1])
        on_demand = alone("status", "--home", str(home.root), MATINEE_SERVER_PORT=port)
    said = (
        f"Port {port} on 127.0.0.1 cannot be listened on: Address already in use. Choose another "
        "port with server.port in settings.toml (MATINEE_SERVER_PORT) or with --port, or end "
        "whoever holds it."
    )
    doctor = f"`matinee --home {home.root} doctor` looks for the cause.\n"
    assert refused.returncode == Exit.FAILED
    assert refused.stderr == f"{said}\n{doctor}"
    assert on_demand.returncode == Exit.FAILED
    log = home.log_file
    assert on_demand.stderr == (f"Matinee's server did not start. {said}\nIts log: {log}\n{doctor}")
    assert log.read_text().count(said) == 1


def test_a_database_that_does_not_answer_is_told_to_whoever_started_the_server(
    home: Home,
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"postgresql://127.0.0.1:{closed.getsockname()[1]}/matinee"
        away = alone("status", "--home", str(home.root), MATINEE_DATABASE_URL=url, **ANY_PORT)
    assert away.returncode == Exit.UNREACHABLE
    assert away.stderr.startswith("Matinee's server did not start. The ")
    assert f"Its log: {home.log_file}\n" in away.stderr


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
    assert refused.returncode == Exit.NEEDS_YOU
    assert refused.stderr.startswith("Matinee's server did not start. settings.toml is not TOML")
    assert refused.stderr.count("doctor` looks for the cause.") == 1
    assert time.monotonic() - before < 20
    assert home.log_file.read_text().count("settings.toml is not TOML") == 1


@pytest.mark.proof
def test_a_server_that_was_killed_is_started_anew(home: Home) -> None:
    assert typed(home, "-q").returncode == Exit.DONE
    os.kill(json.loads(home.status_file.read_text())["pid"], signal.SIGKILL)
    assert typed(home, "status").returncode == Exit.NEEDS_YOU


def test_who_asks_how_things_stand_is_told_that_a_server_was_started_for_it(home: Home) -> None:
    said = "No server ran here, so one was started; `matinee --home"
    first, again = typed(home, "status"), typed(home, "status")
    assert first.returncode == again.returncode == Exit.NEEDS_YOU
    assert said in first.stderr
    assert said not in again.stderr
