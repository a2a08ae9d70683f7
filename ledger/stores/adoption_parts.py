"""What of an adoption is still to be taken in: some files a part, and at the end what follows.

Whoever takes a part in deletes it in the same transaction, so it is taken once, whoever dies.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from ledger.stores.rows import select, value
from ledger.tables.libraries import adoption_part
from ledger.writer import Transaction


@dataclass(frozen=True, slots=True)
class Part:
    """A row of the ledger; parts are taken in the order of ``n``."""

    plan: str
    n: int
    body: dict[str, Any]
    at: datetime


def put(tx: Transaction, plan: str, n: int, body: Mapping[str, object], at: datetime) -> None:
    """Write a part down, in place of one with its number that an earlier try left."""
    tx.conn.execute(adoption_part.delete().where(*_is(plan, n)))
    tx.conn.execute(adoption_part.insert().values(plan=plan, n=n, body=dict(body), at=at))


def first(conn: sa.Connection, plan: str) -> Part | None:
    """The part of a plan that is to be taken next."""
    found = select(adoption_part, Part, adoption_part.c.plan == plan)
    row = conn.execute(found.order_by(adoption_part.c.n).limit(1)).first()
    return None if row is None else value(Part, row)


def left(conn: sa.Connection, plan: str) -> int:
    """How many parts of a plan are still to be taken."""
    found = sa.select(sa.func.count()).select_from(adoption_part)
    return conn.execute(found.where(adoption_part.c.plan == plan)).scalar_one()


def drop(tx: Transaction, plan: str, n: int) -> bool:
    """Delete a part that is being taken; false when somebody else has taken it."""
    return tx.conn.execute(adoption_part.delete().where(*_is(plan, n))).rowcount == 1


def drop_from(tx: Transaction, plan: str, n: int, *, limit: int) -> int:
    """Delete parts that an earlier try left, from number ``n`` on; how many there were."""
    some = (
        sa.select(adoption_part.c.n)
        .where(adoption_part.c.plan == plan, adoption_part.c.n >= n)
        .limit(limit)
    )
    numbers = list(tx.conn.execute(some).scalars())
    where = (adoption_part.c.plan == plan, adoption_part.c.n.in_(numbers))
    return tx.conn.execute(adoption_part.delete().where(*where)).rowcount if numbers else 0


def _is(plan: str, n: int) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return adoption_part.c.plan == plan, adoption_part.c.n == n
