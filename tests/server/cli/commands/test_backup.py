import json
from pathlib import Path

import pytest

from ledger.sealing import SealingKey
from server.cli.entry import run
from server.cli.exits import Exit
from server.home_lock import held
from tests.ledger.homes import furnish


def test_a_home_is_copied_and_put_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    furnish(tmp_path)
    at_home = ["--home", str(tmp_path)]
    target = tmp_path / "mine.backup"
    assert run(["backup", str(target), *at_home]) == Exit.DONE
    told = capsys.readouterr()
    assert told.out.strip() == str(target)
    assert "keep `secret.key` somewhere else" in told.err

    assert run(["restore", str(target), *at_home]) == Exit.DONE
    told = capsys.readouterr()
    assert "The home is as it was on" in told.err
    assert f"lies at {tmp_path / 'backups' / 'replaced-'}" in told.err


def test_without_a_name_it_goes_into_the_home(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    furnish(tmp_path)
    assert run(["backup", "--json", "--with-key", "--home", str(tmp_path)]) == Exit.DONE
    document = json.loads(capsys.readouterr().out)
    assert Path(document["path"]).parent == tmp_path / "backups"
    assert document["bytes"] == Path(document["path"]).stat().st_size
    assert document["with_key"] is False  # this home has none yet


def test_a_key_that_is_not_in_the_home_is_never_left_out_silently(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    furnish(tmp_path)
    asked = ["backup", str(tmp_path / "b"), "--with-key", "--home", str(tmp_path)]
    monkeypatch.setenv("MATINEE_SECRET_KEY", SealingKey.fresh().text)
    assert run(asked) == Exit.FAILED
    assert "is in the environment (MATINEE_SECRET_KEY)" in capsys.readouterr().err
    monkeypatch.delenv("MATINEE_SECRET_KEY")
    monkeypatch.setenv("MATINEE_SECRETS_KEYRING", "true")
    assert run(asked) == Exit.FAILED
    assert "is in the system's keyring" in capsys.readouterr().err
    assert not (tmp_path / "b").exists()


def test_a_document_stays_one_when_the_ledger_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is logged meanwhile goes elsewhere."""
    furnish(tmp_path).write_bytes(b"a shopping list" * 100)
    assert run(["migrate", "--json", "--home", str(tmp_path)]) == Exit.FAILED
    told = capsys.readouterr()
    document = json.loads(told.out)
    assert "not a database" in document["error"]["sentence"]
    assert "restore" in document["error"]["hint"]
    assert "could not be opened" in told.err


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    furnish(tmp_path)
    target = tmp_path / "mine.backup"
    target.write_text("precious")
    assert run(["backup", str(target), "--home", str(tmp_path)]) == Exit.FAILED
    assert "is there already" in capsys.readouterr().err
    assert target.read_text() == "precious"


def test_a_home_without_a_ledger_has_nothing_to_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["backup", "--home", str(tmp_path)]) == Exit.FAILED
    assert "nothing to copy" in capsys.readouterr().err


def test_a_disk_that_refuses_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    furnish(tmp_path)
    (tmp_path / "backups").touch()
    assert run(["backup", "--home", str(tmp_path)]) == Exit.FAILED
    assert "The disk refused" in capsys.readouterr().err


def test_settings_that_cannot_be_used_end_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "settings.toml").write_text("nonsense")
    assert run(["backup", "--home", str(tmp_path)]) == Exit.NEEDS_YOU
    assert "settings.toml is not TOML" in capsys.readouterr().err


def test_a_home_in_which_a_server_works_is_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    furnish(tmp_path)
    target = tmp_path / "mine.backup"
    assert run(["backup", str(target), "--home", str(tmp_path)]) == Exit.DONE
    with held(tmp_path):
        assert run(["restore", str(target), "--home", str(tmp_path)]) == Exit.FAILED
    assert f"Stop it with `matinee --home {tmp_path} stop`" in capsys.readouterr().err


def test_what_is_no_backup_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    furnish(tmp_path)
    (tmp_path / "list").write_text("a shopping list")
    assert run(["restore", str(tmp_path / "list"), "--home", str(tmp_path)]) == Exit.FAILED
    assert "no whole archive" in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    furnish(tmp_path)
    target = tmp_path / "typo" / "mine.backup"
    assert run(["backup", str(target), "--home", str(tmp_path)]) == Exit.FAILED
    assert "its folder is not there" in capsys.readouterr().err
    assert not target.parent.exists()


def test_a_backup_that_fails_leaves_no_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    furnish(tmp_path).write_bytes(b"a shopping list" * 100)
    assert run(["backup", "--home", str(tmp_path)]) == Exit.FAILED
    assert "not a database" in capsys.readouterr().err
    assert not (tmp_path / "backups").exists()
