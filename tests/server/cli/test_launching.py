import stat
import sys
import threading
from pathlib import Path

import pytest

from server.cli.home import Home
from server.cli.home_role import remember
from server.cli.launching import Launch, launched
from server.cli.refused_start import RefusedStart
from server.role import Role

TELLS = '#!/bin/sh\necho "$0 $* key=$MATINEE_KEY pwd=$PWD"\n'
PATIENCE_S = 5


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.prepare()
    return made


def command_in(folder: Path, name: str = "matinee") -> Path:
    folder.mkdir()
    command = folder / name
    command.write_text(TELLS)
    command.chmod(0o755)
    return command


def ending_of(launch: Launch) -> RefusedStart:
    pause = threading.Event()
    for _ in range(PATIENCE_S * 100):
        if ended := launch.ended():
            return ended
        pause.wait(0.01)
    raise TimeoutError


def log_after(home: Home, launch: Launch) -> str:
    ending_of(launch)
    return home.log_file.read_text()


def test_the_command_that_was_typed_is_started_with_its_output_in_the_log(
    tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = command_in(tmp_path / "typed")
    monkeypatch.setattr(sys, "argv", [str(typed), "mcp"])
    monkeypatch.setenv("MATINEE_KEY", "a secret")
    log = log_after(home, launched(home))
    assert log == f"{typed} serve --home {home.root} key= pwd={home.root}\n"
    assert stat.S_IMODE(home.log_file.stat().st_mode) == 0o600


def test_a_second_start_adds_to_the_log(
    tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [str(command_in(tmp_path / "typed")), "mcp"])
    log_after(home, launched(home))
    assert log_after(home, launched(home)).count("serve") == 2


def test_how_it_ended_is_what_this_start_said_last(
    tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = command_in(tmp_path / "typed")
    monkeypatch.setattr(sys, "argv", [str(command), "mcp"])
    command.write_text("#!/bin/sh\necho first\nprintf 'It \\033[1mbroke\\n\\n'\nexit 3\n")
    assert ending_of(launched(home)) == RefusedStart(3, "It [1mbroke")
    command.write_text("#!/bin/sh\nkill -9 $$\n")
    assert ending_of(launched(home)) == RefusedStart(1, "It ended without a word.")


@pytest.mark.parametrize("typed", ["matinee", "tool/other", "tool/absent/matinee"])
def test_otherwise_it_is_the_command_beside_the_interpreter(
    tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    command_in(tmp_path / "tool", "other")
    (tmp_path / "matinee").write_text("#!/bin/sh\necho decoy\n")
    (tmp_path / "matinee").chmod(0o755)
    beside = command_in(tmp_path / "bin")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [typed])
    monkeypatch.setattr(sys, "executable", str(beside.with_name("python")))
    assert log_after(home, launched(home)).startswith(f"{beside} serve")


def test_at_last_it_is_the_command_on_the_path(
    tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = command_in(tmp_path / "found")
    monkeypatch.setattr(sys, "argv", ["pytest"])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(found.parent))
    assert log_after(home, launched(home)).startswith(f"{found} serve")


def test_without_any_command_it_says_so(
    tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["pytest"])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="not installed"):
        launched(home)


def test_it_does_what_the_last_process_of_the_home_did(
    tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [str(command_in(tmp_path / "typed")), "mcp"])
    remember(home, Role.API)
    assert f"serve --home {home.root} --role api key=" in log_after(home, launched(home))
