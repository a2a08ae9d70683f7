"""Copying a ledger file while others write to it, and exchanging it while nobody does."""

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from secrets import token_hex

import structlog

from ledger.faults import LedgerUnavailableError
from ledger.refusals import told

log = structlog.get_logger()

_BESIDE = ("-wal", "-shm")


def copy_file(source: Path, target: Path) -> None:
    """Put a whole, consistent copy of the SQLite file ``source`` at ``target``.

    The copy appears under its name only when it is complete and on the disk; what writers commit
    meanwhile is in it or not, but never half of a transaction.

    Raises:
        LedgerUnavailableError: the source cannot be read, or the disk of the copy is full.
        OSError: the target's folder does not let it be made.
    """
    # A name of its own: another process may be copying to the same target.
    unfinished = target.with_name(f".{target.name}.{token_hex(4)}.part")
    try:
        _copy(source, unfinished)
        unfinished.replace(target)
        _sync(target.parent)
    except sqlite3.DatabaseError as refused:
        raise told("the ledger could not be copied", refused) from refused
    finally:
        unfinished.unlink(missing_ok=True)


def check_file(path: Path) -> None:
    """Look through the whole file, and leave nothing beside it.

    Raises:
        LedgerUnavailableError: it is damaged or no SQLite file.
    """
    try:
        with closing(sqlite3.connect(path)) as conn:
            (verdict,) = conn.execute("PRAGMA integrity_check(1)").fetchone()
            conn.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.DatabaseError as broken:
        raise told("the ledger could not be looked through", broken) from broken
    if verdict != "ok":
        log.warning("the ledger is damaged", words=verdict)
        raise LedgerUnavailableError("the ledger is damaged: its pages do not fit together")


def exchange_file(current: Path, new: Path, aside: Path) -> None:
    """Put ``new`` in the place of ``current`` in one step; what was there goes into ``aside``.

    Nobody may have either open. One that cannot be read is kept byte by byte, with what lies
    beside it.

    Raises:
        OSError: the disk refused; ``current`` is as it was.
    """
    if current.exists():
        try:
            copy_file(current, aside / current.name)
            with closing(sqlite3.connect(current)) as conn:
                conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except (LedgerUnavailableError, sqlite3.DatabaseError):
            shutil.copy2(current, aside / current.name)
        for ending in _BESIDE:
            beside = current.with_name(current.name + ending)
            with suppress(FileNotFoundError):
                beside.replace(aside / beside.name)
    new.replace(current)
    _sync(current.parent)


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
