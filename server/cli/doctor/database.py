"""The ledger: whether it opens, and whether its tables are those of this version."""

from collections.abc import Iterator

import anyio

from ledger.database import Database
from ledger.faults import LedgerUnavailableError
from ledger.location import Location, SqliteFile
from ledger.migrate import NewerLedgerError, due
from ledger.stores import access
from server.cli.doctor.finding import Finding, Severity, ok

MAGIC = b"SQLite format 3\x00"


def database(location: Location, *, doors: bool = True) -> Iterator[Finding]:
    """The database, its migrations, and whether somebody owns it.

    Where no ``doors`` are open, nobody can become the owner: that is for another home to say.
    """
    if isinstance(location, SqliteFile):
        if not location.path.exists():
            yield Finding(
                "database", Severity.NOTICE, "There is no database yet.", "Type `matinee`."
            )
            return
        with location.path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                yield _overwritten()
                return
    try:
        steps = due(location)
    except NewerLedgerError:
        yield _opens(location)
        yield _later()
        return
    except LedgerUnavailableError as refused:
        yield _closed(refused)
        return
    yield _opens(location)
    if steps:
        yield _earlier()
        return
    yield ok("database.migrations", "Its tables are those of this version.")
    if doors and not anyio.run(_owned, location):
        yield Finding("owner", Severity.NOTICE, "There is no owner yet.", "Type `matinee owner`.")


async def _owned(location: Location) -> bool:
    opened = Database(location)
    try:
        return await opened.read(access.the_owner) is not None
    finally:
        opened.close()


def _opens(location: Location) -> Finding:
    where = "" if isinstance(location, SqliteFile) else f" It is at {location.shown}."
    return ok("database", f"The database opens.{where}")


def _overwritten() -> Finding:
    return Finding(
        "database",
        Severity.ERROR,
        "The database is no database: it was overwritten or cut.",
        "Type `matinee restore` with a backup.",
    )


def _closed(refused: LedgerUnavailableError) -> Finding:
    return Finding(
        "database",
        Severity.ERROR,
        f"The database does not open: {refused}.",
        refused.cure or "Wait a little, then look again.",
    )


def _earlier() -> Finding:
    return Finding(
        "database.migrations",
        Severity.NOTICE,
        "Its tables are those of an earlier version; the next start brings them up to date.",
        "Type `matinee backup`, then `matinee migrate`.",
    )


def _later() -> Finding:
    return Finding(
        "database.migrations",
        Severity.ERROR,
        "Its tables are those of a later version, which this one cannot use.",
        "Install the later version again, or type `matinee restore` with a backup.",
    )
