"""Gathering what a helper needs to know of a house, and taking out what nobody needs to know."""

import importlib.metadata
import os
import platform
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio.to_thread

from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import audit_proof, excerpts
from server.cli.doctor.examination import examine
from server.cli.home import Home
from server.cli.one_time_code import kept
from server.diagnostics.bundle import zipped
from server.diagnostics.redactor import Folders, Redactor
from server.protocol.handshake import VERSION
from server.secrets_at_rest.names import plain_secrets
from server.secrets_at_rest.sealed import SealedSecrets
from server.settings import FolderSettings, Settings

NEWEST = 200
LOG_BYTES = 256 * 1024
TELLING_VARIABLES = re.compile(r"MATINEE_.*(KEY|URL|TOKEN|SECRET)")
STANDARD_ERROR = 2
_ELSEWHERE = (
    "The log of the server that runs is not in its home: it goes to where that was started."
)
_REQUIRED = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One house, looked at from all sides."""

    home: Home
    ledger: Ledger
    secrets: SealedSecrets
    settings: Settings

    async def bundle(self, *, titles: bool) -> bytes:
        """The ZIP to hand on; with `titles` it also tells what the owner watches."""
        seen = await self.ledger.read(lambda conn: _seen(conn, titles=titles))
        hidden = () if titles else sorted(seen.pop("titles"), key=len, reverse=True)
        redactor = await self._redactor(hidden)
        found = await anyio.to_thread.run_sync(examine, self.home)
        log = await anyio.to_thread.run_sync(_end_of, self.home.log_file)
        documents = {
            "versions": {**_versions(), "database": seen.pop("database")},
            "settings": self.settings.shown(),
            "doctor": [finding.facts for finding in found],
            **seen,
        }
        fit = await anyio.to_thread.run_sync(redactor.document, documents)
        told = await anyio.to_thread.run_sync(redactor.text, log)
        return zipped(fit, told, self.ledger.now(), titles=titles)

    async def _redactor(self, titles: tuple[str, ...] | list[str]) -> Redactor:
        opened = await self.secrets.opened()
        code = await anyio.to_thread.run_sync(kept, self.home)
        known = {*plain_secrets(self.settings).values(), *opened.values.values(), *_variables()}
        known |= {*map(_password_in, known), *await self.secrets.key_texts(), code or ""}
        return Redactor(known, _folders(self.home, self.settings.folders), titles)


def _seen(conn: Snapshot, *, titles: bool) -> dict[str, Any]:
    verdict = audit_proof.verify(conn)
    return {
        "counts": excerpts.counts(conn),
        "ledger": excerpts.newest(conn, limit=NEWEST, titles=titles),
        "audit": {"whole": verdict.whole, **asdict(verdict)},
        "database": excerpts.database_version(conn),
        "titles": set[str]() if titles else excerpts.titles(conn),
    }


def _versions() -> dict[str, object]:
    return {
        "matinee": VERSION,
        "python": sys.version.partition(" ")[0],
        "system": platform.platform(),
        "libraries": dict(_libraries()),
    }


def _libraries() -> Iterator[tuple[str, str]]:
    try:
        required = importlib.metadata.requires("matinee") or []
    except importlib.metadata.PackageNotFoundError:
        return
    for line in required:
        name = _REQUIRED.match(line)
        if name is not None:
            try:
                yield name[0], importlib.metadata.version(name[0])
            except importlib.metadata.PackageNotFoundError:
                continue


def _variables() -> set[str]:
    """What the environment holds that opens something."""
    return {
        value for name, value in os.environ.items() if value and TELLING_VARIABLES.fullmatch(name)
    }


def _password_in(secret: str) -> str:
    """The password of a secret that is an address, which is a secret by itself."""
    try:
        return urlsplit(secret).password or ""
    except ValueError:
        return ""


def _folders(home: Home, chosen: FolderSettings) -> Folders:
    words = {Path.home(): "~", home.root: "~home", home.root.resolve(): "~home"}
    for name in type(chosen).model_fields:
        path: Path | None = getattr(chosen, name)
        if path is not None:
            words[path] = f"~{name}"
    return Folders(words)


def _end_of(log: Path) -> str:
    """The last lines of the log, whole ones; first, where it is not this server's, a line of that.

    A server that somebody started in a terminal or under a supervisor logs there, and what lies in
    the home is of earlier ones.
    """
    try:
        with log.open("rb") as file:
            of_file = os.fstat(file.fileno())
            until = datetime.fromtimestamp(of_file.st_mtime, UTC)
            note = (
                "" if _is_ours(of_file) else f"{_ELSEWHERE} What follows ended {until:%F %T} UTC.\n"
            )
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - LOG_BYTES))
            text = file.read().decode(errors="replace")
    except OSError:
        return f"{_ELSEWHERE} There is none of an earlier one.\n"
    return note + (text if size <= LOG_BYTES else text.partition("\n")[2])


def _is_ours(file: os.stat_result) -> bool:
    """Whether this process writes its log into that file."""
    try:
        return os.path.samestat(file, os.fstat(STANDARD_ERROR))
    except OSError:
        return False
