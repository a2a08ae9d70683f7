"""Homes for tests: the migrations run once, every test gets its own copy of what they made."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from ledger.location import SqliteFile, database_file
from ledger.migrate import migrate


@cache
def _migrated() -> bytes:
    with TemporaryDirectory(prefix="matinee-migrated-") as folder:
        path = Path(folder) / "ledger"
        migrate(SqliteFile(path))
        return path.read_bytes()


def furnish(home: Path) -> Path:
    """Put a migrated, empty ledger into ``home``; returns its file."""
    path = database_file(home)
    path.write_bytes(_migrated())
    return path
