"""The ledger's file: whether it opens, and whether its tables are those of this version."""

from collections.abc import Iterator
from pathlib import Path

import anyio
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

import ledger.migrations
from ledger.database import Database, Snapshot
from ledger.location import SqliteFile, database_file
from ledger.stores import access
from server.cli.doctor.finding import Finding, Severity, ok
from server.cli.home import Home

MAGIC = b"SQLite format 3\x00"


def database(home: Home) -> Iterator[Finding]:
    """The file, its migrations, and whether somebody owns the home."""
    path = database_file(home.root)
    if not path.exists():
        yield Finding("database", Severity.NOTICE, "There is no database yet.", "Type `matinee`.")
        return
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            yield Finding(
                "database",
                Severity.ERROR,
                "The database is no database: it was overwritten or cut.",
                "Move it away and put a backup in its place.",
            )
            return
    revision, owned = anyio.run(_look, path)
    yield ok("database", "The database opens.")
    yield _migrations(revision)
    if not owned:
        yield Finding("owner", Severity.NOTICE, "There is no owner yet.", "Type `matinee owner`.")


async def _look(path: Path) -> tuple[str | None, bool]:
    opened = Database(SqliteFile(path))
    try:
        revision = await opened.read(_revision)
        owned = revision is not None and await opened.read(access.the_owner) is not None
    finally:
        opened.close()
    return revision, owned


def _revision(conn: Snapshot) -> str | None:
    return MigrationContext.configure(conn).get_current_revision()


def _migrations(revision: str | None) -> Finding:
    scripts = ScriptDirectory(str(Path(ledger.migrations.__path__[0])))
    if revision == scripts.get_current_head():
        return ok("database.migrations", "Its tables are those of this version.")
    known = {script.revision for script in scripts.walk_revisions()}
    if revision is None or revision in known:
        return Finding(
            "database.migrations",
            Severity.NOTICE,
            "Its tables are those of an earlier version; the next start brings them up to date.",
            "Keep a copy of the home, then type `matinee`.",
        )
    return Finding(
        "database.migrations",
        Severity.ERROR,
        "Its tables are those of a later version, which this one cannot use.",
        "Install the later version again, or put a backup in its place.",
    )
