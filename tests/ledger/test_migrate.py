import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from ledger.database import writing_engine
from ledger.faults import LedgerUnavailableError
from ledger.migrate import migrate
from ledger.tables.declared import FAMILIES, declared
from tests.ledger.neighbours import WRITE_LOCK, held_by_another_process


def tables_of(path: Path) -> dict[str, str]:
    """The statements behind every table and index, however they were broken into lines."""
    with closing(sqlite3.connect(path)) as file:
        rows = file.execute("SELECT name, sql FROM sqlite_master").fetchall()
    return {name: " ".join((sql or "").split()) for name, sql in rows}


def test_migrations_from_zero_give_exactly_the_declared_tables(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    migrate(path)
    engine = writing_engine(path)
    with engine.begin() as conn:
        context = MigrationContext.configure(conn, opts={"compare_server_default": True})
        assert compare_metadata(context, declared()) == []
        found = set(sa.inspect(conn).get_table_names())
    engine.dispose()
    assert found == {*declared().tables, "alembic_version"}
    assert len(FAMILIES) == 5


def test_constraints_and_indexes_are_those_declared(tmp_path: Path) -> None:
    migrate(tmp_path / "migrated")
    created = writing_engine(tmp_path / "created")
    with created.begin() as conn:
        declared().create_all(conn)
    created.dispose()
    found, wanted = tables_of(tmp_path / "migrated"), tables_of(tmp_path / "created")
    assert {name: found[name] for name in wanted} == wanted


def test_event_and_audit_numbers_are_never_given_twice(tmp_path: Path) -> None:
    migrate(tmp_path / "ledger")
    statements = tables_of(tmp_path / "ledger")
    for table in ("event", "audit"):
        assert "AUTOINCREMENT" in statements[table]


def test_migrating_twice_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    migrate(path)
    before, bytes_before = tables_of(path), path.read_bytes()
    migrate(path)
    assert tables_of(path) == before
    assert path.read_bytes() == bytes_before


def test_tables_of_others_in_the_same_file_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE workflow_status (workflow_uuid TEXT PRIMARY KEY)")
        file.execute("INSERT INTO workflow_status VALUES ('theirs')")
        file.commit()
    before = tables_of(path)
    migrate(path)
    migrate(path)
    assert {name: sql for name, sql in tables_of(path).items() if name in before} == before
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT * FROM workflow_status").fetchall() == [("theirs",)]


def test_a_migration_that_fails_midway_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE work (in_the_way TEXT)")
        file.commit()
    before = tables_of(path)
    with pytest.raises(LedgerUnavailableError, match="already exists"):
        migrate(path)
    assert tables_of(path) == before


def test_a_ledger_of_a_newer_version_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    migrate(path)
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")
        file.commit()
    before = path.read_bytes()
    with pytest.raises(LedgerUnavailableError, match="newer version"):
        migrate(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_ledger_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(b"a shopping list\n" * 100)
    with pytest.raises(LedgerUnavailableError, match="not a database"):
        migrate(path)
    assert path.read_bytes() == b"a shopping list\n" * 100


def test_a_locked_ledger_is_refused_in_bounded_time(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    with (
        held_by_another_process(path, "PRAGMA journal_mode=WAL", *WRITE_LOCK),
        pytest.raises(LedgerUnavailableError, match="locked"),
    ):
        migrate(path, 100)
    migrate(path)
    assert "invocation" in tables_of(path)
