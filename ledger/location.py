"""Where a ledger is kept: a file in the home, or a PostgreSQL server."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError

BUSY_TIMEOUT_MS = 10_000

Dialect = Literal["sqlite", "postgresql"]


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """A file of which one process is the owner; a lock of others is waited for this long."""

    path: Path
    busy_timeout_ms: int = BUSY_TIMEOUT_MS
    dialect: Dialect = field(default="sqlite", init=False)

    @property
    def url(self) -> str:
        """The SQLAlchemy address."""
        return f"sqlite:///{self.path}"


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A database on a server, shared by any number of processes.

    Attributes:
        url: ``postgresql+psycopg://user:secret@host:port/name``; never shown.
    """

    url: str = field(repr=False)
    dialect: Dialect = field(default="postgresql", init=False)

    @property
    def shown(self) -> str:
        """The address without its password."""
        return sa.make_url(self.url).render_as_string(hide_password=True)


Location: TypeAlias = SqliteFile | PostgresServer


def database_file(home: Path) -> Path:
    """Where a home keeps its ledger when no server is named."""
    return home / "matinee.sqlite"


def located(home: Path, address: str | None) -> Location:
    """The ledger of ``home``: its own file, or the server at ``address``.

    Raises:
        ValueError: the address is not one of a PostgreSQL database; it is not repeated.
    """
    if address is None:
        return SqliteFile(database_file(home))
    try:
        url = sa.make_url(address)
    except ArgumentError:
        raise ValueError("must be an address like postgresql://user:secret@host/name") from None
    if url.get_backend_name() not in {"postgresql", "postgres"} or not url.database:
        raise ValueError("must name a PostgreSQL database: postgresql://user:secret@host/name")
    spelled = url.set(drivername="postgresql+psycopg")
    return PostgresServer(spelled.render_as_string(hide_password=False))
