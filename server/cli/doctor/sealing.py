"""Secrets of outside systems: the key that seals them, and which of them are not sealed."""

from collections.abc import Iterator

import anyio

from ledger.database import Database
from ledger.faults import LedgerUnavailableError
from ledger.location import Location, SqliteFile, located
from ledger.stores import sealed_secrets
from server.cli.doctor.finding import Finding, Severity, ok
from server.cli.home import Home
from server.secrets_at_rest.names import is_secret_name, plain_secrets
from server.secrets_at_rest.slots import FILE, FileSlots, SealingKeyError, Slot
from server.settings import Settings


def sealing(home: Home, settings: Settings) -> Iterator[Finding]:
    """The key file, and the secrets that stand in plain text."""
    yield _key_file(home)
    plain = sorted(filter(is_secret_name, plain_secrets(settings)))
    if plain:
        yield Finding(
            "secrets.plain",
            Severity.NOTICE,
            f"Given in plain text, in settings.toml or the environment: {', '.join(plain)}.",
            "Seal each with `matinee secret set NAME`, then take it out there.",
        )


def sealed_names(home: Home, settings: Settings) -> frozenset[str]:
    """The names of the sealed secrets, as far as the ledger can be read."""
    location = located(home.root, settings.database.address)
    if isinstance(location, SqliteFile) and not location.path.exists():
        return frozenset()
    return anyio.run(_names, location)


async def _names(location: Location) -> frozenset[str]:
    opened = Database(location)
    try:
        return frozenset(row.name for row in await opened.read(sealed_secrets.all_of))
    except LedgerUnavailableError:
        return frozenset()  # tables of an earlier version; that is a finding of its own
    finally:
        opened.close()


def _key_file(home: Home) -> Finding:
    slots = FileSlots(home.root)
    try:
        keys = [slots.read(slot) for slot in Slot]
    except SealingKeyError as trouble:
        return Finding("secrets.key", Severity.ERROR, str(trouble))
    if any(keys):
        return ok("secrets.key", f"{FILE} can be used, and nobody else can read it.")
    return ok("secrets.key", f"There is no {FILE}; it is made when a first secret is sealed.")
