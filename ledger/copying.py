"""Copying a ledger file while others write to it."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from ledger.faults import LedgerUnavailableError


def copy_file(source: Path, target: Path) -> None:
    """Put a whole, consistent copy of the SQLite file ``source`` at ``target``.

    The copy appears under its name only when it is complete and on the disk; what writers commit
    meanwhile is in it or not, but never half of a transaction.

    Raises:
        LedgerUnavailableError: the source cannot be read, or the disk of the copy is full.
        OSError: the target's folder does not let it be made.
    """
    unfinished = target.with_name(f".{target.name}.part")
    unfinished.unlink(missing_ok=True)
    try:
        _copy(source, unfinished)
        unfinished.replace(target)
        _sync(target.parent)
    except sqlite3.DatabaseError as refused:
        raise LedgerUnavailableError(f"the ledger could not be copied: {refused}") from refused
    finally:
        unfinished.unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as there,
        closing(sqlite3.connect(target)) as here,
    ):
        there.backup(here)
        here.execute("PRAGMA journal_mode=DELETE")
    _sync(target)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
