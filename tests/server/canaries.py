"""Secrets that must not sing: planted wherever a secret can be, then looked for everywhere."""

import base64
import io
import json
import sqlite3
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from ledger.location import database_file

PASSKEY = "passkey"


@dataclass
class Aviary:
    """The canaries by name, and what was seen where.

    Attributes:
        evidence: pairs of a place and the bytes that were seen there.
    """

    canaries: dict[str, str]
    evidence: list[tuple[str, bytes]] = field(default_factory=list[tuple[str, bytes]])

    def see(self, place: str, held: str | bytes) -> None:
        """Keep what was seen."""
        self.evidence.append((place, held.encode() if isinstance(held, str) else held))

    def hits(self, declared: Mapping[str, Iterable[str]]) -> set[tuple[str, str]]:
        """Where which canary was seen, but for those that a place is there to hold.

        Args:
            declared: by the beginning of a place, the names of the canaries it may hold.
        """
        return {
            (place, name)
            for place, held in self.evidence
            for name, canary in self.canaries.items()
            if any(form in held for form in _forms(canary)) and not _may(declared, place, name)
        }


def _may(declared: Mapping[str, Iterable[str]], place: str, name: str) -> bool:
    return any(place.startswith(start) and name in names for start, names in declared.items())


def _forms(canary: str) -> tuple[bytes, ...]:
    """As it is, in hexadecimal, and in Base64 wherever in a text it begins."""
    raw = canary.encode()
    coded = [base64.b64encode(b"\0" * shift + raw) for shift in range(3)]
    return (raw, raw.hex().encode(), *(each[4:-4] for each in coded))


def tables_of(home: Path) -> Iterator[tuple[str, bytes]]:
    """Every column of every table of a home's ledger, the engine's own included."""
    with closing(sqlite3.connect(database_file(home))) as conn:
        names = [n for (n,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in names:
            rows = conn.execute(f'SELECT * FROM "{table}"')  # noqa: S608  # names of the file's own
            columns = [each[0] for each in rows.description]
            for row in rows:
                for column, value in zip(columns, row, strict=True):
                    held = value if isinstance(value, bytes) else str(value).encode()
                    yield f"table:{table}.{column}", held


def files_below(root: Path, name: str) -> Iterator[tuple[str, bytes]]:
    """Every file below a folder, with its name."""
    for path in root.rglob("*"):
        if path.is_file():
            where = f"{name}:{path.relative_to(root)}"
            yield where, path.read_bytes() + b"\n" + where.encode()


def members_of(bundle: bytes) -> Iterator[tuple[str, bytes]]:
    """Every file of a ZIP."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        for name in archive.namelist():
            yield f"bundle:{name}", archive.read(name)


def spoken(document: object) -> str:
    """A document of a client, as text."""
    return json.dumps(document, default=str)
