"""Bringing a ledger file to the declared tables, by Alembic."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

import ledger.migrations
from ledger.database import writing_engine


def migrate(path: Path) -> None:
    """Create or upgrade the file at ``path``; a second call changes nothing."""
    engine = writing_engine(path)
    try:
        with engine.begin() as conn:
            upgrade(conn)
    finally:
        engine.dispose()


def upgrade(conn: sa.Connection) -> None:
    """Run all migrations that are due inside the caller's transaction."""
    config = Config()
    config.set_main_option("script_location", str(Path(ledger.migrations.__path__[0])))
    config.attributes["connection"] = conn
    command.upgrade(config, "head")
