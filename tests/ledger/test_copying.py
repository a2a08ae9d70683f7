import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ledger.copying import copy_file
from ledger.faults import LedgerUnavailableError
from ledger.location import SqliteFile


def test_a_copy_holds_what_was_committed_and_is_its_owners_alone(
    sqlite: SqliteFile, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(sqlite.path)) as writer:
        writer.execute("CREATE TABLE seen (n INTEGER)")
        writer.execute("INSERT INTO seen VALUES (1)")
        writer.commit()
        writer.execute("INSERT INTO seen VALUES (2)")  # not committed
        copy_file(sqlite.path, tmp_path / "copy")
        writer.rollback()
    with closing(sqlite3.connect(tmp_path / "copy")) as copied:
        assert copied.execute("SELECT n FROM seen").fetchall() == [(1,)]
    assert (tmp_path / "copy").stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.glob("*copy*")] == ["copy"]


def test_what_is_no_ledger_is_not_copied(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("a shopping list")
    with pytest.raises(LedgerUnavailableError, match="could not be copied"):
        copy_file(tmp_path / "list", tmp_path / "copy")
    with pytest.raises(LedgerUnavailableError, match="could not be copied"):
        copy_file(tmp_path / "absent", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_folder_that_is_missing_is_the_callers_to_make(
    sqlite: SqliteFile, tmp_path: Path
) -> None:
    with pytest.raises(FileNotFoundError):
        copy_file(sqlite.path, tmp_path / "missing" / "copy")
