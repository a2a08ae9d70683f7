"""Secrets of outside systems: the key that seals them, and which of them are not sealed."""

from collections.abc import Iterator

import anyio

from ledger.database import Database
from ledger.faults import LedgerUnavailableError
from ledger.location import Location, SqliteFile, located
from ledger.stores import sealed_secrets
from ledger.stores.sealed_secrets import SealedSecret
from server.cli.doctor.finding import Finding, Severity, ok
from server.cli.home import Home
from server.secrets_at_rest.keys import sealing_keys
from server.secrets_at_rest.names import is_secret_name, plain_secrets
from server.secrets_at_rest.slots import FILE, FileSlots, SealingKeyError, Slot
from server.settings import Settings


def sealing(home: Home, settings: Settings) -> Iterator[Finding]:
    """The key file, and the secrets that stand in plain text."""
    yield _key_file(home)
    if shut := sorted(anyio.run(_shut, home, settings)):
        yield Finding(
            "secrets.sealed",
            Severity.ERROR,
            f"Sealed with a key that is not here: {', '.join(shut)}.",
            f"Put {FILE} (or the variable that held it) back, or set each anew with "
            "`matinee secret set NAME`.",
        )
    plain = sorted(filter(is_secret_name, plain_secrets(settings)))
    if plain:
        yield Finding(
            "secrets.plain",
            Severity.NOTICE,
            f"Given in plain text, in settings.toml or the environment: {', '.join(plain)}.",
            "Seal each with `matinee secret set NAME`, then take it out there.",
        )


async def _shut(home: Home, settings: Settings) -> set[str]:
    """Names of the sealed secrets that no key at hand opens."""
    rows = await _sealed(located(home.root, settings.database.address))
    if not rows:
        return set()
    openers = sealing_keys(home.root, keyring=settings.secrets.keyring).openers()
    if openers.troubles:
        return set()  # which is a finding of its own
    return {row.name for row in rows if row.key_id not in openers.keys}


def sealed_names(home: Home, settings: Settings) -> frozenset[str]:
    """The names of the sealed secrets, as far as the ledger can be read."""
    rows = anyio.run(_sealed, located(home.root, settings.database.address))
    return frozenset(row.name for row in rows)


async def sealed_rows(home: Home, settings: Settings) -> list[SealedSecret]:
    """The sealed secrets as they are stored, as far as the ledger can be read."""
    return await _sealed(located(home.root, settings.database.address))


async def _sealed(location: Location) -> list[SealedSecret]:
    if isinstance(location, SqliteFile) and not location.path.exists():
        return []
    opened = Database(location)
    try:
        return await opened.read(sealed_secrets.all_of)
    except LedgerUnavailableError:
        return []  # tables of an earlier version; that is a finding of its own
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
