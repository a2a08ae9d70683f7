"""Adopted libraries, the folders seen in them, and what their titles were taken for."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from ledger.clock import new_id
from ledger.stores.rows import one, select, values
from ledger.tables.libraries import library, scanned_folder, scanned_title
from ledger.writer import Transaction

_AT_ONCE = 500
"""Keys of one statement; SQLite takes some thousand variables, PostgreSQL more."""
_FORGET = scanned_folder.delete().where(scanned_folder.c.key == sa.bindparam("gone"))


@dataclass(frozen=True, slots=True)
class LibraryRow:
    """A folder whose files the owner took into the inventory as they stand.

    Attributes:
        adopted_at: when they last were.
    """

    id: str
    path: str
    adopted_at: datetime
    by: str


@dataclass(frozen=True, slots=True)
class FolderRow:
    """A folder as it was seen.

    Attributes:
        library: absolute path of the library; ``path`` is relative to it.
        digest: of everything that tells whether a file is still the same.
        files: what is known of its files, in the form that its writer gave it.
    """

    key: str
    library: str
    path: str
    device: int
    digest: str
    files: dict[str, Any]
    seen_at: datetime


@dataclass(frozen=True, slots=True)
class TitleRow:
    """What a title of a library was taken for, and when its sources were asked."""

    key: str
    title: str
    year: int | None
    accepted: bool
    work: str | None
    verdict: dict[str, Any]
    asked_at: datetime


def folder_key(library_path: str, path: str) -> str:
    """The key of a folder: paths are longer than an index takes."""
    return hashlib.sha256(f"{library_path}\0{path}".encode()).hexdigest()


def digests(conn: sa.Connection, library_path: str) -> dict[str, str]:
    """The digest of every folder seen in a library, by its path."""
    rows = conn.execute(
        sa.select(scanned_folder.c.path, scanned_folder.c.digest).where(
            scanned_folder.c.library == library_path
        )
    )
    return {row.path: row.digest for row in rows}


def folders(conn: sa.Connection, library_path: str) -> list[FolderRow]:
    """Every folder seen in a library, by path."""
    rows = conn.execute(
        select(scanned_folder, FolderRow, scanned_folder.c.library == library_path).order_by(
            scanned_folder.c.path
        )
    )
    return values(FolderRow, rows)


def put_folders(tx: Transaction, rows: Sequence[FolderRow]) -> None:
    """Write down folders as they are now, in place of how they were."""
    if not rows:
        return
    _forget(tx, [row.key for row in rows])
    tx.conn.execute(scanned_folder.insert(), [_columns(row) for row in rows])


def forget_folders(tx: Transaction, library_path: str, paths: Iterable[str]) -> None:
    """Forget folders that are not there any more."""
    _forget(tx, [folder_key(library_path, path) for path in paths])


def forget_below(tx: Transaction, library_path: str, *, limit: int) -> int:
    """Forget folders that were seen in parts of a library by themselves; how many these were."""
    below = scanned_folder.c.library.startswith(f"{library_path}/", autoescape=True)
    keys = tx.conn.execute(sa.select(scanned_folder.c.key).where(below).limit(limit)).scalars()
    gone = list(keys)
    _forget(tx, gone)
    return len(gone)


def _forget(tx: Transaction, keys: Sequence[str]) -> None:
    """One statement for each, built once: a list of many keys is slower to build than to run."""
    if keys:
        tx.conn.execute(_FORGET, [{"gone": key} for key in keys])


def titles(conn: sa.Connection, keys: Iterable[str]) -> Mapping[str, TitleRow]:
    """What is known of these titles, by key."""
    wanted = list(keys)
    found: dict[str, TitleRow] = {}
    for first in range(0, len(wanted), _AT_ONCE):
        some = wanted[first : first + _AT_ONCE]
        rows = conn.execute(select(scanned_title, TitleRow, scanned_title.c.key.in_(some)))
        found |= {row.key: row for row in values(TitleRow, rows)}
    return found


def put_title(tx: Transaction, row: TitleRow) -> None:
    """Write down what a title was taken for now."""
    tx.conn.execute(scanned_title.delete().where(scanned_title.c.key == row.key))
    tx.conn.execute(scanned_title.insert().values(**_columns(row)))


def adopt(tx: Transaction, path: str, *, by: str, at: datetime) -> str:
    """The id of the adopted library that holds this folder from now on.

    A folder inside an adopted library is part of it; one that holds others takes them in. What was
    seen in those by themselves is left to `forget_below`.
    """
    rows = adopted(tx.conn)
    for row in rows:
        if row.path == path:
            tx.conn.execute(
                library.update().where(library.c.id == row.id).values(adopted_at=at, by=by)
            )
            return row.id
        if path.startswith(f"{row.path}/"):
            return row.id
    for row in rows:
        if row.path.startswith(f"{path}/"):
            tx.conn.execute(library.delete().where(library.c.id == row.id))
    id_ = new_id("library")
    tx.conn.execute(library.insert().values(id=id_, path=path, adopted_at=at, by=by))
    return id_


def holding(conn: sa.Connection, path: str) -> LibraryRow | None:
    """The adopted library that a folder is, or lies in."""
    return next(
        (row for row in adopted(conn) if path == row.path or path.startswith(f"{row.path}/")),
        None,
    )


def by_path(conn: sa.Connection, path: str) -> LibraryRow | None:
    """The adopted library with this path."""
    return one(conn, library, LibraryRow, path=path)


def adopted(conn: sa.Connection) -> list[LibraryRow]:
    """Every adopted library, by path."""
    return values(LibraryRow, conn.execute(select(library, LibraryRow).order_by(library.c.path)))


def _columns(row: FolderRow | TitleRow) -> dict[str, Any]:
    """As they are: what `asdict` copies would be most of the work."""
    return {name: getattr(row, name) for name in row.__dataclass_fields__}
