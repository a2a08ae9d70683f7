import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from ledger.database import writing_engine
from ledger.faults import LedgerUnavailableError
from ledger.location import Location, SqliteFile
from ledger.migrate import due, migrate, upgrade
from ledger.tables.declared import FAMILIES, declared
from ledger.tables.effects import audit
from ledger.tables.work_to_do import segment
from tests.ledger.neighbours import WRITE_LOCK, held_by_another_process
from tests.postgres import Server


def tables_of(path: Path) -> dict[str, str]:
    """The statements behind every table and index, however they were broken into lines."""
    with closing(sqlite3.connect(path)) as file:
        rows = file.execute("SELECT name, sql FROM sqlite_master").fetchall()
    return {name: " ".join((sql or "").split()) for name, sql in rows}


def spelled(parts: Sequence[Mapping[str, Any]], *facts: str) -> list[str]:
    return sorted(" ".join(f"{part[fact]!r}" for fact in facts) for part in parts)


def shape(location: Location) -> dict[str, object]:
    """Columns, keys, constraints and indexes of every table, in no order."""
    engine = writing_engine(location)
    with engine.begin() as conn:
        look = sa.inspect(conn)
        found = {
            name: (
                spelled(look.get_columns(name), "name", "type", "nullable"),
                sorted(look.get_pk_constraint(name)["constrained_columns"]),
                spelled(look.get_unique_constraints(name), "column_names"),
                spelled(look.get_indexes(name), "name", "column_names", "unique"),
            )
            for name in look.get_table_names()
        }
    engine.dispose()
    found.pop("alembic_version", None)
    return dict(found)


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Location]:
    """A place without a ledger, on either database."""
    if request.param == "sqlite":
        yield SqliteFile(tmp_path / "ledger")
        return
    server: Server = request.getfixturevalue("postgres")
    made = server.create(template=None)
    yield made
    server.drop(made)


def at_the_first_release(location: Location) -> None:
    """A ledger as the first release left it, with a row in every table that later changed."""
    engine = writing_engine(location)
    with engine.begin() as conn:
        upgrade(conn, to="0001")
        conn.execute(
            sa.text(
                "INSERT INTO segment (kind, subject, n, epoch, tries, state)"
                " VALUES ('run', 'run_1', 3, 2, 0, 'waiting')"
            )
        )
        conn.execute(
            sa.text(
                "INSERT INTO audit (at, actor, action, summary)"
                " VALUES ('2026-01-01 00:00:00', 'owner:ann', 'settled', '{}')"
            )
        )
    engine.dispose()


def test_migrations_from_zero_give_exactly_the_declared_tables(empty: Location) -> None:
    migrate(empty)
    engine = writing_engine(empty)
    with engine.begin() as conn:
        context = MigrationContext.configure(conn, opts={"compare_server_default": True})
        assert compare_metadata(context, declared()) == []
        found = set(sa.inspect(conn).get_table_names())
    engine.dispose()
    assert found == {*declared().tables, "alembic_version"}
    assert len(FAMILIES) == 8


def test_constraints_and_indexes_are_those_declared(empty: Location) -> None:
    migrate(empty)
    migrated = shape(empty)
    engine = writing_engine(empty)
    with engine.begin() as conn:
        declared().drop_all(conn)
        declared().create_all(conn)
    engine.dispose()
    assert migrated == shape(empty)


def test_a_ledger_of_the_first_release_is_brought_up_to_date_with_its_rows(
    empty: Location,
) -> None:
    at_the_first_release(empty)
    assert [step.revision for step in due(empty)] == ["0002", "0003", "0004", "0005", "0006"]
    done = migrate(empty)
    assert [step.revision for step in done.steps] == ["0002", "0003", "0004", "0005", "0006"]
    assert due(empty) == ()
    engine = writing_engine(empty)
    with engine.begin() as conn:
        assert conn.execute(sa.select(segment.c.epoch, segment.c.failures)).one() == (2, 0)
        assert conn.execute(sa.select(audit.c.actor, audit.c.hash)).one() == ("owner:ann", None)
    engine.dispose()


def test_a_file_is_copied_aside_before_it_is_changed(tmp_path: Path) -> None:
    ledger = SqliteFile(tmp_path / "ledger")
    assert migrate(ledger).backup is None
    ledger.path.unlink()
    at_the_first_release(ledger)
    done = migrate(ledger, now=datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC))
    assert done.backup is not None
    assert done.backup == tmp_path / "backups" / "ledger-before-0001-20260203T040506Z.sqlite"
    assert [step.revision for step in due(SqliteFile(done.backup))] == [
        "0002",
        "0003",
        "0004",
        "0005",
        "0006",
    ]
    assert migrate(ledger).backup is None


def test_where_no_copy_can_be_made_nothing_is_changed(tmp_path: Path) -> None:
    ledger = SqliteFile(tmp_path / "ledger")
    at_the_first_release(ledger)
    (tmp_path / "backups").write_text("in the way")
    with pytest.raises(LedgerUnavailableError, match="nothing was changed"):
        migrate(ledger)
    assert [step.revision for step in due(ledger)] == ["0002", "0003", "0004", "0005", "0006"]


STARTED = """
import sys
from ledger.location import PostgresServer
from ledger.migrate import migrate
print([step.revision for step in migrate(PostgresServer(sys.argv[1])).steps])
"""


def test_processes_that_start_together_migrate_once(postgres: Server) -> None:
    place = postgres.create(template=None)
    starts = [
        subprocess.Popen(
            [sys.executable, "-c", STARTED, place.url], stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    told = sorted(start.communicate(timeout=30)[0].strip() for start in starts)
    assert [start.returncode for start in starts] == [0, 0, 0]
    assert told == ["['0001', '0002', '0003', '0004', '0005', '0006']", "[]", "[]"]
    assert due(place) == ()
    postgres.drop(place)


def test_a_migration_waits_for_another_as_long_as_that_takes(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient = "-c lock_timeout=50 -c statement_timeout=100"
    monkeypatch.setattr("ledger.postgres._OPTIONS", impatient)
    place = postgres.create(template=None)
    with psycopg.connect(place.url.replace("+psycopg", "")) as other:
        other.execute("SELECT pg_advisory_xact_lock(7220463122)")
        with ThreadPoolExecutor() as pool:
            migrated = pool.submit(migrate, place)
            other.execute("SELECT pg_sleep(0.5)")
            other.commit()
            assert len(migrated.result(20).steps) == 6
    postgres.drop(place)


def test_event_and_audit_numbers_are_never_given_twice(tmp_path: Path) -> None:
    migrate(SqliteFile(tmp_path / "ledger"))
    statements = tables_of(tmp_path / "ledger")
    for table in ("event", "audit"):
        assert "AUTOINCREMENT" in statements[table]


def test_migrating_twice_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    migrate(SqliteFile(path))
    before, bytes_before = tables_of(path), path.read_bytes()
    migrate(SqliteFile(path))
    assert tables_of(path) == before
    assert path.read_bytes() == bytes_before


def test_tables_of_others_in_the_same_file_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE workflow_status (workflow_uuid TEXT PRIMARY KEY)")
        file.execute("INSERT INTO workflow_status VALUES ('theirs')")
        file.commit()
    before = tables_of(path)
    migrate(SqliteFile(path))
    migrate(SqliteFile(path))
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
        migrate(SqliteFile(path))
    assert tables_of(path) == before


def test_a_ledger_of_a_newer_version_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    migrate(SqliteFile(path))
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")
        file.commit()
    before = path.read_bytes()
    with pytest.raises(LedgerUnavailableError, match="newer version"):
        migrate(SqliteFile(path))
    assert path.read_bytes() == before


def test_a_file_that_is_no_ledger_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(b"a shopping list\n" * 100)
    with pytest.raises(LedgerUnavailableError, match="not a database"):
        migrate(SqliteFile(path))
    assert path.read_bytes() == b"a shopping list\n" * 100


def test_a_locked_ledger_is_refused_in_bounded_time(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    with (
        held_by_another_process(path, "PRAGMA journal_mode=WAL", *WRITE_LOCK),
        pytest.raises(LedgerUnavailableError, match="locked"),
    ):
        migrate(SqliteFile(path, 100))
    migrate(SqliteFile(path))
    assert "invocation" in tables_of(path)
