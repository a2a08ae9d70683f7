"""Bringing a ledger file to the declared tables, by Alembic."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.exc import DatabaseError

import ledger.migrations
from ledger.database import BUSY_TIMEOUT_MS, writing_engine
from ledger.faults import LedgerUnavailableError


def migrate(path: Path, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> None:
    """Create or upgrade the file at ``path``, whole or not at all; a second call changes nothing.

    Raises:
        LedgerUnavailableError: it is locked, full or damaged, is no SQLite file, or was written
            by a newer version. It is as it was.
    """
    engine = writing_engine(path, busy_timeout_ms)
    try:
        with engine.begin() as conn:
            upgrade(conn)
    except CommandError as unknown:
        raise LedgerUnavailableError(
            "the ledger was written by a newer version of Matinee; nothing was changed"
        ) from unknown
    except DatabaseError as refused:
        raise LedgerUnavailableError(f"the ledger could not be opened: {refused.orig}") from refused
    finally:
        engine.dispose()


def upgrade(conn: sa.Connection) -> None:
    """Run all migrations that are due inside the caller's transaction."""
    config = Config()
    config.set_main_option(
        "script_location", str(Path(ledger.migrations.__path__[0])).replace("%", "%%")
    )
    config.attributes["connection"] = conn
    command.upgrade(config, "head")
