from pathlib import Path

import pytest

from server.cli.entry import run
from server.cli.exits import Exit
from server.cli.home import Home
from server.cli.home_role import at_work


def test_where_nothing_runs_nothing_is_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["stop", "--home", str(tmp_path)]) == Exit.DONE
    assert capsys.readouterr().err == "No server runs for this home.\n"


def test_a_worker_is_not_said_to_be_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(tmp_path)
    home.prepare()
    with at_work(home):
        assert run(["stop", "--home", str(tmp_path)]) == Exit.FAILED
    assert "A worker works in this home and takes no commands." in capsys.readouterr().err
