"""Making a backup of a home, also while a server works in it."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ledger.copying import copy_file
from ledger.dumps import dump
from ledger.location import Location, SqliteFile
from server.backups.archive import KEY, LEDGER, SETTINGS, TORRENTS, Manifest, digest_of, pack

FOLDER = "backups"


@dataclass(frozen=True, slots=True)
class Made:
    """A finished backup: where it is, its size in bytes, whether the key of secrets is in it."""

    path: Path
    size: int
    with_key: bool


def default_name(at: datetime) -> str:
    """What a backup is called unless its owner says otherwise."""
    return f"matinee-{at:%Y%m%dT%H%M%SZ}.backup"


def make(
    home: Path, location: Location, target: Path, *, version: str, at: datetime, with_key: bool
) -> Made:
    """Put the ledger as of one moment, the settings and the client's torrents into ``target``.

    The key that seals secrets stays out unless it is asked for: whoever holds both can read them.

    Raises:
        LedgerUnavailableError: the ledger could not be copied.
        OSError: the archive could not be written.
    """
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=target.parent) as name:
        ledger = Path(name) / LEDGER
        if isinstance(location, SqliteFile):
            copy_file(location.path, ledger)
        else:
            dump(location, ledger)
        members = {LEDGER: ledger, **dict(_beside(home, Path(name), with_key=with_key))}
        digests = {name: digest_of(path) for name, path in members.items()}
        manifest = Manifest(version=version, made_at=at, ledger=location.dialect, digests=digests)
        pack(target, manifest, members)
    return Made(target, target.stat().st_size, KEY in members)


def _beside(home: Path, folder: Path, *, with_key: bool) -> Iterator[tuple[str, Path]]:
    """Copies of the other files, since they may change or go while the archive is written."""
    for name in (SETTINGS, KEY) if with_key else (SETTINGS,):
        if (home / name).is_file():
            yield name, _copied(home / name, folder / name)
    torrents = folder / TORRENTS
    torrents.mkdir()
    for path in sorted((home / TORRENTS).glob("*.torrent-state")):
        yield f"{TORRENTS}/{path.name}", _copied(path, torrents / path.name)


def _copied(source: Path, target: Path) -> Path:
    target.write_bytes(source.read_bytes())
    return target
