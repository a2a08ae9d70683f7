"""Bringing a ledger to the declared tables, by Alembic; a file is copied aside first."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy.exc import DBAPIError

import ledger.migrations
from ledger.copying import copy_file
from ledger.database import writing_engine
from ledger.faults import LedgerUnavailableError
from ledger.location import Location, SqliteFile
from ledger.refusals import told

BACKUPS = "backups"
_ONE_AT_A_TIME = (
    # A migration may take its time, and so may the one that is waited for.
    "SET LOCAL lock_timeout = 0",
    "SET LOCAL statement_timeout = 0",
    "SELECT pg_advisory_xact_lock(7220463122)",
)
"""The number means nothing but this; whoever waits for it finds the work done."""


class NewerLedgerError(LedgerUnavailableError):
    """Its tables are of a version that is not known here."""


@dataclass(frozen=True, slots=True)
class Step:
    """One migration: its revision and what it is about."""

    revision: str
    title: str


@dataclass(frozen=True, slots=True)
class Migrated:
    """What a call of `migrate` did."""

    steps: tuple[Step, ...]
    backup: Path | None


def migrate(location: Location, *, now: datetime | None = None) -> Migrated:
    """Create or upgrade the ledger, whole or not at all; a second call changes nothing.

    A file that holds something is first copied to ``backups`` beside it; where that fails, nothing
    is changed. On a server, processes that start together take turns.

    Raises:
        NewerLedgerError: it was written by a newer version; it is as it was.
        LedgerUnavailableError: it is locked, full, damaged or no ledger; it is as it was.
    """
    with _opened(location) as conn:
        steps = _due(conn)
        known = _revision(conn)
    backup = None
    if steps and known is not None and isinstance(location, SqliteFile):
        backup = _kept_aside(location.path, known, now or datetime.now(UTC))
    if steps:
        with _opened(location) as conn:
            if location.dialect == "postgresql":
                for statement in _ONE_AT_A_TIME:
                    conn.exec_driver_sql(statement)
            steps = _due(conn)
            upgrade(conn)
    return Migrated(steps, backup)


def due(location: Location) -> tuple[Step, ...]:
    """What `migrate` would do, oldest first; nothing is changed.

    Raises:
        LedgerUnavailableError: see `migrate`.
    """
    if isinstance(location, SqliteFile) and not location.path.exists():
        location = SqliteFile(Path(":memory:"))
    with _opened(location) as conn:
        return _due(conn)


def revision(location: Location) -> str | None:
    """The revision of its tables; None where there are none.

    Raises:
        LedgerUnavailableError: see `migrate`.
    """
    with _opened(location) as conn:
        return _revision(conn)


def is_known(revision: str) -> bool:
    """Whether tables of this revision can be brought up to date here."""
    try:
        ScriptDirectory.from_config(_config()).get_revision(revision)
    except CommandError:
        return False
    return True


def upgrade(conn: sa.Connection, to: str = "head") -> None:
    """Run the migrations up to ``to`` that are due, inside the caller's transaction."""
    config = _config()
    config.attributes["connection"] = conn
    command.upgrade(config, to)


@contextmanager
def _opened(location: Location) -> Generator[sa.Connection]:
    """A write transaction whose refusals are told as the ledger's own."""
    engine = writing_engine(location)
    if location.dialect == "postgresql":
        # Who has waited for its turn must see what the one before it did.
        engine = engine.execution_options(isolation_level="READ COMMITTED")
    try:
        with engine.begin() as conn:
            yield conn
    except CommandError as unknown:
        raise NewerLedgerError(
            "the ledger was written by a newer version of Matinee; nothing was changed"
        ) from unknown
    except DBAPIError as refused:
        raise told("the ledger could not be opened", refused) from refused
    finally:
        engine.dispose()


def _config() -> Config:
    config = Config()
    config.set_main_option(
        "script_location", str(Path(ledger.migrations.__path__[0])).replace("%", "%%")
    )
    return config


def _revision(conn: sa.Connection) -> str | None:
    return MigrationContext.configure(conn).get_current_revision()


def _due(conn: sa.Connection) -> tuple[Step, ...]:
    """Oldest first; a revision that is not known here raises `CommandError`."""
    known = _revision(conn)
    scripts = ScriptDirectory.from_config(_config())
    if known is not None:
        scripts.get_revision(known)
    steps = [
        Step(script.revision, (script.doc or "").rstrip("."))
        for script in scripts.iterate_revisions("head", known or "base")
    ]
    return tuple(reversed(steps))


def _kept_aside(path: Path, revision: str, now: datetime) -> Path:
    folder = path.parent / BACKUPS
    target = folder / f"{path.stem}-before-{revision}-{now:%Y%m%dT%H%M%SZ}.sqlite"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        copy_file(path, target)
    except OSError as refused:
        raise LedgerUnavailableError(
            f"no copy could be put into {BACKUPS} before the migration ({refused.strerror}); "
            "nothing was changed"
        ) from refused
    return target
