import stat
import sys
from pathlib import Path

import pytest

from server.cli.home import Home, resolved


def test_the_option_comes_before_the_variable(tmp_path: Path) -> None:
    environment = {"MATINEE_HOME": str(tmp_path / "variable")}
    assert resolved(str(tmp_path / "option"), environment).root == tmp_path / "option"
    assert resolved(None, environment).root == tmp_path / "variable"


def test_a_relative_home_is_made_absolute_where_it_was_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert resolved("films", {}).root == tmp_path / "films"


def test_a_home_below_the_users_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert resolved("~/films", {}).root == tmp_path / "films"


@pytest.mark.parametrize(
    ("system", "data", "expected"),
    [
        ("linux", None, "user/.local/share/matinee"),
        ("linux", "", "user/.local/share/matinee"),
        ("linux", "relative", "user/.local/share/matinee"),
        ("linux", "{root}/data", "data/matinee"),
        ("darwin", "{root}/data", "user/Library/Application Support/Matinee"),
    ],
)
def test_without_a_wish_the_platform_says_where(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    system: str,
    data: str | None,
    expected: str,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setattr(sys, "platform", system)
    environment = {"MATINEE_HOME": ""}
    if data is not None:
        environment["XDG_DATA_HOME"] = data.format(root=tmp_path)
    assert resolved(None, environment).root == tmp_path / expected


def test_everything_lies_in_the_home(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert home.mcp_socket == tmp_path / "run" / "mcp.sock"
    assert home.api_socket == tmp_path / "run" / "api.sock"
    assert home.status_file == tmp_path / "server.json"


def test_a_home_that_is_made_is_closed_to_others(tmp_path: Path) -> None:
    home = Home(tmp_path / "new" / "home")
    home.prepare()
    home.runtime.chmod(0o755)
    home.prepare()
    for folder in (home.root, home.runtime, home.log_file.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
