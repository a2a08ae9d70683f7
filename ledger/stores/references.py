"""Short references like ``rel:7``: issued by us, valid where they were issued."""

import sqlalchemy as sa

from ledger.tables.access import reference
from ledger.writer import Transaction


def issue(tx: Transaction, scope: str, kind: str, target: str) -> str:
    """The reference of ``target`` in ``scope``; asking again gives the same one."""
    known = _number(tx.conn, scope, kind, target)
    if known is None:
        highest = tx.conn.execute(
            sa.select(sa.func.max(reference.c.number)).where(
                reference.c.scope == scope, reference.c.kind == kind
            )
        ).scalar()
        known = (highest or 0) + 1
        tx.conn.execute(
            reference.insert().values(scope=scope, kind=kind, number=known, target=target)
        )
    return f"{kind}:{known}"


def target_of(conn: sa.Connection, scope: str, kind: str, number: int) -> str | None:
    """The full id behind a reference of ``scope``, or None."""
    return conn.execute(
        sa.select(reference.c.target).where(
            reference.c.scope == scope, reference.c.kind == kind, reference.c.number == number
        )
    ).scalar()


def recent(conn: sa.Connection, scope: str, kind: str, *, limit: int = 5) -> list[str]:
    """The newest references of one kind in ``scope``, for an error that names candidates."""
    numbers = conn.execute(
        sa.select(reference.c.number)
        .where(reference.c.scope == scope, reference.c.kind == kind)
        .order_by(reference.c.number.desc())
        .limit(limit)
    ).scalars()
    return [f"{kind}:{number}" for number in numbers]


def _number(conn: sa.Connection, scope: str, kind: str, target: str) -> int | None:
    return conn.execute(
        sa.select(reference.c.number).where(
            reference.c.scope == scope, reference.c.kind == kind, reference.c.target == target
        )
    ).scalar()
