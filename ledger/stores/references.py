"""Short references like ``rel:7``: issued by us, valid where they were issued."""

from collections.abc import Sequence

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


def issue_all(tx: Transaction, scope: str, kind: str, targets: Sequence[str]) -> list[str]:
    """The references of several targets, in their order; as `issue`, in as many statements."""
    if not targets:
        return []
    mine = (reference.c.scope == scope, reference.c.kind == kind)
    asked = sa.select(reference.c.target, reference.c.number)
    rows = tx.conn.execute(asked.where(*mine, reference.c.target.in_(set(targets))))
    known = {row.target: row.number for row in rows}
    if new := [target for target in dict.fromkeys(targets) if target not in known]:
        highest = tx.conn.execute(sa.select(sa.func.max(reference.c.number)).where(*mine)).scalar()
        known |= {target: number for number, target in enumerate(new, (highest or 0) + 1)}
        tx.conn.execute(
            reference.insert(),
            [
                {"scope": scope, "kind": kind, "number": known[target], "target": target}
                for target in new
            ],
        )
    return [f"{kind}:{known[target]}" for target in targets]


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
