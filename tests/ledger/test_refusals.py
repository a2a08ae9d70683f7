"""What a database refuses reaches nobody in its driver's words."""

import signal
import sqlite3
from collections.abc import Callable
from functools import partial

import psycopg
import pytest
import sqlalchemy as sa
from psycopg.errors import lookup
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from ledger.database import Database
from ledger.faults import LedgerUnavailableError, LedgerUnclearError
from ledger.location import PostgresServer
from ledger.refusals import told, told_by
from ledger.writer import Transaction
from tests.ledger.cut_commits import cut_commits_with
from tests.postgres import Server, serving

SECRET = 'connection to server at "10.1.2.3", port 5432 failed: /home/ann/matinee.sqlite'


def sqlite_error(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError(SECRET)
    error.sqlite_errorcode = code
    return error


def wrapped(driver: Exception) -> OperationalError:
    return OperationalError("COMMIT", {}, driver)


@pytest.mark.parametrize(
    ("driver", "why", "cure"),
    [
        (sqlite_error(sqlite3.SQLITE_BUSY_SNAPSHOT), "locked", "file"),
        (sqlite_error(sqlite3.SQLITE_FULL), "the home is full", "the home's disk"),
        (sqlite_error(sqlite3.SQLITE_IOERR_FSYNC), "disk of the home failed", "disk"),
        (sqlite_error(sqlite3.SQLITE_CORRUPT), "malformed", "restore"),
        (sqlite_error(sqlite3.SQLITE_NOTADB), "not a database", "restore"),
        (sqlite_error(sqlite3.SQLITE_READONLY_DBMOVED), "read-only", "home"),
        (sqlite_error(sqlite3.SQLITE_CANTOPEN), "cannot be opened", "home"),
        (lookup("53100")(SECRET), "server is full", "the database server"),
        (lookup("53300")(SECRET), "too many connections", "more"),
        (lookup("25006")(SECRET), "read-only", "database.url"),
        (lookup("55P03")(SECRET), "locked", "locks"),
        (lookup("57014")(SECRET), "too long", "busy"),
        (lookup("57P01")(SECRET), "starting or stopping", "Wait"),
        (lookup("08006")(SECRET), "cannot be reached", "Start the database server"),
        (lookup("40001")(SECRET), "others changed the same rows", "Wait"),
        (lookup("42501")(SECRET), "does not allow", "owner"),
        (lookup("XX001")(SECRET), "malformed", "restore"),
        (lookup("22003")(SECRET), "the database refused", "log"),
        (psycopg.OperationalError(SECRET), "cannot be reached", "Start the database server"),
        (
            psycopg.OperationalError(f"{SECRET}: FATAL:  the database system is starting up"),
            "st",
            "",
        ),
        (psycopg.OperationalError("server closed the connection"), "cannot be reached", "Start"),
    ],
    ids=repr,
)
def test_a_refusal_is_told_in_our_words_and_the_drivers_go_to_the_log(
    driver: Exception, why: str, cure: str
) -> None:
    with capture_logs() as logs:
        error = told("the ledger could not be written", wrapped(driver))
    assert str(error).startswith("the ledger could not be written: ")
    assert why in str(error)
    assert cure in error.cure
    said = f"{error} {error.cure}"
    assert not any(part in said for part in ("10.1.2.3", "5432", "/home/ann"))
    assert [(each["log_level"], each["words"]) for each in logs] == [("warning", str(driver))]


def test_what_a_program_of_the_server_said_is_not_repeated() -> None:
    with capture_logs() as logs:
        full = told_by("pg_dump", f"{SECRET}: could not write: No space left on device")
        odd = told_by("psql", "/srv/x.sql:7: syntax error")
    assert str(full) == "pg_dump could not do it: the disk of the database server is full"
    assert str(odd) == "psql could not do it: the database refused"
    assert len(logs) == 2


async def refused(place: PostgresServer, work: Callable[[Transaction], object]) -> str:
    database = Database(place)
    try:
        with capture_logs(), pytest.raises(LedgerUnavailableError) as error:
            await database.write(work)
    finally:
        database.close()
    return str(error.value).removeprefix("the ledger could not be written: ")


def nothing(tx: Transaction) -> None:
    tx.conn.exec_driver_sql("SELECT 1").close()


@pytest.mark.anyio
async def test_how_a_server_turns_somebody_away_is_told_apart(postgres: Server) -> None:
    place = postgres.create()
    postgres.run("CREATE ROLE late LOGIN CONNECTION LIMIT 0")
    late = PostgresServer(place.url.replace("postgres@", "late@"))
    nobody = PostgresServer(place.url.replace("postgres@", "nobody@"))
    assert await refused(late, nothing) == "the database server has too many connections"
    assert await refused(nobody, nothing) == "the database server does not let Matinee in"
    missing = PostgresServer(f"{place.url}_missing")
    assert await refused(missing, nothing) == "there is no such database on the server"
    postgres.run("DROP ROLE late")
    postgres.drop(place)


@pytest.mark.anyio
async def test_a_server_that_was_killed_is_told_without_its_address() -> None:
    with serving() as server:
        place = server.create()
        server.stop(signal.SIGKILL)
        assert await refused(place, nothing) == "the database server cannot be reached"


@pytest.mark.anyio
async def test_only_a_connection_that_is_cut_in_the_commit_leaves_it_open_whether_it_stands(
    postgres: Server,
) -> None:
    place = postgres.create()
    database = Database(place)

    def insert(tx: Transaction) -> None:
        tx.conn.execute(sa.text("INSERT INTO failed_sign_in (door, at) VALUES ('front', now())"))

    def cut_before(tx: Transaction) -> None:
        tx.conn.execute(sa.text("SELECT pg_terminate_backend(pg_backend_pid())"))

    await database.write(partial(cut_commits_with, table="failed_sign_in"))
    with capture_logs(), pytest.raises(LedgerUnclearError, match="not known whether") as unclear:
        await database.write(insert)
    assert "terminating" not in str(unclear.value)
    with capture_logs(), pytest.raises(LedgerUnavailableError) as clear:
        await database.write(cut_before)
    assert not isinstance(clear.value, LedgerUnclearError)
    database.close()
    postgres.drop(place)
