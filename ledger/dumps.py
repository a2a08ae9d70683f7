"""Copying a PostgreSQL ledger out and back with PostgreSQL's own programs.

https://www.postgresql.org/docs/current/app-pgdump.html
"""

import os
import shutil
import subprocess
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from ledger.faults import LedgerUnavailableError
from ledger.location import PostgresServer
from ledger.refusals import told, told_by

LONGEST_S = 3600

_SCHEMAS = ("public", "dbos")
"""Ours, and the engine's library's."""
_BURIED = """
DO $$ BEGIN
  IF to_regclass('public.worker') IS NOT NULL THEN
    UPDATE public.worker SET state = 'dead', ended_at = now() WHERE state = 'alive';
  END IF;
END $$
"""
"""Whoever was at work when the dump was made is not at work on what it is loaded into."""
_OTHERS = sa.text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


def dump(server: PostgresServer, target: Path) -> None:
    """Write the whole database, as it stood at one moment, in the custom format.

    Raises:
        LedgerUnavailableError: the program is missing or says why it could not.
    """
    _run("pg_dump", server, "--format=custom", "--no-owner", f"--file={target}")


def check_dump(source: Path) -> None:
    """Look whether a file is a dump of a ledger, as far as its list of contents tells.

    Raises:
        LedgerUnavailableError: it is none, or see `dump`.
    """
    if "alembic_version" not in _run("pg_restore", None, "--list", str(source)):
        raise LedgerUnavailableError("the dump holds no ledger")


def load(server: PostgresServer, source: Path) -> None:
    """Replace what is in the database by a dump, whole or not at all.

    The workers of the dump are buried with it: what they were at is taken over by the next one.

    Raises:
        LedgerUnavailableError: others are connected, or see `dump`; the database is as it was.
    """
    refuse_company(server)
    script = source.with_suffix(".sql")
    _run("pg_restore", None, "--no-owner", f"--file={script}", str(source))
    empty = [f"--command=DROP SCHEMA IF EXISTS {schema} CASCADE" for schema in _SCHEMAS]
    quiet = ("--quiet", "--no-psqlrc", "--single-transaction", "--variable=ON_ERROR_STOP=1")
    created = "--command=CREATE SCHEMA public"
    _run("psql", server, *quiet, *empty, created, f"--file={script}", f"--command={_BURIED}")


def refuse_company(server: PostgresServer) -> None:
    """Look whether somebody else is connected to the database.

    Raises:
        LedgerUnavailableError: somebody is, or it cannot be reached.
    """
    engine = sa.create_engine(server.url, poolclass=NullPool)
    try:
        with engine.connect() as conn:
            others = conn.execute(_OTHERS).scalar_one()
    except DBAPIError as refused:
        raise told("the ledger could not be opened", refused) from refused
    if others:
        raise LedgerUnavailableError(
            f"{others} other connections use this database; stop every process of Matinee first"
        )


def _run(name: str, server: PostgresServer | None, *arguments: str) -> str:
    """What it wrote to standard output."""
    environment = {**os.environ, "LC_ALL": "C"}
    to: tuple[str, ...] = ()
    if server is not None:
        url = sa.make_url(server.url)
        if url.password:
            environment["PGPASSWORD"] = str(url.password)
        # An address on the command line could be read by everybody on the machine.
        bare = url.set(drivername="postgresql", password=None)
        to = (f"--dbname={bare.render_as_string(hide_password=False)}",)
    done = subprocess.run(  # noqa: S603  # PostgreSQL's own program, our own words
        [_program(name), *to, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    if done.returncode != 0:
        raise told_by(name, done.stderr)
    return done.stdout


def _program(name: str) -> str:
    found = shutil.which(name) or next(
        (str(path) for path in sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))[-1:]), None
    )
    if found is None:
        raise LedgerUnavailableError(
            f"{name} is not installed; it comes with PostgreSQL's client programs"
        )
    return found
