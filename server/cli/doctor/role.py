"""What the process of a home is for, and whether its ledger is one that can be shared so."""

from collections.abc import Iterator

from server.cli.doctor.finding import Finding, Severity, ok
from server.cli.home import Home
from server.cli.home_role import remembered
from server.role import Role
from server.settings import Settings


def role(home: Home, settings: Settings) -> Iterator[Finding]:
    """Nothing for a home whose process does everything."""
    kept = remembered(home)
    if kept is Role.ALL:
        return
    if settings.database.address is not None:
        yield ok("role", f"Its process has the role {kept}.")
        return
    yield Finding(
        "role",
        Severity.WARNING,
        f"Its process had the role {kept}, which needs a ledger on PostgreSQL, and none is set: "
        "nothing starts here by itself.",
        "Set database.url (MATINEE_DATABASE_URL), or type `matinee serve` to do everything here.",
    )
