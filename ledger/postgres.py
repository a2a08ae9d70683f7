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


def _begun(lock: str) -> str:
    """One round trip; the lock, no SELECT, waits before the transaction's snapshot is taken."""
    turn = f"LOCK TABLE {write_turn.name} IN {lock} MODE"
    return f"BEGIN ISOLATION LEVEL SERIALIZABLE; {turn}; NOTIFY {CHANNEL}"


MANNERS = Manners(among=_begun("ROW SHARE"), alone=_begun("EXCLUSIVE"))
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


def for_writer(engine: sa.Engine) -> sa.Engine:
    """The same connections, for whoever begins transactions by `MANNERS`: the driver begins none.

    Its commit and rollback end what was begun in that way, too.
    """
    return engine.execution_options(isolation_level="AUTOCOMMIT")


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
