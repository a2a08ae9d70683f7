"""Making a backup of a home, also while a server works in it."""

import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ledger.copying import copy_file
from ledger.dumps import dump
from ledger.location import Location, SqliteFile
from ledger.migrate import revision
from server.backups.archive import KEYS, LEDGER, SETTINGS, TORRENTS, Manifest, digest_of, pack

FOLDER = "backups"


@dataclass(frozen=True, slots=True)
class Made:
    """A finished backup: where it is, its size in bytes, whether a key of secrets is in it."""

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

    The keys that seal secrets stay out unless they are asked for: whoever holds both can read them.
    Those that are in files of the home, in every slot, open what is in the ledger's copy.

    Raises:
        LedgerUnavailableError: the ledger could not be copied.
        OSError: the archive could not be written.
    """
    with (
        _there(target.parent),
        tempfile.TemporaryDirectory(prefix=".backup-", dir=target.parent) as name,
    ):
        folder = Path(name)
        keys = _keys(home) if with_key else {}
        known = _ledger(location, folder / LEDGER)
        while with_key and (now := _keys(home)) != keys:
            # Secrets were sealed anew meanwhile: the copy may be under a key that is gone.
            keys, known = now, _ledger(location, folder / LEDGER)
        members = {LEDGER: folder / LEDGER, **dict(_beside(home, folder, keys))}
        manifest = Manifest(
            version=version,
            made_at=at,
            ledger=location.dialect,
            revision=known,
            digests={name: digest_of(path) for name, path in members.items()},
        )
        pack(target, manifest, members)
    return Made(target, target.stat().st_size, bool(keys))


@contextmanager
def _there(folder: Path) -> Generator[None]:
    """Make ``folder`` for a block; where the block fails, take it away again if it is empty.

    Raises:
        OSError: it cannot be made, or lies in a folder that is not there.
    """
    made = not folder.exists()
    if made:
        folder.mkdir(mode=0o700, exist_ok=True)
    try:
        yield
    except BaseException:
        if made:
            with suppress(OSError):
                folder.rmdir()
        raise


def _ledger(location: Location, target: Path) -> str | None:
    """Copy the ledger; the revision of its tables."""
    if isinstance(location, SqliteFile):
        copy_file(location.path, target)
        return revision(SqliteFile(target))
    known = revision(location)
    dump(location, target)
    return known


def _keys(home: Path) -> dict[str, bytes]:
    return {name: (home / name).read_bytes() for name in KEYS if (home / name).is_file()}


def _beside(home: Path, folder: Path, keys: dict[str, bytes]) -> Iterator[tuple[str, Path]]:
    """Copies of the other files, since they may change or go while the archive is written."""
    if (home / SETTINGS).is_file():
        yield SETTINGS, _copied(home / SETTINGS, folder / SETTINGS)
    for name, held in keys.items():
        (folder / name).write_bytes(held)
        yield name, folder / name
    torrents = folder / TORRENTS
    torrents.mkdir()
    for path in sorted((home / TORRENTS).glob("*.torrent-state")):
        yield f"{TORRENTS}/{path.name}", _copied(path, torrents / path.name)


def _copied(source: Path, target: Path) -> Path:
    target.write_bytes(source.read_bytes())
    return target
