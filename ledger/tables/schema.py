"""The one MetaData, and the column types all tables share."""

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from ledger.texts import storable

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Instant(sa.TypeDecorator[datetime]):
    """A moment in UTC. SQLite keeps no zone, so it is taken off going in and put on coming out."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        """Refuse a moment without a zone; store UTC."""
        del dialect
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a time zone cannot be stored")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        """Give the zone back."""
        del dialect
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Words(sa.TypeDecorator[str]):
    """Text, also of other people: what cannot be stored is replaced, on both databases alike."""

    impl = sa.String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        """Replace what cannot be stored."""
        del dialect
        return None if value is None else storable(value)


class FileNumber(sa.TypeDecorator[int]):
    """A number that a file system gives: unsigned 64 bits, kept in the signed ones of a column.

    Some network file systems hand out inodes from 2**63 on. They are kept as two's complement, so
    none is lost and none is changed.
    """

    impl = sa.BigInteger
    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: sa.Dialect) -> int | None:
        """Into the signed range."""
        del dialect
        return value if value is None or value < _SIGN else value - 2 * _SIGN

    def process_result_value(self, value: int | None, dialect: sa.Dialect) -> int | None:
        """Back into the unsigned range."""
        del dialect
        return value if value is None or value >= 0 else value + 2 * _SIGN


_SIGN = 1 << 63


def identity(prefix_length: int = 48) -> sa.Column[str]:
    """The primary key column of rows named by `ledger.clock.new_id`."""
    return sa.Column("id", sa.String(prefix_length), primary_key=True)


def text(name: str, *, nullable: bool = False, **kwargs: Any) -> sa.Column[str]:
    """A string column."""
    return sa.Column(name, Words, nullable=nullable, **kwargs)


def number(name: str, *, nullable: bool = False, **kwargs: Any) -> sa.Column[int]:
    """An integer column wide enough for sizes in bytes."""
    return sa.Column(name, sa.BigInteger, nullable=nullable, **kwargs)


def file_number(name: str) -> sa.Column[int]:
    """A column for a device or an inode."""
    return sa.Column(name, FileNumber, nullable=False)


def moment(name: str, *, nullable: bool = False) -> sa.Column[datetime]:
    """A column holding a moment in UTC."""
    return sa.Column(name, Instant, nullable=nullable)


def document(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    """A JSON column."""
    return sa.Column(name, sa.JSON(none_as_null=True), nullable=nullable)


def flag(name: str) -> sa.Column[bool]:
    """A truth column."""
    return sa.Column(name, sa.Boolean, nullable=False)
