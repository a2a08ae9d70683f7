import json
from pathlib import Path

import pytest

from ledger.location import SqliteFile, database_file
from server.cli.entry import run
from server.cli.exits import Exit
from server.cli.home import Home
from server.cli.home_role import at_work
from tests.ledger.homes import furnish
from tests.ledger.test_migrate import at_the_first_release


def test_a_dry_run_names_the_steps_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at_the_first_release(SqliteFile(database_file(tmp_path)))
    before = database_file(tmp_path).read_bytes()
    assert run(["migrate", "--dry-run", "--home", str(tmp_path)]) == Exit.DONE
    told = capsys.readouterr().err
    assert "0002  " in told
    assert "0003  " in told
    assert "Nothing was changed." in told
    assert database_file(tmp_path).read_bytes() == before


def test_tables_of_an_earlier_version_are_brought_up_after_a_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at_the_first_release(SqliteFile(database_file(tmp_path)))
    typed = ["migrate", "--json", "--home", str(tmp_path)]
    assert run(typed) == Exit.DONE
    document = json.loads(capsys.readouterr().out)
    assert [step["revision"] for step in document["steps"]] == [
        "0002",
        "0003",
        "0004",
        "0005",
        "0006",
    ]
    assert Path(document["backup"]).parent == tmp_path / "backups"
    assert run(typed) == Exit.DONE
    assert json.loads(capsys.readouterr().out) == {"steps": [], "done": True, "backup": None}


def test_tables_of_this_version_need_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    furnish(tmp_path)
    assert run(["migrate", "--home", str(tmp_path)]) == Exit.DONE
    assert "there is nothing to do" in capsys.readouterr().err


def test_a_ledger_that_refuses_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database_file(tmp_path).write_bytes(b"a shopping list\n" * 100)
    assert run(["migrate", "--home", str(tmp_path)]) == Exit.FAILED
    assert "The ledger could not be opened" in capsys.readouterr().err


def test_nothing_is_done_below_a_worker_that_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(tmp_path)
    home.prepare()
    with at_work(home):
        assert run(["migrate", "--home", str(tmp_path)]) == Exit.FAILED
    assert "A worker works in this home. End it" in capsys.readouterr().err
    assert not database_file(tmp_path).exists()
