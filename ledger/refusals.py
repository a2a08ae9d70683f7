"""Telling the database's own refusals from the faults of a statement."""

from sqlalchemy.exc import DatabaseError, DBAPIError, InternalError, OperationalError

_CONFLICTS = {"40001", "40P01"}
"""PostgreSQL's serialization_failure and deadlock_detected: the same work may run again."""


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
