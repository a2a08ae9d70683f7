"""What the database refuses, told in our own words; those of its driver go to the log only.

A driver's words hold addresses, names of files and values of rows, and they differ by language.
Where a driver gives a code, that decides: SQLSTATE (PostgreSQL's manual, appendix A) and SQLite's
result codes (https://www.sqlite.org/rescode.html). Of a connection that a server turned away libpq
tells no code, so there the server's words do.
"""

import re
import sqlite3
from dataclasses import dataclass

import structlog
from sqlalchemy.exc import DatabaseError, DBAPIError, InternalError, OperationalError

from ledger.faults import LedgerUnavailableError, LedgerUnclearError

CUT = "the connection to the database was cut, and it is not known whether it was recorded"

_CONFLICTS = {"40001", "40P01"}
"""PostgreSQL's serialization_failure and deadlock_detected: the same work may run again."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Refusal:
    why: str
    cure: str


_FULL = _Refusal("the disk of the home is full", "Free space on the home's disk.")
_LOCKED = _Refusal("its file is locked by another process", "End what holds the file.")
_READ_ONLY_FILE = _Refusal("its file is read-only", "Let this user write to the home.")
_FAILING = _Refusal(
    "the disk of the home failed while it was read or written",
    "Look after the disk, and keep a backup elsewhere.",
)
_DAMAGED = _Refusal("its file is damaged (malformed)", "Put a backup back with `matinee restore`.")
_NO_DATABASE = _Refusal("its file is not a database", "Put a backup back with `matinee restore`.")
_NO_WAY_IN = _Refusal(
    "its file cannot be opened", "Let this user read and write in the home, and free space there."
)

_SERVER_AWAY = _Refusal(
    "the database server cannot be reached", "Start the database server, or look at database.url."
)
_SERVER_TURNING = _Refusal("the database server is starting or stopping", "Wait until it is back.")
_SERVER_FULL = _Refusal(
    "the disk of the database server is full", "Free space on the disk of the database server."
)
_SERVER_CROWDED = _Refusal(
    "the database server has too many connections", "Allow more, or end others that use it."
)
_SERVER_READ_ONLY = _Refusal(
    "the database server is read-only now", "Let database.url name the server that takes writes."
)
_SERVER_LOCKED = _Refusal(
    "what it needs is locked by another connection", "End what holds locks in the database."
)
_SERVER_SLOW = _Refusal(
    "the database server took too long", "See what keeps the database server busy."
)
_SERVER_FAILING = _Refusal(
    "the disk or the memory of the database server failed", "See the log of the database server."
)
_SERVER_DAMAGED = _Refusal(
    "its data is damaged (malformed)", "Put a backup back with `matinee restore`."
)
_NOT_ADMITTED = _Refusal(
    "the database server does not let Matinee in", "Correct the name or password in database.url."
)
_NOT_ALLOWED = _Refusal(
    "the database server does not allow it", "Make Matinee's user the owner of the database."
)
_NOT_THERE = _Refusal(
    "there is no such database on the server", "Create it, or correct database.url."
)
_OVERTAKEN = _Refusal("others changed the same rows every time", "Wait a little.")
_IN_THE_WAY = _Refusal(
    "a table of this name already exists", "Use a database that holds nothing else."
)
_NO_DUMP = _Refusal("its file is no whole dump", "Use another backup.")
_UNFORESEEN = _Refusal("the database refused", "The log has its words.")

_OF_SQLITE = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_PERM: _NO_WAY_IN,
    sqlite3.SQLITE_CANTOPEN: _NO_WAY_IN,
    sqlite3.SQLITE_READONLY: _READ_ONLY_FILE,
    sqlite3.SQLITE_IOERR: _FAILING,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_NOTADB: _NO_DATABASE,
}
_OF_SERVER = {
    "08": _SERVER_AWAY,
    "25006": _SERVER_READ_ONLY,
    "25P03": _SERVER_SLOW,
    "28": _NOT_ADMITTED,
    "3D000": _NOT_THERE,
    "40": _OVERTAKEN,
    "42501": _NOT_ALLOWED,
    "42P07": _IN_THE_WAY,
    "53100": _SERVER_FULL,
    "53200": _SERVER_FAILING,
    "53300": _SERVER_CROWDED,
    "55P03": _SERVER_LOCKED,
    "57014": _SERVER_SLOW,
    "57P": _SERVER_TURNING,
    "58": _SERVER_FAILING,
    "XX001": _SERVER_DAMAGED,
    "XX002": _SERVER_DAMAGED,
}
"""By SQLSTATE, or by how it begins."""
_BY_WORDS = {
    "no space left": _SERVER_FULL,
    "too many connections|too many clients|connection slots": _SERVER_CROWDED,
    "starting up|shutting down|recovery mode|not yet accepting": _SERVER_TURNING,
    'database "[^"]*" does not exist': _NOT_THERE,
    'role "[^"]*" (does not exist|is not permitted)|authentication failed|no password|pg_hba': (
        _NOT_ADMITTED
    ),
    "permission denied|must be owner": _NOT_ALLOWED,
    "connection to server|connection refused|failed to resolve|connection timeout": _SERVER_AWAY,
    "already exists": _IN_THE_WAY,
    "valid archive|unexpected end of file|could not read from input": _NO_DUMP,
}
"""In this order, since what a server says comes behind how it was to be reached."""


def refuses(error: BaseException) -> bool:
    """Whether ``error`` is the database's own refusal (full, locked, unreadable), not a caller's.

    SQLite tells damage as a plain `DatabaseError`; its subclasses other than `OperationalError`
    are about the statement. PostgreSQL tells a read-only session as an `InternalError`.
    """
    return type(error) in {OperationalError, DatabaseError, InternalError}


def conflicts(error: BaseException) -> bool:
    """Whether another process changed the same rows at the same time."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in _CONFLICTS


def lost(error: BaseException) -> bool:
    """Whether the connection is gone, so that the next try needs a new one."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


def told(what: str, error: DBAPIError | sqlite3.Error) -> LedgerUnavailableError:
    """The refusal as a sentence that begins with ``what``; the driver's own words are logged."""
    driver = error.orig if isinstance(error, DBAPIError) else error
    log.warning(what, words=str(driver))
    refusal = _known(driver)
    return LedgerUnavailableError(f"{what}: {refusal.why}", refusal.cure)


def told_by(program: str, words: str) -> LedgerUnavailableError:
    """What made a program of PostgreSQL end; what it said is logged."""
    what = f"{program} could not do it"
    log.warning(what, words=words)
    refusal = _read(words) or _UNFORESEEN
    return LedgerUnavailableError(f"{what}: {refusal.why}", refusal.cure)


def cut(what: str, error: DBAPIError) -> LedgerUnclearError:
    """The same as `told` for a connection that was lost in the middle of a commit."""
    log.warning(what, words=str(error.orig), in_commit=True)
    return LedgerUnclearError(f"{what}: {CUT}", "Look whether it is there before you repeat it.")


def _known(driver: BaseException | None) -> _Refusal:
    if isinstance(driver, sqlite3.Error):
        code = getattr(driver, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        return _OF_SQLITE.get(code) or _read(str(driver)) or _UNFORESEEN
    state: str | None = getattr(driver, "sqlstate", None)
    if state is None:
        return _read(str(driver)) or _SERVER_AWAY
    return next((each for code, each in _OF_SERVER.items() if state.startswith(code)), _UNFORESEEN)


def _read(words: str) -> _Refusal | None:
    return next(
        (each for told, each in _BY_WORDS.items() if re.search(told, words, re.IGNORECASE)), None
    )
