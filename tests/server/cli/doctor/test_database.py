import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ledger.location import SqliteFile, database_file
from ledger.migrate import migrate
from server.cli.doctor.finding import Severity
from server.cli.home import Home
from tests.server.cli.doctor.patient import found, prepared, severity
from tests.server.cli.rig import Rig


def migrated(root: Path) -> Home:
    home = prepared(root)
    migrate(SqliteFile(database_file(root)))
    return home


def at_revision(home: Home, revision: str | None) -> None:
    with closing(sqlite3.connect(database_file(home.root))) as conn, conn:
        conn.execute("DELETE FROM alembic_version")
        if revision is not None:
            conn.execute("INSERT INTO alembic_version VALUES (?)", (revision,))


def test_no_database_yet_is_a_notice(tmp_path: Path) -> None:
    assert severity(prepared(tmp_path), "database") is Severity.NOTICE


def test_a_migrated_database_is_well_and_says_that_nobody_owns_it(tmp_path: Path) -> None:
    findings = found(migrated(tmp_path))
    assert findings["database"].severity is Severity.OK
    assert findings["database.migrations"].severity is Severity.OK
    assert findings["owner"].severity is Severity.NOTICE


def test_a_home_with_an_owner_is_well_beside_its_server(rig: Rig) -> None:
    findings = found(rig.home)
    assert findings["database.migrations"].severity is Severity.OK
    assert "owner" not in findings


def test_earlier_tables_are_a_notice_and_later_ones_an_error(tmp_path: Path) -> None:
    home = migrated(tmp_path)
    at_revision(home, None)
    assert severity(home, "database.migrations") is Severity.NOTICE
    at_revision(home, "ffff")
    assert severity(home, "database.migrations") is Severity.ERROR


def test_what_is_no_database_is_an_error(tmp_path: Path) -> None:
    home = prepared(tmp_path)
    database_file(tmp_path).write_text("x" * 200)
    assert severity(home, "database") is Severity.ERROR


def test_a_broken_database_is_an_error_and_the_rest_is_looked_at(tmp_path: Path) -> None:
    home = migrated(tmp_path)
    with database_file(tmp_path).open("r+b") as file:
        file.truncate(2048)
    findings = found(home)
    assert findings["database"].severity is Severity.ERROR
    assert findings["home.private"].severity is Severity.OK


def test_a_server_that_is_away_is_to_be_started_and_no_backup_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MATINEE_DATABASE_URL", nobody_there())
    finding = found(prepared(tmp_path))["database"]
    assert finding.severity is Severity.ERROR
    assert finding.fix == "Start the database server, or look at database.url."


def nobody_there() -> str:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        return f"postgresql://127.0.0.1:{closed.getsockname()[1]}/matinee"
