"""Opening a ledger on a PostgreSQL server: serialisable writes, snapshots for readers.

A process that is stopped in the middle of a transaction must not hold its locks for ever, so the
server ends idle transactions; a lost peer is noticed by TCP itself.
"""

import sqlalchemy as sa

from ledger.location import PostgresServer
from ledger.tables.workers import write_turn
from ledger.writer import Manners

CHANNEL = "matinee_ledger"
WAIT_MS = 10_000
CONNECT_S = 5

MANNERS = Manners(
    # The first statement, and no SELECT: it waits before the transaction's snapshot is taken.
    among=f"LOCK TABLE {write_turn.name} IN ROW SHARE MODE; NOTIFY {CHANNEL}",
    alone=f"LOCK TABLE {write_turn.name} IN EXCLUSIVE MODE; NOTIFY {CHANNEL}",
)
"""https://www.postgresql.org/docs/current/explicit-locking.html, table-level locks."""

_OPTIONS = (
    f"-c lock_timeout={WAIT_MS}"
    f" -c idle_in_transaction_session_timeout={WAIT_MS}"
    f" -c statement_timeout={6 * WAIT_MS}"
    " -c timezone=UTC"
)
_KEEPALIVE = {
    "keepalives": 1,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 3 * WAIT_MS,
}


def writing_engine(server: PostgresServer) -> sa.Engine:
    """An engine whose transactions behave as if they ran one after another.

    The server refuses one of two that would not; `ledger.writer` runs that one again, alone.
    """
    # A stale connection is noticed by the first statement, and the writer begins anew.
    return _engine(server, 1, isolation_level="SERIALIZABLE", ask_first=False)


def reading_engine(server: PostgresServer, connections: int) -> sa.Engine:
    """An engine whose transactions are snapshots that cannot write."""
    engine = _engine(server, connections, isolation_level="REPEATABLE READ", ask_first=True)
    return engine.execution_options(postgresql_readonly=True)


def _engine(
    server: PostgresServer, connections: int, *, isolation_level: str, ask_first: bool
) -> sa.Engine:
    return sa.create_engine(
        server.url,
        pool_size=connections,
        max_overflow=0,
        pool_pre_ping=ask_first,
        isolation_level=isolation_level,
        connect_args={"options": _OPTIONS, "connect_timeout": CONNECT_S, **_KEEPALIVE},
    )
