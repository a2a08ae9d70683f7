"""The archive of a home: one file with the ledger, the settings and the client's torrents.

A zip archive (APPNOTE.TXT 6.3) whose first member is a manifest with the digest of every other.
"""

import hashlib
import zipfile
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from server.secrets_at_rest.slots import Slot, file_name

MANIFEST = "manifest.json"
LEDGER = "ledger"
SETTINGS = "settings.toml"
KEYS = tuple(file_name(slot) for slot in Slot)
"""Every slot of the key: while secrets are sealed anew, some may be under one of the others."""
TORRENTS = "torrents"
CHUNK = 1 << 20


class UnusableArchiveError(Exception):
    """The file is no archive of a home, or not the one that was written; the text says how."""


class Manifest(BaseModel):
    """What an archive says of itself.

    Attributes:
        ledger: how its ledger is written: a SQLite file, or PostgreSQL's custom dump.
        revision: the Alembic revision of its tables; None in archives of the first kind.
        digests: SHA-256 in hexadecimal of every member, by its name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    version: str
    made_at: datetime
    ledger: Literal["sqlite", "postgresql"]
    revision: str | None = None
    digests: dict[str, str]


def pack(target: Path, manifest: Manifest, members: dict[str, Path]) -> None:
    """Write an archive that appears under its name only when it is whole; only its owner reads it.

    Raises:
        OSError: it cannot be written.
    """
    unfinished = target.with_name(f".{target.name}.part")
    try:
        unfinished.touch(mode=0o600)
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr(MANIFEST, manifest.model_dump_json(indent=2))
            for name, path in members.items():
                archive.write(path, name)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def unpack(source: Path, folder: Path) -> Manifest:
    """Take an archive apart into ``folder`` and check every digest.

    Raises:
        UnusableArchiveError: it is damaged, incomplete, or of another program or version.
        OSError: it cannot be read, or the folder not written.
    """
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = _manifest(archive)
            for name, digest in manifest.digests.items():
                _take(archive, name, folder, digest)
    except (zipfile.BadZipFile, EOFError, KeyError) as broken:
        raise UnusableArchiveError(
            f"{source.name} is no whole archive of a home. Nothing was changed."
        ) from broken
    return manifest


def digest_of(path: Path) -> str:
    """SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _manifest(archive: zipfile.ZipFile) -> Manifest:
    try:
        return Manifest.model_validate_json(archive.read(MANIFEST))
    except ValidationError as wrong:
        raise UnusableArchiveError(
            "The archive was written by another version. Restore it with that one."
        ) from wrong


def _take(archive: zipfile.ZipFile, name: str, folder: Path, digest: str) -> None:
    parts = PurePosixPath(name).parts
    if PurePosixPath(name).is_absolute() or ".." in parts:
        raise UnusableArchiveError("The archive names files outside itself. Nothing was changed.")
    target = folder.joinpath(*parts)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with archive.open(name) as member, target.open("wb") as file:
        while chunk := member.read(CHUNK):
            file.write(chunk)
    target.chmod(0o600)
    if digest_of(target) != digest:
        raise UnusableArchiveError(f"{name} in the archive is damaged. Nothing was changed.")
