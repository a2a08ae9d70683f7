"""Putting a backup in the place of what a home holds; what it held is kept aside."""

import tempfile
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from ledger.copying import check_file, exchange_file
from ledger.dumps import check_dump, dump, load, refuse_company
from ledger.faults import LedgerUnavailableError
from ledger.location import Location, PostgresServer, SqliteFile
from ledger.migrate import due, is_known
from server.backups.archive import (
    KEYS,
    LEDGER,
    SETTINGS,
    TORRENTS,
    Manifest,
    UnusableArchiveError,
    unpack,
)
from server.backups.making import FOLDER


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back, and where that which was there before lies now (None: nothing was)."""

    manifest: Manifest
    kept_aside: Path | None


def restore(home: Path, location: Location, source: Path, *, at: datetime) -> Restored:
    """Replace the ledger, the settings and the client's torrents by those of a backup.

    The caller sees to it that no server works on this ledger. Everything is checked before
    anything is changed; the ledger is exchanged in one step.

    Raises:
        UnusableArchiveError: see `server.backups.archive.unpack`; it is of the other kind of
            database, or of a newer version.
        LedgerUnavailableError: the database refused; it is as it was.
        OSError: the home cannot be written.
    """
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=home) as name:
        unpacked = Path(name)
        manifest = unpack(source, unpacked)
        _refuse_other(manifest, location, unpacked / LEDGER)
        aside = _fresh_folder(home / FOLDER, f"replaced-{at:%Y%m%dT%H%M%SZ}")
        try:
            if isinstance(location, SqliteFile):
                exchange_file(location.path, unpacked / LEDGER, aside)
            else:
                _exchange_database(location, unpacked / LEDGER, aside)
            for member in (SETTINGS, *KEYS, TORRENTS):
                _exchange(home / member, unpacked / member, aside)
        finally:
            filled = _filled(aside)
    return Restored(manifest, aside if filled else None)


def _fresh_folder(within: Path, name: str) -> Path:
    """A folder of this name, or with a number behind it where there is one already."""
    names = chain([name], (f"{name}-{number}" for number in count(2)))
    folder = next(each for each in map(within.joinpath, names) if not each.exists())
    folder.mkdir(mode=0o700, parents=True)
    return folder


def _refuse_other(manifest: Manifest, location: Location, ledger: Path) -> None:
    if manifest.ledger != location.dialect:
        raise UnusableArchiveError(
            f"This backup is of a ledger on {manifest.ledger}, and this home's is on "
            f"{location.dialect}. Nothing was changed; set database.url as it was then."
        )
    if manifest.revision is not None and not is_known(manifest.revision):
        raise UnusableArchiveError(
            "This backup is of a newer version of Matinee. Restore it with that one. "
            "Nothing was changed."
        )
    _refuse_broken(location, ledger)


def _refuse_broken(location: Location, ledger: Path) -> None:
    try:
        if isinstance(location, SqliteFile):
            check_file(ledger)
            due(SqliteFile(ledger))
            check_file(ledger)  # which also folds in what the look has left beside it
        else:
            check_dump(ledger)
    except LedgerUnavailableError as refused:
        raise UnusableArchiveError(
            f"This backup cannot be used: {refused}. Nothing was changed."
        ) from refused


def _exchange_database(server: PostgresServer, restored: Path, aside: Path) -> None:
    refuse_company(server)
    kept = aside / LEDGER
    try:
        dump(server, kept)
    except LedgerUnavailableError:
        kept.unlink(missing_ok=True)
        raise
    # From here on it stays: where the connection is cut in the end, the old one may be gone.
    load(server, restored)


def _exchange(current: Path, restored: Path, aside: Path) -> None:
    """What the backup does not hold stays as it is."""
    if not restored.exists():
        return
    if current.exists():
        current.rename(aside / current.name)
    restored.rename(current)


def _filled(aside: Path) -> bool:
    if any(aside.iterdir()):
        return True
    aside.rmdir()
    return False
