import signal
import time
from datetime import UTC, datetime
from pathlib import Path

import anyio
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import ProgrammingError

from ledger.database import Database, Snapshot
from ledger.faults import LedgerUnavailableError
from ledger.location import Location, SqliteFile, database_file
from ledger.tables.access import failed_sign_in
from ledger.writer import Transaction
from tests.ledger.conftest import SHORT_BUSY_MS
from tests.ledger.neighbours import WHOLE_FILE, WRITE_LOCK, held_by_another_process
from tests.postgres import Server, serving

AT = datetime(2026, 1, 1, tzinfo=UTC)


def note(tx: Transaction) -> None:
    tx.conn.execute(failed_sign_in.insert().values(door="front", at=AT))


def count(conn: Snapshot) -> int:
    return conn.execute(sa.select(sa.func.count()).select_from(failed_sign_in)).scalar_one()


@pytest.mark.anyio
async def test_thirty_two_read_then_write_increments_lose_none(shared: Location) -> None:
    def increment(tx: Transaction) -> None:
        seen = tx.conn.exec_driver_sql("SELECT n FROM counter").scalar_one()
        tx.conn.execute(sa.text("UPDATE counter SET n = :n"), {"n": seen + 1})

    def prepare(tx: Transaction) -> None:
        tx.conn.exec_driver_sql("CREATE TABLE counter (n INTEGER)")
        tx.conn.exec_driver_sql("INSERT INTO counter VALUES (0)")

    database, second = Database(shared), Database(shared)
    await database.write(prepare)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            for each in [database, second] * 16:
                callers.start_soon(each.write, increment)
    second.close()
    total = await database.read(
        lambda conn: conn.exec_driver_sql("SELECT n FROM counter").scalar_one()
    )
    database.close()
    assert total == 32


@pytest.mark.anyio
async def test_a_reader_keeps_its_snapshot_while_others_write(database: Database) -> None:
    async def write_from_a_thread() -> None:
        await database.write(note)

    def look_twice(conn: Snapshot) -> tuple[int, int]:
        before = count(conn)
        anyio.from_thread.run(write_from_a_thread)
        return before, count(conn)

    assert await database.read(look_twice) == (0, 0)
    assert await database.read(count) == 1


@pytest.mark.anyio
async def test_a_reader_cannot_write(database: Database) -> None:
    def sneak(conn: Snapshot) -> None:
        note(Transaction(conn))

    with pytest.raises(LedgerUnavailableError, match=r"read-?only"):
        await database.read(sneak)
    assert await database.read(count) == 0


@pytest.mark.anyio
async def test_more_readers_than_connections_all_get_their_answer(database: Database) -> None:
    answers: list[int] = []

    async def look() -> None:
        answers.append(await database.read(count))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as readers:
            for _ in range(32):
                readers.start_soon(look)
    assert answers == [0] * 32


@pytest.mark.anyio
async def test_a_write_lock_held_elsewhere_is_unavailable_in_bounded_time_and_reads_go_on(
    home: Path,
) -> None:
    database = Database(SqliteFile(database_file(home), SHORT_BUSY_MS))
    with held_by_another_process(database_file(home), *WRITE_LOCK):
        began = time.monotonic()
        with pytest.raises(LedgerUnavailableError, match="locked"):
            await database.write(note)
        assert SHORT_BUSY_MS / 1000 <= time.monotonic() - began < 3
        assert await database.read(count) == 0
    await database.write(note)
    assert await database.read(count) == 1
    database.close()


@pytest.mark.anyio
async def test_a_lock_that_is_released_in_time_is_waited_for(
    home: Path,
) -> None:
    database = Database(SqliteFile(database_file(home), SHORT_BUSY_MS))
    patient = Database(SqliteFile(database_file(home), 5_000))
    with anyio.fail_after(5):
        async with anyio.create_task_group() as writers:
            with held_by_another_process(database_file(home), *WRITE_LOCK):
                writers.start_soon(patient.write, note)
                await anyio.wait_all_tasks_blocked()
    patient.close()
    assert await database.read(count) == 1
    database.close()


@pytest.mark.anyio
async def test_a_file_that_another_process_keeps_to_itself_is_unavailable(home: Path) -> None:
    with held_by_another_process(database_file(home), *WHOLE_FILE):
        database = Database(SqliteFile(database_file(home), SHORT_BUSY_MS))
        with pytest.raises(LedgerUnavailableError, match="could not be read"):
            await database.read(count)
        with pytest.raises(LedgerUnavailableError, match="could not be written"):
            await database.write(note)
    await database.write(note)
    database.close()


@pytest.mark.anyio
async def test_a_damaged_file_is_unavailable(home: Path) -> None:
    path = database_file(home)
    path.write_bytes(b"SQLite format 3\x00" + b"\xff" * 4096)
    database = Database(SqliteFile(path, SHORT_BUSY_MS))
    with pytest.raises(LedgerUnavailableError):
        await database.read(count)
    with pytest.raises(LedgerUnavailableError):
        await database.write(note)
    database.close()


@pytest.mark.anyio
async def test_pages_that_were_overwritten_are_unavailable(home: Path) -> None:
    path = database_file(home)
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    database = Database(SqliteFile(path, SHORT_BUSY_MS))
    with pytest.raises(LedgerUnavailableError, match="malformed"):
        await database.read(count)
    with pytest.raises(LedgerUnavailableError, match="malformed"):
        await database.write(note)
    database.close()


@pytest.mark.anyio
async def test_a_wrong_statement_of_a_reader_is_its_own_fault(database: Database) -> None:
    with pytest.raises(ProgrammingError):
        await database.read(lambda conn: conn.exec_driver_sql("SELECT ?").close())
    assert await database.read(count) == 0


@pytest.mark.anyio
async def test_a_closed_database_is_unavailable_and_is_not_opened_again(home: Path) -> None:
    database = Database(SqliteFile(database_file(home)))
    await database.write(note)
    database.close()
    with pytest.raises(LedgerUnavailableError, match="closed"):
        await database.read(count)
    with pytest.raises(LedgerUnavailableError, match="closed"):
        await database.write(note)


@pytest.mark.anyio
async def test_the_file_keeps_a_write_ahead_log_and_syncs_every_commit(
    home: Path,
) -> None:
    database = Database(SqliteFile(database_file(home), SHORT_BUSY_MS))

    def pragmas(conn: Snapshot) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [conn.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]

    assert await database.read(pragmas) == ["wal", 2, 1]
    assert await database.write(lambda tx: pragmas(tx.conn)) == ["wal", 2, 1]
    database.close()


@pytest.mark.anyio
async def test_on_a_server_writes_are_serialisable_and_reads_are_snapshots(
    postgres: Server,
) -> None:
    def level(conn: Snapshot) -> object:
        return conn.exec_driver_sql("SHOW transaction_isolation").scalar()

    database = Database(postgres.create())
    assert await database.read(level) == "repeatable read"
    assert await database.write(lambda tx: level(tx.conn)) == "serializable"
    database.close()


@pytest.mark.anyio
async def test_two_processes_that_look_before_they_insert_never_both_insert(
    shared: Location,
) -> None:
    """Write skew: each finds nothing, so each would add its own row."""
    one, two = Database(shared), Database(shared)

    def once(tx: Transaction) -> None:
        if count(tx.conn) == 0:
            note(tx)

    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            for each in [one, two] * 8:
                callers.start_soon(each.write, once)
    assert await one.read(count) == 1
    one.close()
    two.close()


@pytest.mark.anyio
async def test_a_server_that_was_killed_is_unavailable_until_it_is_back() -> None:
    with serving() as server:
        database = Database(server.create())
        await database.write(note)
        server.stop(signal.SIGKILL)
        with pytest.raises(LedgerUnavailableError, match="could not be written"):
            await database.write(note)
        with pytest.raises(LedgerUnavailableError, match="could not be read"):
            await database.read(count)
        await anyio.to_thread.run_sync(server.start)
        await database.write(note)
        assert await database.read(count) == 2
        database.close()
